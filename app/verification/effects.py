"""Judges actions without a specific effect by any change of the page.

A success message, a dialog or another address counts as the effect. Other new content does too,
unless nothing reacted at once, the page changes constantly, or only a sentence appeared. Words of
failure or progress leave it undecided, unless a number changed as the control's name says. Without
any visible change, a request or a DOM mutation is slight evidence.
"""

from app.domain.action import Action
from app.domain.page import Node
from app.page import (
    DENIALS,
    ENTRIES,
    GOING_ON,
    RECORDS,
    compile_table,
    enclosing_form,
    fields_in,
    is_future,
    is_message,
    label_of,
    quote,
    split_url,
    without_numbers,
)
from app.text import patterns
from app.text.lexicon import words
from app.verification.evidence import (
    SLIGHT,
    Evidence,
    Scene,
    failure,
    judge_refusal,
    judge_signed_out,
    success,
    unclear,
)
from app.verification.readback import count_mentions
from app.verification.submits import find_in_progress, judge_submit, new_lines, new_message

_NO_LINES = ("textarea", "file")
_WWW = patterns.compile(r"^\w+://(?:www\.)?")


def judge_key(scene: Scene, action: Action) -> Evidence:
    """Judge a key: Enter submits, Escape closes, Tab moves the focus, others vary."""
    key = str(action.args["key"]).split("+")[-1].strip().lower()
    field, diff = _find_key_target(scene), scene.diff
    is_line = field is not None and field.role in ENTRIES and field.input_type not in _NO_LINES
    if key in ("enter", "return") and is_line:
        return judge_submit(scene, field)
    if key in ("escape", "esc") and (diff.closed or diff.removed):
        return success(0.9, "The overlay is closed")
    if diff.focus is not None and (key == "tab" or not diff.has_changes):
        return success(0.95, f"The focus is on {label_of(diff.focus)}")
    if diff.is_scrolled and not diff.has_changes:
        return success(0.85, "The page scrolled")
    return judge_any_change(scene)


def _find_key_target(scene: Scene) -> Node | None:
    """Return the field that received the key: the last one filled in the chain, or the focused one."""
    acted = (scene.node_before(planned.action) for planned in reversed(scene.chain.actions))
    focused = (n for n in scene.before.tree if "focused" in n.states)
    return next(filter(None, (*acted, *focused)), None)


def judge_scroll(scene: Scene, _: Action) -> Evidence:
    if scene.diff.is_scrolled:
        return success(0.93, "The page scrolled")
    if (
        scene.diff.added
        or scene.diff.removed
        or (scene.diff.is_substantial and not scene.is_spontaneous)
    ):
        return success(0.85, "More of the page is there")
    return failure(0.7, "The page did not move; there is no more of it")


def judge_witnessed(scene: Scene, _: Action) -> Evidence:
    """Judge a hover or tab change by what appears, otherwise by the client's report."""
    if scene.diff.is_substantial:
        return success(0.9, "The page shows something else now")
    return (
        success(0.7, "The browser reported it")
        if scene.reports_success
        else unclear(0.5, "Cannot tell")
    )


def judge_navigation(scene: Scene, action: Action) -> Evidence:
    url = str(action.args["url"])
    if (refusal := judge_refusal(scene)) is not None and not scene.diff.errors:
        return refusal
    if _is_same_address(scene.after.url, url):
        return success(0.97, f"The page is {quote(scene.after.url)}")
    if (signed_out := judge_signed_out(scene, None)) is not None:
        return signed_out
    if not scene.diff.address.is_changed:
        return failure(0.9, f"The page is still {quote(scene.after.url)}")
    return success(0.75, f"The address led to {quote(scene.after.url)}")


def judge_back(scene: Scene, _: Action) -> Evidence:
    if scene.diff.address.is_changed:
        return judge_refusal(scene) or success(
            0.93, f"The page went back to {quote(scene.after.url)}"
        )
    if scene.diff.is_substantial:
        return success(0.8, "The page shows other content")
    return failure(0.8, "The page is the same as before")


def judge_drag(scene: Scene, action: Action) -> Evidence:
    if scene.diff.is_substantial:
        return judge_any_change(scene)
    partner, kept_ids = scene.diff.partner, {n.id for n in scene.diff.partner.values()}
    order_before = [partner[n.id].id for n in scene.before.tree if n.id in partner]
    if order_before != [n.id for n in scene.after.tree if n.id in kept_ids]:
        return success(0.9, "The order changed")
    node, new_node = scene.node_before(action), scene.node_after(action)
    if node and new_node and (node.value, node.center) != (new_node.value, new_node.center):
        return success(0.85, f"{label_of(new_node)} moved")
    return failure(0.75, "Nothing was moved")


def judge_shown_text(scene: Scene, action: Action) -> Evidence:
    what = str(action.args["what"])
    if count_mentions(scene.after, what) or any(n.value == what for n in scene.after.tree):
        return success(0.92, f"The page shows '{quote(what)}'")
    return failure(0.8, f"The page does not show '{quote(what)}'")


def _is_same_address(url: str, requested: str) -> bool:
    """Whether the URLs agree, ignoring scheme, www, a trailing slash and parts not requested."""
    origin, path, query, fragment = split_url(
        requested if "://" in requested else f"https://{requested}"
    )
    host, path_here, *rest = split_url(url)
    if _WWW.sub("", origin) != _WWW.sub("", host) or path != path_here:
        return False
    return (not query or query == rest[0]) and (not fragment or fragment == rest[1])


_NUMBER = patterns.compile(r"\d{1,9}")
_UP, _DOWN = compile_table("messages.counts_up"), compile_table("messages.counts_down")
_SIGNS = str.maketrans(
    dict.fromkeys("+\u25b2\u2191", "plus ") | dict.fromkeys("-\u2212\u2013\u25bc\u2193", "minus ")
)
_SENTENCE = patterns.compile(r"\w+\W+\w+\W+\w+.*[.!。！]$")  # noqa: RUF001
_FEW = 3  # lines of text; more are content
_NAME = 3  # characters of a record's name; shorter ones are on most pages


def judge_any_change(scene: Scene) -> Evidence:
    diff = scene.diff
    wrong = judge_refusal(scene)
    if wrong is not None:
        return unclear(0.5, wrong.reason) if diff.successes else wrong
    to_come = (one.text for one in diff.messages if is_future(one.text))
    if not diff.successes and (announced := next(to_come, None)) is not None:
        return unclear(0.5, f"The page says: {quote(announced)}")
    for texts, why in (
        (diff.successes, "The page says: "),
        (diff.opened, "A dialog opened: "),
        (diff.closed, "The dialog closed: "),
        ([diff.address.url] if diff.address.is_changed else [], "The page went to "),
    ):
        if texts:
            return success(0.95, why + quote(texts[0]))
    if (not diff.is_substantial or scene.is_spontaneous) and _is_counted_by_one(scene):
        return success(0.75, "A number on the page went on by one")
    filled = {planned.action.target for planned in scene.chain.actions[:-1]}
    other_changes = [change for change in diff.changed if change.before.id not in filled]
    news = diff.added or diff.removed or diff.text_added or diff.text_gone or diff.messages
    touched = any(change.kinds & {"value", "states", "looks"} for change in diff.changed)
    if not (other_changes or news or diff.title):
        return _judge_unchanged_page(scene)
    if (evidence := _judge_progress(scene) or _judge_complaint(scene)) is not None:
        return evidence
    if scene.is_spontaneous and not touched:
        return _judge_unchanged_page(scene)
    if not diff.is_substantial:
        return success(SLIGHT, "A number on the page changed")
    appeared = next((label_of(n) for n in diff.added if n.role not in ENTRIES and n.name), "")
    return success(
        _change_confidence(scene), f"{appeared} appeared" if appeared else "The page changed"
    )


def _change_confidence(scene: Scene) -> float:
    """Return the confidence that a change of the page is the click's effect.

    It is lower if nothing reacted at once or reported the record later, and if the form still has
    all entries: an unknown button may have submitted it and been refused.
    """
    pressed = scene.pressed_node
    if (scene.had_no_reaction and not _reports_own_record(scene, pressed)) or _is_only_sentence(
        scene
    ):
        return SLIGHT
    new = any(not is_message(n) and n.role != "txt" for n in scene.diff.added)
    if pressed is None or pressed.role not in ("btn", "img", "el", "link") or new:
        return 0.8
    keeps_entries = any(
        n.role == "inp" and n.value for n in fields_in(scene.after, enclosing_form(pressed))
    )
    return SLIGHT if keeps_entries and has_entries_beside(scene, pressed) else 0.8


def _reports_own_record(scene: Scene, node: Node | None) -> bool:
    """Whether the page sent a request and then reported the control's own record."""
    if node is None or not scene.after.client.network or scene.is_spontaneous:
        return False
    lines = (*new_lines(scene), *(m.text for m in scene.diff.messages if not m.is_repeated))
    text = f" {words(' '.join(lines))} "
    records = (words(label.partition(",")[0]) for kind, label in node.groups if kind in RECORDS)
    return any(len(name) >= _NAME and f" {name} " in text for name in records)


def _is_only_sentence(scene: Scene) -> bool:
    """Whether only a sentence appeared, which may be an error in unknown words."""
    diff, lines = scene.diff, new_lines(scene)
    if diff.changed or diff.removed or any(n.role != "txt" for n in diff.added):
        return False
    return 0 < len(lines) <= _FEW and all(_SENTENCE.search(line) for line in lines)


def _judge_progress(scene: Scene) -> Evidence | None:
    progress = find_in_progress(scene)
    has_other_changes = (
        any(n.role not in ENTRIES | {"txt"} for n in scene.diff.added) or scene.diff.title
    )
    if (
        progress is None
        or has_other_changes
        or any(text != progress for text in scene.diff.text_added)
    ):
        return None
    return unclear(0.4, f"{GOING_ON}: {quote(progress)}")


def _judge_complaint(scene: Scene) -> Evidence | None:
    """Judge an old error shown again, or new text that mostly reports one; beside a form it is a refusal."""
    repeated = next(
        (m.text for m in scene.diff.messages if m.is_repeated and m.kind == "error"), None
    )
    if repeated is not None:
        return unclear(0.5, f"The page says as before: {quote(repeated)}")
    error = new_message(scene, "error")
    denied = (line for line in new_lines(scene) if not DENIALS.isdisjoint(words(line).split()))
    line = error or next(denied, None)
    has_controls = any(n.role != "txt" for n in scene.diff.added)
    if line is None or has_controls or scene.is_spontaneous or len(scene.diff.text_added) > _FEW:
        return None
    why, pressed = f"The page says: {quote(line)}", scene.pressed_node
    beside_entries = (
        error is not None and pressed is not None and has_entries_beside(scene, pressed)
    )
    return failure(0.8, why) if beside_entries else unclear(0.5, why)


def _is_counted_by_one(scene: Scene) -> bool:
    """Whether a counter was clicked and one number on the page, or its line, changed by one."""
    pressed = scene.pressed_node
    name = words(pressed.name.translate(_SIGNS)) if pressed is not None else ""
    step = bool(_UP.match(name)) - bool(_DOWN.match(name))
    if pressed is None or not (scene.reports_success and step):
        return False
    old, new = scene.before.summary.splitlines(), scene.after.summary.splitlines()
    added, removed = ([line for line in new if line not in old], [t for t in old if t not in new])
    if len(added) != 1 or len(removed) != 1:
        added, removed = ([t for t in lines if pressed.name in t] for lines in (added, removed))
    if (
        len(added) != 1
        or len(removed) != 1
        or without_numbers(added[0]) != without_numbers(removed[0])
    ):
        return False
    pairs = zip(_NUMBER.findall(added[0]), _NUMBER.findall(removed[0]), strict=True)
    clicks = sum(planned.action.name == "click" for planned in scene.chain.actions)
    return [int(b) - int(a) for b, a in pairs if b != a] == [step * clicks]


def _judge_unchanged_page(scene: Scene) -> Evidence:
    field, client = scene.diff.focus, scene.after.client
    acted = {planned.action.target for planned in scene.chain.actions}
    if (
        scene.reports_success
        and field is not None
        and field.role == "inp"
        and field.id not in acted
    ):
        return success(0.75, f"The cursor is in {label_of(field)}")
    if scene.reports_success and (client.network or client.mutated) and not scene.is_spontaneous:
        word = "sent a request" if client.network else "was touched"
        return success(SLIGHT, f"Nothing to see changed, but the page {word}")
    return unclear(0.5, "Nothing on the page shows whether it had an effect")


def has_entries_beside(scene: Scene, node: Node) -> bool:
    """Whether a field beside it had a value or was filled by the chain."""
    fields = fields_in(scene.before, enclosing_form(node))
    filled = {planned.action.target for planned in scene.chain.actions[:-1]}
    return any((f.role == "inp" and f.value) or f.id in filled for f in fields)
