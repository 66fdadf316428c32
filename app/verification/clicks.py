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
    old_node = scene.node_before(action)
    node = old_node if old_node is not None else scene.after.tree.get(action.target or "")
    if node is None:
        return judge_any_change(scene)
    if node.role in _TOGGLES:
        return _judge_toggle(scene, node, old_node)
    if not judge_refusal(scene) and (evidence := judge_deletion(scene, node)) is not None:
        return evidence
    if _is_submit_click(scene, node):
        return judge_submit(scene, node)
    new_node = scene.diff.partner.get(node.id)
    if new_node is not None and (states := new_node.states & _ACTIVE_STATES.get(node.role, set())):
        return success(0.95, f"{label_of(new_node)} is {min(states)}")
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


def _judge_changed_control(old_node: Node, new_node: Node) -> Evidence:
    """Judge a control that changed; a completely different name may report a failure."""
    old_name, new_name = (without_numbers(node.name.casefold()) for node in (old_node, new_node))
    akin = old_name[:_STEM] == new_name[:_STEM] or fuzz.partial_ratio(old_name, new_name) >= _ALIKE
    akin = akin or message_kind(new_node.name) == "success"
    turned = old_node.states - {"focused"} != new_node.states - {"focused"}
    return success(0.88 if akin or turned else SLIGHT, f"{label_of(new_node)} changed")


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
    as_submit = judge_submit(scene, node)
    if (
        as_submit.happened is not None
        or as_submit.contradicted
        or as_submit.reason.startswith(GOING_ON)
    ):
        return as_submit
    as_click, diff = _judge_plain_click(scene, node), scene.diff
    new_controls = [n for n in diff.added if n.role not in ("txt", node.role) and not is_message(n)]
    if not as_click.happened or diff.opened or diff.address.is_changed or new_controls:
        return as_click
    successor = diff.partner.get(node.id)
    if successor is None or successor.name != node.name or diff.messages:
        return as_submit
    if successor.states & {"disabled", "busy"}:
        return as_submit
    return success(min(as_click.confidence, SLIGHT), as_click.reason)


def _judge_toggle(scene: Scene, node: Node, old_node: Node | None) -> Evidence:
    new_node = scene.diff.partner.get(node.id) or scene.after.tree.get(node.id)
    if new_node is None:
        return judge_any_change(scene)
    turned = old_node is not None and is_on(old_node) != is_on(new_node)
    if turned or (node.role == "rad" and is_on(new_node)):
        return success(
            0.95, f"{label_of(new_node)} is {'checked' if is_on(new_node) else 'not checked'}"
        )
    if old_node is None:
        return unclear(0.5, f"{label_of(new_node)} was not there before")
    return judge_refusal(scene) or failure(0.88, f"{label_of(new_node)} did not change")


def _judge_opener(scene: Scene, node: Node) -> Evidence:
    new_node, change = scene.diff.partner.get(node.id), scene.diff.change_of(node.id)
    if change is not None and "expanded" in change.gained:
        return success(0.95, f"{label_of(node)} is open")
    items = [n for n in scene.diff.added if n.role in ("menu", "opt") or "menu:" in n.group + ":"]
    if items or scene.diff.opened:
        opened = ", ".join(label_of(n) for n in items[:5]) or scene.diff.opened[0]
        return success(0.93, f"{label_of(node)} opened {quote(opened)}")
    if change is not None and ("expanded" in change.lost or "collapsed" in change.gained):
        return success(0.9, f"{label_of(node)} is closed")
    stays = new_node is not None and bool(new_node.states & {"collapsed", "expanded"})
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
