"""What a page that changed in any way says of a click of no particular effect; see `clicks`."""

from app.domain.page import Node
from app.engines.risk.controls import ENTRIES, container, entries
from app.engines.risk.lexicon import words
from app.engines.verification.answers import new_lines, said
from app.engines.verification.busy import still_going_on
from app.engines.verification.deletions import LINES
from app.engines.verification.evidence import Evidence, Scene, no, unclear, yes
from app.engines.verification.explain import label_of, quote
from app.engines.verification.failures import marked_invalid, refused
from app.engines.verification.messages import GOING_ON, denies, is_message
from app.engines.verification.snapshot import without_numbers
from app.text import patterns

_NUMBER = patterns.compile(r"\d{1,9}")
_UP = patterns.compile(
    r"[+\u25b2\u2191]$|(plus|incre\w+|more|add( one)?|like|upvote|vote)\b", patterns.IGNORECASE
)
_DOWN = patterns.compile(
    r"[-\u2212\u2013\u25bc\u2193]$|(minus|decre\w+|less|fewer|downvote)\b", patterns.IGNORECASE
)
_SENTENCE = patterns.compile(r"\w+\W+\w+\W+\w+.*[.!。！]$")  # noqa: RUF001
_FEW = 3  # lines of text; more are content
_NAME = 3  # letters of a record's name that chance does not put into a line
_CHANGED = 0.8  # of a page that changed after a click
_SLIGHT = 0.66  # DESIGN completes a task from 0.70 on: the step goes on, but nothing is completed


def changed(scene: Scene) -> Evidence:
    """The evidence of a page that changed in any way, for actions of no particular effect."""
    diff = scene.diff
    wrong = error_of(scene)
    if wrong is not None:
        return unclear(0.5, wrong.why) if diff.successes else wrong
    for found, why in (
        (diff.successes, "The page says: "),
        (diff.opened, "A dialog opened: "),
        (diff.closed, "The dialog closed: "),
    ):
        if found:
            return yes(0.95, why + quote(found[0]))
    if diff.address.any:
        return yes(0.92, f"The page went to {quote(diff.address.after)}")
    return _of_no_kind(scene)


def _of_no_kind(scene: Scene) -> Evidence:
    """The evidence of content that changed: whether it is new, at work, the same again, or a number."""
    diff = scene.diff
    if (not diff.solid or scene.by_itself) and _counted(scene):
        return yes(0.75, "A number on the page went on by one")
    if not _moved_besides(scene):
        return _quiet(scene)
    busy = _only_busy(scene)
    if busy is not None:
        return unclear(0.4, f"{GOING_ON}: {quote(busy)}")
    if (complaint := _complains_still(scene) or _complains_plainly(scene)) is not None:
        return complaint
    if diff.any and scene.by_itself and not _touched(scene):
        return _quiet(scene)
    if diff.solid:
        return yes(_sureness(scene), _what_changed(scene))
    if diff.numbers_only:
        return yes(_SLIGHT, "A number on the page changed")
    return _quiet(scene)


def _moved_besides(scene: Scene) -> bool:
    """Whether anything changed but the fields that the chain itself filled before."""
    diff = scene.diff
    filled = {planned.action.target for planned in scene.chain.actions[:-1]}
    return bool(
        any(c.before.id not in filled for c in diff.changed)
        or (diff.added or diff.removed or diff.text_added or diff.text_gone)
        or (diff.messages or diff.title)
    )


def _touched(scene: Scene) -> bool:
    """Whether a control holds or is something else now: no change that a client sees in a page."""
    return any(c.kinds & {"value", "states"} for c in scene.diff.changed)


def _sureness(scene: Scene) -> float:
    """How surely a change of the page is the click's doing.

    Less so where nothing answered it at once nor told of its record later, and where the form it
    stands in keeps all that was entered: what is called otherwise than known may hand it in, and may
    have been refused.
    """
    was = scene.was(scene.chain.actions[-1].action) if scene.chain.actions else None
    if (scene.unanswered and not _answered_late(scene, was)) or _only_a_sentence(scene):
        return _SLIGHT
    if was is None or was.role not in ("btn", "img", "el", "link"):
        return _CHANGED
    if scene.diff.added and any(not is_message(n) and n.role != "txt" for n in scene.diff.added):
        return _CHANGED
    kept = [n for n in entries(scene.after, container(was)) if n.role == "inp" and n.value]
    return _SLIGHT if kept and beside_entries(scene, was) else _CHANGED


def _answered_late(scene: Scene, node: Node | None) -> bool:
    """Whether the page sent something and then tells of the very record that the control stands in."""
    if node is None or not scene.left_traces or scene.by_itself:
        return False
    said = words(
        " ".join((*new_lines(scene), *(m.text for m in scene.diff.messages if not m.again)))
    )
    records = (words(label.partition(",")[0]) for kind, label in node.groups if kind in LINES)
    return any(len(name) >= _NAME and f" {name} " in f" {said} " for name in records)


def _only_a_sentence(scene: Scene) -> bool:
    """Whether all that came is a sentence, which may say why nothing else did."""
    diff, lines = scene.diff, new_lines(scene)
    if diff.changed or diff.removed or any(n.role != "txt" for n in diff.added):
        return False
    return 0 < len(lines) <= _FEW and all(_SENTENCE.search(line) for line in lines)


def _only_busy(scene: Scene) -> str | None:
    """The text that says something is going on, where it is all that came."""
    said = still_going_on(scene)
    if said is None or any(n.role not in ENTRIES | {"txt"} for n in scene.diff.added):
        return None
    came = [text for text in scene.diff.text_added if text != said]
    return None if came or scene.diff.title else said


def _complains_still(scene: Scene) -> Evidence | None:
    """The page draws an old complaint anew: what was refused once was refused again.

    Where more than that changed it cannot be told which of the two answers the click.
    """
    said = next((m.text for m in scene.diff.messages if m.again and m.kind == "error"), None)
    if said is None:
        return None
    diff = scene.diff
    others = [n for n in (*diff.added, *diff.removed) if not is_message(n)]
    texts = [line for line in (*diff.text_added, *diff.text_gone) if said not in line]
    why = f"The page says as before: {quote(said)}"
    return unclear(0.5, why) if others or texts or diff.changed else no(0.8, why)


def _complains_plainly(scene: Scene) -> Evidence | None:
    """New text in words of a failure, and little else: beside a filled form it refuses what is in it.

    Text that only denies something may be what a control was there to show.
    """
    told = said(scene, "error")
    line = told or next((t for t in new_lines(scene) if denies(t)), None)
    came = [n for n in scene.diff.added if n.role != "txt"]
    if line is None or came or scene.by_itself or len(scene.diff.text_added) > _FEW:
        return None
    was = scene.was(scene.chain.actions[-1].action) if scene.chain.actions else None
    why = f"The page says: {quote(line)}"
    refused_here = told is not None and was is not None and beside_entries(scene, was)
    return no(0.8, why) if refused_here else unclear(0.5, why)


def _counted(scene: Scene) -> bool:
    """Whether a control that counts was clicked, and one number went one on, the way it says.

    Where other lines changed as well, it is that of the line the control stands in.
    """
    was = scene.was(scene.chain.actions[-1].action) if scene.chain.actions else None
    step = _step(was.name) if was is not None else 0
    if was is None or not (scene.reported and step):
        return False
    old, new = scene.before.summary.splitlines(), scene.after.summary.splitlines()
    came = [line for line in new if line not in old]
    gone = [line for line in old if line not in new]
    if len(came) != 1 or len(gone) != 1:
        came, gone = ([t for t in lines if was.name in t] for lines in (came, gone))
    if len(came) != 1 or len(gone) != 1 or without_numbers(came[0]) != without_numbers(gone[0]):
        return False
    pairs = zip(_NUMBER.findall(came[0]), _NUMBER.findall(gone[0]), strict=True)
    clicks = sum(planned.action.name == "click" for planned in scene.chain.actions)
    return [int(b) - int(a) for b, a in pairs if b != a] == [step * clicks]


def _step(name: str) -> int:
    """Which way a control of that name counts: 1 up, -1 down, 0 when it does not count."""
    return 1 if _UP.match(name.strip()) else -1 if _DOWN.match(name.strip()) else 0


def _what_changed(scene: Scene) -> str:
    controls = [n for n in scene.diff.added if n.role not in ENTRIES and n.name]
    return f"{label_of(controls[0])} appeared" if controls else "The page changed"


def _quiet(scene: Scene) -> Evidence:
    field = scene.diff.focus
    acted = {planned.action.target for planned in scene.chain.actions}
    if scene.reported and field is not None and field.role == "inp" and field.id not in acted:
        return yes(0.75, f"The cursor is in {label_of(field)}")
    if scene.reported and scene.left_traces and not scene.by_itself:
        return yes(_SLIGHT, "Nothing to see changed, but the page sent a request")
    if scene.reported and scene.after.client.mutated and not scene.by_itself:
        return yes(_SLIGHT, "Nothing to see changed, but the page was touched")
    return unclear(0.5, "Nothing on the page shows whether it had an effect")


def only_said(scene: Scene, node: Node) -> Evidence | None:
    """Words that are not known, beside a form that keeps all that was entered: it may be a refusal."""
    diff = scene.diff
    said = next((m.text for m in diff.messages if m.kind == "info" and not m.again), None)
    kept = [n for n in entries(scene.after, container(node)) if n.role == "inp" and n.value]
    others = [n for n in (*diff.added, *diff.removed) if not is_message(n)]
    if said is None or not kept or others or diff.changed:
        return None
    return unclear(0.5, f"The page says: {quote(said)}")


def error_of(scene: Scene) -> Evidence | None:
    """What refuses a click: an error, or a field that is marked as invalid now."""
    found = refused(scene) or marked_invalid(scene, also_new=False)
    return no(0.92, found.why) if found is not None else None


def beside_entries(scene: Scene, node: Node) -> bool:
    """Whether a field beside it holds something, or was filled by the chain."""
    fields = entries(scene.before, container(node))
    put = {planned.action.target for planned in scene.chain.actions[:-1]}
    return any((f.role == "inp" and f.value) or f.id in put for f in fields)
