"""Judges the effect of clicks.

`submits` judges submits. A checkbox, tab or field is judged by its own state, an opener by what
appeared or by its expanded state. Any other click worked if the page reports success, opens a
dialog or navigates, or if the control itself changed or disappeared; otherwise `effects` decides.
Below 0.70 the step continues, but the task is not completed, since a page may change on its own.
"""

from rapidfuzz import fuzz

from app.domain.action import Action
from app.domain.page import Node
from app.page import (
    ENTRIES,
    GOING_ON,
    enclosing_form,
    fields_in,
    is_message,
    is_opener,
    is_submit,
    label_of,
    message_kind,
    quote,
    without_numbers,
)
from app.text.lexicon import speaks_of
from app.verification.effects import has_entries_beside, judge_any_change
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
from app.verification.readback import is_on
from app.verification.records import judge_deletion
from app.verification.submits import judge_submit, new_message

_TOGGLES = frozenset({"chk", "rad"})
_PRESSABLE = frozenset({"btn", "img", "el"})
_ACTIVE_STATES = {"tab": {"selected", "current", "pressed", "checked"}, "inp": {"focused"}}
_ALIKE = 70  # percent: "Follow" and "Following", "Hold Ann Lee" and "Free Ann Lee"
_STEM = 4  # letters of a common prefix: "Renew permit 7" and "Renewed until 2031"
_FEW = 3  # lines of text; more are content


def judge_click(scene: Scene, action: Action) -> Evidence:
    before = scene.node_before(action)
    node = before if before is not None else scene.after.tree.get(action.target or "")
    if node is None:
        return judge_any_change(scene)
    if node.role in _TOGGLES:
        return _judge_toggle(scene, node, before)
    if not judge_refusal(scene) and (found := judge_deletion(scene, node)) is not None:
        return found
    if _is_submit_click(scene, node):
        return judge_submit(scene, node)
    now = scene.diff.partner.get(node.id)
    if now is not None and (states := now.states & _ACTIVE_STATES.get(node.role, set())):
        return success(0.95, f"{label_of(now)} is {min(states)}")
    if is_opener(node):
        return _judge_opener(scene, node)
    return (
        _judge_unknown_button(scene, node)
        if _is_among_fields(scene, node)
        else _judge_plain_click(scene, node)
    )


def _is_submit_click(scene: Scene, node: Node) -> bool:
    """Whether the click submits; without a form and entries beside it, "Add" opens something."""
    if is_submit(node, scene.before):
        opens = scene.diff.opened and any(n.role in ENTRIES for n in scene.diff.added)
        return enclosing_form(node) is not None or (has_entries_beside(scene, node) and not opens)
    if scene.directive is None or scene.directive.verb != "submit" or is_opener(node):
        return False
    return node.role in _PRESSABLE and has_entries_beside(scene, node)


def _judge_changed_control(was: Node, now: Node) -> Evidence:
    """Judge a control that changed; a completely different name may report a failure."""
    one, other = (without_numbers(node.name.casefold()) for node in (was, now))
    akin = one[:_STEM] == other[:_STEM] or fuzz.partial_ratio(one, other) >= _ALIKE
    akin = akin or message_kind(now.name) == "success"
    turned = was.states - {"focused"} != now.states - {"focused"}
    return success(0.88 if akin or turned else SLIGHT, f"{label_of(now)} changed")


def _judge_vanished_control(scene: Scene, node: Node) -> Evidence:
    """Judge a control that disappeared. Unknown new text may report a failure."""
    if (complaint := new_message(scene, "error")) is not None:
        return unclear(0.5, f"The page says: {quote(complaint)}")
    added = scene.diff.added
    if len(added) == 1 and (successor := scene.successor(node)) is not None:
        return _judge_changed_control(node, successor)
    texts = [t for t in scene.diff.text_added if not t.startswith(("- ", "# "))]
    few = 0 < len(texts) <= _FEW and all(n.role == "txt" for n in added)
    has_success = any(message_kind(text) == "success" for text in texts)
    why = f"{label_of(node)} is no longer there"
    return success(SLIGHT if (few or is_dead_end(scene.after)) and not has_success else 0.88, why)


def _is_among_fields(scene: Scene, node: Node) -> bool:
    """Whether a button with an unknown name is beside fields that it may submit."""
    if node.role not in _PRESSABLE or speaks_of("dismiss", node.name):
        return False
    group = enclosing_form(node)
    return any(
        n.role == "inp" and (group is not None or (n.group and n.group == node.group))
        for n in fields_in(scene.before, group)
    )


def _judge_unknown_button(scene: Scene, node: Node) -> Evidence:
    """Judge it as a submit if there is evidence of one; anything else that appeared is its effect."""
    found = judge_submit(scene, node)
    if found.happened is not None or found.contradicted or found.reason.startswith(GOING_ON):
        return found
    plain, diff = _judge_plain_click(scene, node), scene.diff
    others = [n for n in diff.added if n.role not in ("txt", node.role) and not is_message(n)]
    if not plain.happened or diff.opened or diff.address.is_changed or others:
        return plain
    successor = diff.partner.get(node.id)
    if successor is None or successor.name != node.name or diff.messages:
        return found
    if successor.states & {"disabled", "busy"}:
        return found
    return success(min(plain.confidence, SLIGHT), plain.reason)


def _judge_toggle(scene: Scene, node: Node, was: Node | None) -> Evidence:
    now = scene.diff.partner.get(node.id) or scene.after.tree.get(node.id)
    if now is None:
        return judge_any_change(scene)
    turned = was is not None and is_on(was) != is_on(now)
    if turned or (node.role == "rad" and is_on(now)):
        return success(0.95, f"{label_of(now)} is {'checked' if is_on(now) else 'not checked'}")
    if was is None:
        return unclear(0.5, f"{label_of(now)} was not there before")
    return judge_refusal(scene) or failure(0.88, f"{label_of(now)} did not change")


def _judge_opener(scene: Scene, node: Node) -> Evidence:
    now, change = scene.diff.partner.get(node.id), scene.diff.change_of(node.id)
    if change is not None and "expanded" in change.gained:
        return success(0.95, f"{label_of(node)} is open")
    items = [n for n in scene.diff.added if n.role in ("menu", "opt") or "menu:" in n.group + ":"]
    if items or scene.diff.opened:
        opened = ", ".join(label_of(n) for n in items[:5]) or scene.diff.opened[0]
        return success(0.93, f"{label_of(node)} opened {quote(opened)}")
    if change is not None and ("expanded" in change.lost or "collapsed" in change.gained):
        return success(0.9, f"{label_of(node)} is closed")
    stays = now is not None and bool(now.states & {"collapsed", "expanded"})
    if node.role == "tree" and scene.diff.focus is not None:
        return success(SLIGHT, f"{label_of(node)} is selected")  # a click selects; keys expand
    if not stays or judge_refusal(scene) or scene.diff.address.is_changed:
        return _judge_plain_click(scene, node)
    # If the page changed otherwise, the expanded state may be late.
    why = f"{label_of(node)} did not open"
    return (
        unclear(0.5, why)
        if scene.diff.is_substantial and not scene.is_spontaneous
        else failure(0.85, why)
    )


def _judge_plain_click(scene: Scene, node: Node) -> Evidence:
    diff = scene.diff
    wrong = judge_refusal(scene) or judge_signed_out(scene, node)
    if wrong is not None:
        # An alert in unknown words may be informational.
        news = diff.errors and all(message_kind(text) == "info" for text in diff.errors)
        return unclear(0.5, wrong.reason) if diff.successes or news else wrong
    if diff.address.is_changed or diff.opened or diff.closed or diff.successes:
        return judge_any_change(scene)
    change = diff.change_of(node.id)
    if change is not None and change.kinds & {"states", "name", "value"}:
        return _judge_changed_control(change.before, change.after)
    if node.id not in diff.partner and scene.after.tree.get(node.id) is None:
        return _judge_vanished_control(scene, node)
    if "current" in node.states and not diff.has_changes:
        return success(0.8, f"{label_of(node)} is the current one already")
    return judge_any_change(scene)
