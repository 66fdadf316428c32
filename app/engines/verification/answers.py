"""What a page says in words after a submit, and whether it is to be believed."""

from app.domain.page import Node
from app.engines.risk.lexicon import speaks_of, words
from app.engines.verification.busy import is_at_work
from app.engines.verification.evidence import Evidence, Scene, no, unclear, yes
from app.engines.verification.explain import quote
from app.engines.verification.forms import entered, form_gone, put_in
from app.engines.verification.messages import GOING_ON, Kind, is_busy, is_message, kind_of
from app.engines.verification.readback import appeared, counted, plain
from app.engines.verification.records import may_be_elsewhere, missing_record, structured
from app.engines.verification.snapshot import without_numbers

_SENTENCE = 160  # characters; longer text is content and no answer
_NAMED = 3  # characters
_BESIDE = 3  # words that may stand beside a record where it is listed
_LISTING = ("- ", "# ")


def told_success(scene: Scene, target: Node | None) -> Evidence | None:
    """A new message that tells of a success, if the list beside the form does not belie it."""
    if not scene.diff.successes:
        return None
    why = f"The page says: {quote(scene.diff.successes[0])}"
    return belied(scene, target, why) or yes(0.95 if scene.reported else 0.93, why)


def belied(scene: Scene, target: Node | None, why: str) -> Evidence | None:
    """What is left of a success where the list that should hold what was entered does not.

    The list may have pages, or a filter, or go on out of sight: then less is believed.
    """
    if target is not None and speaks_of("search", target.name):
        return None
    missing = missing_record(scene, target, entered(scene, target))
    if missing is None:
        return None
    told = f"{why}; but the list beside it does not show '{quote(missing)}'"
    return yes(0.75, told) if may_be_elsewhere(scene.after) else unclear(0.5, told, against=True)


def told_failure(scene: Scene, target: Node | None) -> Evidence | None:
    """Text that is no message to the page's makers, but says in words that it failed."""
    text = said(scene, "error")
    if text is None or form_gone(scene, target) or scene.by_itself:
        return None
    return no(0.8 if scene.reported else 0.76, f"The page says: {quote(text)}")


def plain_success(scene: Scene, target: Node | None) -> Evidence | None:
    """Text that says in words that it worked; a line of a list may be news of others."""
    text = said(scene, "success")
    if text is None or scene.by_itself:
        return None
    why = f"The page says: {quote(text)}"
    return belied(scene, target, why) or yes(0.85 if scene.reported else 0.8, why)


def said(scene: Scene, kind: Kind) -> str | None:
    """The new text of that kind that stands by itself on the page."""
    texts = [n.name for n in scene.diff.added if n.role == "txt" and not is_message(n)]
    texts += [line for line in new_lines(scene) if not _is_old_message(scene, line)]
    for text in texts:
        listed = text.startswith(_LISTING) or " | " in text
        if len(text) > _SENTENCE or (kind == "success" and listed) or kind_of(text) != kind:
            continue
        if kind_of(_without_controls(text, scene)) == kind:
            return text
    return None


def new_lines(scene: Scene) -> list[str]:
    """The lines of text that came, but for those of which only numbers changed."""
    gone = {without_numbers(line) for line in scene.diff.text_gone}
    return [line for line in scene.diff.text_added if without_numbers(line) not in gone]


def recounted(scene: Scene, line: str) -> bool:
    """Whether a line only counts anew: the words of one that went, with other numbers.

    Names of controls that came may stand in it: a line of text goes over them as well.
    """
    for node in scene.diff.added:
        line = line.replace(node.name, " ") if node.name else line
    said_now = _lettered(line)
    return bool(said_now) and any(said_now == _lettered(text) for text in scene.diff.text_gone)


def _lettered(line: str) -> list[str]:
    return sorted(word for word in words(line).split() if not any(c.isdigit() for c in word))


def _without_controls(text: str, scene: Scene) -> str:
    """What is left of a line without the names of buttons and links in it."""
    for node in scene.after.tree:
        if node.role not in ("txt", "row") and len(node.name) >= _NAMED and node.name != text:
            text = text.replace(node.name, " ")
    return text


def _is_old_message(scene: Scene, text: str) -> bool:
    """Whether the text is a message that stood there before, if not in the summary."""
    return any(m.again and m.text in text for m in scene.diff.messages)


def record_shown(scene: Scene, target: Node | None) -> Evidence | None:
    """The page shows what was entered, outside of fields and of what complains of it.

    Beside the form that was just filled it may be a preview; a line that says it is being saved may
    yet go again.
    """
    now_typed = set(put_in(scene))
    gone = form_gone(scene, target)
    for text in entered(scene, target):
        if not appeared(scene, text):
            continue
        lines = [line for line in _new_texts(scene) if counted(plain(line), text)]
        good = [line for line in lines if kind_of(line) != "error"]
        if not good:
            continue
        if any(is_busy(line) for line in good) and is_at_work(scene):
            return unclear(0.4, f"{GOING_ON}: {quote(good[0])}")
        why = f"The page now shows '{quote(text)}'"
        if not structured(scene, text) and all(_is_about(line, text) for line in good):
            if said(scene, "success") is not None:
                return None  # that says more
            return yes(0.66, f"The page says: {quote(good[0])}")
        if not gone and text in now_typed and not structured(scene, text) and _kept(scene, text):
            return yes(0.66, why)
        return yes((0.94 if gone else 0.9) if scene.reported else 0.88, why)
    return None


def _is_about(line: str, text: str) -> bool:
    """Whether a line tells something of the record, in words that are not known, and does not list it."""
    more = len(words(line).split()) - len(words(text).split())
    return more > _BESIDE and kind_of(line) == "info"


def _kept(scene: Scene, text: str) -> bool:
    return any(n.role == "inp" and n.value == text for n in scene.after.tree)


def _new_texts(scene: Scene) -> list[str]:
    """What the page says now and did not: names of controls, and lines that are no messages."""
    messages = {plain(m.text) for m in scene.diff.messages}
    nodes = [*scene.diff.added, *(c.after for c in scene.diff.changed if "name" in c.kinds)]
    texts = [n.name for n in nodes if not is_message(n) and n.role not in ("inp", "sel", "opt")]
    texts += [t.removeprefix("- ").removeprefix("# ") for t in scene.diff.text_added]
    return [text for text in texts if plain(text) not in messages]
