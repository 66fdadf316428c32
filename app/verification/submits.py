"""Judges whether a submit was accepted.

New content decides, in the order of `_RULES`: a refusal, a success message that the list does not
contradict, words of failure, the record on the page, a form that is gone, words of success, search
results, an empty required field. Anything else is undecided: a reload empties a form as well.

Messages from before the submit do not count, nor do texts if the client saw only spontaneous
changes.
"""

from collections.abc import Callable
from itertools import chain

from app.domain.page import Node
from app.page import (
    ENTRIES,
    GOING_ON,
    Kind,
    enclosing_form,
    fields_in,
    is_busy,
    is_message,
    label_of,
    message_kind,
    quote,
    without_numbers,
)
from app.text.lexicon import speaks_of, words
from app.verification.evidence import (
    SLIGHT,
    Evidence,
    Scene,
    failure,
    is_dead_end,
    judge_refusal,
    judge_signed_out,
    success,
    unclear,
)
from app.verification.readback import count_occurrences, has_appeared, normalize_text
from app.verification.records import (
    appeared_as_record,
    find_missing_record,
    is_form_gone,
    may_be_elsewhere,
    submitted_texts,
)

_SENTENCE = 160  # characters; longer text is content, not a response
_SHORT = 80  # characters of a progress text
_NAMED = 3  # characters of a control's name
_BESIDE = 3  # words allowed beside a record in a list
_NO_RESULTS = ENTRIES | {"opt", "menu"}


def judge_submit(scene: Scene, target: Node | None) -> Evidence:
    for rule in _RULES:
        evidence = rule(scene, target)
        if evidence is not None:
            return evidence
    message = next(
        (m.text for m in scene.diff.messages if m.kind == "info" and not m.is_repeated), None
    )
    if message is not None:
        return unclear(0.5, f"The page says: {quote(message)}")
    silent = "The page does not say whether it worked"
    return unclear(0.5, silent if scene.diff.has_changes else f"{silent}, and shows no change")


def _judge_contradiction(scene: Scene, _: Node | None) -> Evidence | None:
    reason = "The page reports both a failure and a success"
    contradicts = scene.diff.errors and scene.diff.successes
    return unclear(0.5, reason) if contradicts else judge_refusal(scene)


def _judge_report(scene: Scene, target: Node | None) -> Evidence | None:
    """Return evidence from a new success message or a new text that reports failure."""
    if scene.diff.successes:
        return _check_list(scene, target, 0.95, f"The page says: {quote(scene.diff.successes[0])}")
    text = new_message(scene, "error")
    if text is None or is_form_gone(scene, target) or scene.is_spontaneous:
        return None
    return failure(0.8, f"The page says: {quote(text)}")


def _check_list(scene: Scene, target: Node | None, sure: float, why: str) -> Evidence:
    """Return a success unless the list contradicts it; less sure if the list may be incomplete."""
    if target is not None and speaks_of("search", target.name):
        return success(sure, why)
    missing = find_missing_record(scene, target)
    if missing is None:
        return success(sure, why)
    reason = f"{why}; but the list beside it does not show '{quote(missing)}'"
    return (
        success(0.75, reason)
        if may_be_elsewhere(scene.after)
        else unclear(0.5, reason, contradicted=True)
    )


def _judge_record_shown(scene: Scene, target: Node | None) -> Evidence | None:
    """Return evidence that the page shows the entry; running text may be a preview or refusal."""
    is_gone = is_form_gone(scene, target)
    messages = {normalize_text(m.text) for m in scene.diff.messages}
    nodes = [*scene.diff.added, *(c.after for c in scene.diff.changed if "name" in c.kinds)]
    appeared = [n.name for n in nodes if not is_message(n) and n.role not in ("inp", "sel", "opt")]
    appeared += [t.removeprefix("- ").removeprefix("# ") for t in scene.diff.text_added]
    appeared = [text for text in appeared if normalize_text(text) not in messages]
    news = [text for text in appeared if message_kind(text) != "error"]
    for text in submitted_texts(scene, target):
        lines = [line for line in news if count_occurrences(normalize_text(line), text)]
        if not lines or not has_appeared(scene, text):
            continue
        if any(is_busy(line) for line in lines):
            return unclear(0.4, f"{GOING_ON}: {quote(lines[0])}")
        in_field = not is_gone and any(
            n.role == "inp" and n.value == text for n in scene.after.tree
        )
        longest = len(words(text).split()) + _BESIDE  # a longer line is prose about it
        about = all(len(words(x).split()) > longest and message_kind(x) == "info" for x in lines)
        if appeared_as_record(scene, text) or not (in_field or about):
            return success(0.9, f"The page now shows '{quote(text)}'")
        why = f"The page says: {quote(lines[0])}"
        return None if new_message(scene, "success") else success(SLIGHT, why)
    return None


def _judge_form_gone(scene: Scene, target: Node | None) -> Evidence | None:
    if not is_form_gone(scene, target):
        return None
    if (complaint := new_message(scene, "error")) is not None:
        return unclear(0.5, f"The form is gone, but the page says: {quote(complaint)}")
    if new_message(scene, "success") is None:
        if (busy := _judge_progress(scene, target)) is not None:
            return busy
        old_nodes = scene.before.tree.by_id
        stays = any(old_nodes[i].name == node.name for i, node in scene.diff.partner.items())
        if is_dead_end(scene.after) and not stays:
            return unclear(0.5, "The form is gone, and so is all else; the page does not say why")
    why = "The dialog closed" if scene.diff.closed else "The form is gone"
    if not scene.reports_success:
        return unclear(0.6, why)
    if scene.diff.address.is_other_page or scene.diff.address.query:
        return success(0.88, "The form is gone and the page went on")
    return _check_list(scene, target, 0.85, why)


def _judge_success_text(scene: Scene, target: Node | None) -> Evidence | None:
    """Return evidence from text or the button itself: "Place order" is now "Placed"."""
    text = new_message(scene, "success")
    if text is not None and not scene.is_spontaneous:
        return _check_list(scene, target, 0.85, f"The page says: {quote(text)}")
    now = scene.successor(target) if target is not None else None
    if target is None or now is None or not scene.reports_success:
        return None
    if message_kind(target.name) == "success":
        return None
    turned = now.name != target.name and message_kind(now.name) == "success"
    return success(0.8, f"{label_of(target)} is now called {label_of(now)}") if turned else None


def _judge_progress(scene: Scene, _: Node | None) -> Evidence | None:
    busy = find_in_progress(scene)
    return unclear(0.4, f"{GOING_ON}: {quote(busy)}") if busy is not None else None


def _judge_search_results(scene: Scene, target: Node | None) -> Evidence | None:
    is_search = target is None or speaks_of("search", target.name) or target.input_type == "search"
    if not is_search or not scene.diff.is_substantial or scene.is_spontaneous:
        return None
    moved = any(n.role not in _NO_RESULTS for n in (*scene.diff.added, *scene.diff.removed))
    has_results = moved or scene.diff.address.is_changed or scene.diff.text_added
    return success(0.85, "The page shows other content") if has_results else None


def _judge_missing_field(scene: Scene, target: Node | None) -> Evidence | None:
    diff, sent = scene.diff, scene.after.client.network
    emptied = any(c.before.value and not c.after.value for c in diff.changed)
    if any((diff.added, diff.removed, diff.messages, diff.address.is_changed, sent, emptied)):
        return None
    if not all(c.before.role in ENTRIES for c in diff.changed):
        return None
    for field in fields_in(scene.after, enclosing_form(target) if target is not None else None):
        empty = "checked" not in field.states if field.role == "chk" else not field.value
        if "required" in field.states and empty and field.role != "rad":
            return failure(0.85, f"{label_of(field)} is required and empty")
    return None


_RULES: tuple[Callable[[Scene, Node | None], Evidence | None], ...] = (
    _judge_contradiction,
    judge_signed_out,
    _judge_report,
    _judge_record_shown,
    _judge_form_gone,
    _judge_success_text,
    _judge_progress,
    _judge_search_results,
    _judge_missing_field,
)


def new_message(scene: Scene, kind: Kind) -> str | None:
    """Return a new standalone text of that kind; lines of lists may be unrelated."""
    texts = [n.name for n in scene.diff.added if n.role == "txt" and not is_message(n)]
    for text in (*texts, *new_lines(scene)):
        listed = text.startswith(("- ", "# ")) or " | " in text
        if len(text) > _SENTENCE or (kind == "success" and listed) or message_kind(text) != kind:
            continue
        rest = text
        for node in scene.after.tree:  # names of buttons and links are no evidence
            if node.role not in ("txt", "row") and len(node.name) >= _NAMED and node.name != rest:
                rest = rest.replace(node.name, " ")
        if message_kind(rest) == kind:
            return text
    return None


def new_lines(scene: Scene) -> list[str]:
    """Return the added lines, except those where only numbers changed."""
    gone_lines = {without_numbers(line) for line in scene.diff.text_gone}
    return [line for line in scene.diff.text_added if without_numbers(line) not in gone_lines]


def find_in_progress(scene: Scene) -> str | None:
    """Return a new sign of progress: a text, or a control's name or state."""
    texts = [n.name for n in scene.diff.added]
    texts += [c.after.name for c in scene.diff.changed if "name" in c.kinds]
    texts += [*(m.text for m in scene.diff.messages), *scene.diff.text_added]
    messages = (text for text in texts if len(text) < _SHORT and is_busy(text))
    busy = (label_of(c.after) for c in scene.diff.changed if "busy" in c.gained)
    return next(chain(messages, busy), None)
