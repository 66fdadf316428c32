"""Weighs page evidence that contradicts an observed effect."""

from collections.abc import Iterable

from app.domain.action import MAY_PRESS, PRESSES, Action
from app.domain.page import Node, Observation
from app.page import ENTRIES, GOING_ON, RECORDS, Difference, label_of, quote
from app.plans import may_submit
from app.text.lexicon import speaks_of, words
from app.verification.evidence import (
    SLIGHT,
    EnteredValue,
    Evidence,
    Scene,
    failure,
    success,
    unclear,
)
from app.verification.readback import (
    count_occurrences,
    has_appeared,
    is_same_formatted,
    is_same_value,
    normalize_text,
)
from app.verification.records import explain_undeleted, is_form_gone, submitted_texts
from app.verification.submits import new_message

FORM_RESTARTED = "The form started over"
_TAB_ACTIONS = frozenset({"navigate", "goBack", "openTab", "switchTab", "closeTab"})
_SENDS = MAY_PRESS | {"setChecked", "selectOption", "dragTo"}
_NAVIGATES = _TAB_ACTIONS | PRESSES | {"clickAt", "pressKey", "googleSearch"}
_ENTERS = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})
_TOGGLES = frozenset({"chk", "rad"})
_NAVIGATION_ROLES = frozenset({"link", "tab", "menu", "tree"})
_CONTINUES = frozenset({"continue", "proceed", "go on", "check out", "checkout", "accept"})
_OUTWEIGHS = 0.85  # confidence from which evidence outweighs a dismissed dialog
_ENOUGH = 3  # controls; a smaller page may be re-rendered completely
_LEAST_WORDS = 3  # words; an old value this long is not on a page by chance
_NAME = 3  # characters of a value that identifies a record's line


def weigh_contradictions(evidence: Evidence, scene: Scene, action: Action) -> Evidence:
    """Reduce an action's evidence if the page objects, or if the server may still revert it."""
    diff, node = scene.diff, scene.node_before(action) or scene.node_after(action)
    if not evidence.happened or action != scene.last_action:
        return evidence
    toggles = action.name == "click" and node is not None and node.role in _TOGGLES
    if diff.errors and (action.name in _ENTERS or toggles):
        why = f"{evidence.reason}; but the page says: {quote(diff.errors[0])}"
        return success(min(evidence.confidence, SLIGHT), why)
    answered = diff.successes or diff.opened or diff.address.is_other_page or diff.address.query
    if scene.has_pending_request and not answered and action.name in _SENDS:
        return unclear(0.4, f"{GOING_ON}: {evidence.reason}, but the server has not answered yet")
    return evidence


def apply_contradictions(evidence: Evidence, scene: Scene, *, waited: bool) -> Evidence:
    """Refute the evidence of the chain if the page contradicts it or a confirmation was dismissed."""
    dismissed = next((d for d in reversed(scene.after.dialogs) if d.declined), None)
    if dismissed is not None and not (evidence.happened and evidence.confidence >= _OUTWEIGHS):
        return failure(0.9, f"The page asked '{quote(dismissed.message)}', which was dismissed")
    if evidence.happened is False:
        return evidence
    if why := _explain_other_page(scene, waited=waited):
        return unclear(0.5, why, contradicted=True)
    if not evidence.happened:
        return evidence
    if exit_name := _find_unsaved_exit(scene):
        return failure(0.8, f"{quote(exit_name)} left the form without submitting it")
    if why := _explain_restarted_form(scene):
        return unclear(0.5, why)
    if (
        why := _explain_unsaved_value(scene)
        or explain_undeleted(scene)
        or _explain_other_record(scene)
    ):
        return unclear(0.5, f"{evidence.reason}; but {why[0].lower()}{why[1:]}", contradicted=True)
    return evidence


def _explain_other_page(scene: Scene, *, waited: bool) -> str:
    """Return why the observation is of another page than the one acted on; "" if it is not.

    Either another site that no action leads to, or whose navigation the client did not see (unless
    `waited`); or another title and no earlier control, without a change seen by the client.
    """
    names = {planned.action.name for planned in scene.chain.actions}
    after, diff, client = scene.after, scene.diff, scene.after.client
    stayed = client.url_changed is False and not waited and not names & _TAB_ACTIONS
    if diff.address.origin and (stayed or not names & _NAVIGATES):
        return f"This is another site: {quote(after.url)}"
    unseen = client.mutated is False and client.url_changed is not True and not diff.partner
    large = min(len(scene.before.tree), len(after.tree)) >= _ENOUGH
    if diff.title is not None and unseen and large and not names & _TAB_ACTIONS:
        return f"This looks like another tab: {quote(after.title or after.url)}"
    return ""


def find_inconsistencies(after: Observation, diff: Difference) -> tuple[str, ...]:
    client = after.client
    grown = diff.added or diff.removed or diff.opened or diff.closed
    is_quiet = (
        client.mutated is False and client.url_changed is not True and not diff.address.is_changed
    )
    stayed = client.url_changed is False
    checks = (
        (is_quiet and grown, "The browser saw only spontaneous changes"),
        (
            stayed and diff.address.is_other_page,
            "The browser saw no navigation, but the address changed",
        ),
        (diff.errors and diff.successes, "The page reports both a failure and a success"),
    )
    return tuple(text for is_so, text in checks if is_so)


def _explain_restarted_form(scene: Scene) -> str:
    """Return why a submit that restarted the form was not accepted; "" if it did not restart."""
    node = scene.pressed_node
    if not scene.ends_goal or node is None or not is_form_gone(scene, node):
        return ""
    stayed = {n.signature for n in scene.before.tree}
    empty_fields = [n for n in scene.after.tree if n.signature in scene.history.filled - stayed]
    accepted = scene.diff.successes or new_message(scene, "success")
    if not empty_fields or any(n.value for n in empty_fields) or accepted:
        return ""
    is_listed = any(has_appeared(scene, text) for text in submitted_texts(scene, node))
    return "" if is_listed else f"{FORM_RESTARTED}, with an empty {label_of(empty_fields[0])}"


def _explain_unsaved_value(scene: Scene) -> str:
    """Return where the page still shows the old value after a submit; "" if nowhere.

    Either the field has the old value again, or a line of the record has. A form cleared for the
    next entry is no evidence.
    """
    if scene.last_action is None or not may_submit(scene.last_action, scene.before):
        return ""
    fields = {node.signature: node for node in scene.after.tree}
    values = {one.signature: fields[one.signature].value for one in scene.history.entered
            if one.signature in fields}  # fmt: skip
    if any(
        not one.old_value and not values.get(one.signature, "-") for one in scene.history.entered
    ):
        return ""
    for one in scene.history.entered:
        if not one.old_value or is_same_value(one.value, one.old_value):
            continue
        now = values.get(one.signature) or ""
        if is_same_value(now, one.old_value) and not is_same_formatted(now, one.value):
            return f"{one.signature[1] or 'The field'} holds '{quote(now)}' again"
        if not has_appeared(scene, one.value) and _shows_old_value(scene, one):
            return f"The page still shows '{quote(one.old_value)}'"
    return ""


def _shows_old_value(scene: Scene, one: EnteredValue) -> bool:
    names = [one.signature[1]] + [
        node.value
        for node in scene.before.tree
        if node.group == one.signature[2] and node.value and node.signature != one.signature
        and len(node.value) >= _NAME
    ]  # fmt: skip
    lines = {label for n in scene.after.tree for kind, label in n.groups if kind in RECORDS}
    for line in map(normalize_text, (*lines, *scene.after.summary.splitlines())):
        is_long = len(one.old_value.split()) >= _LEAST_WORDS
        is_specific = is_long or any(count_occurrences(line, name) for name in names)
        is_old = is_specific and count_occurrences(line, one.old_value)
        if is_old and not count_occurrences(line, one.value):
            return True
    return False


def _find_unsaved_exit(scene: Scene) -> str:
    """Return the control that left a form which the step was to save or send; "" if none.

    Navigation does not confirm a save: a "Settings" menu item matches the goal and leaves the form
    unsaved. "Cancel" discards the entries.
    """
    node, directive = scene.pressed_node, scene.directive
    if (
        node is None
        or scene.last_action is None
        or scene.last_action.name != "click"
        or scene.diff.successes
    ):
        return ""
    thing = (
        words(directive.target.phrase)
        if directive is not None and directive.target is not None
        else ""
    )
    if _is_cancelled_form(scene, node) and (not thing or thing not in words(node.name)):
        return node.name
    if directive is None or directive.verb != "submit" or directive.value in _CONTINUES:
        return ""
    rest = " ".join(word for word in words(node.name).split() if word not in thing.split())
    fields = scene.before.tree.of_roles(ENTRIES)
    filled = any(n.value or "checked" in n.states for n in fields)
    led = node.role in _NAVIGATION_ROLES and scene.diff.address.is_changed and filled
    return node.name if led and not speaks_of("submit", rest) else ""


def _is_cancelled_form(scene: Scene, node: Node) -> bool:
    sent = (planned.action for planned in scene.chain.actions[:-1])
    filled = any(one.name in _ENTERS and one.args.get("text") != "" for one in sent)
    return filled and speaks_of("dismiss", node.name) and not speaks_of("submit", node.name)


def _explain_other_record(scene: Scene) -> str:
    """Return why the reported success belongs to another row; "" if it does not."""
    pressed = scene.pressed_node
    own = _first_cells((pressed,))
    if pressed is None or not own or not scene.diff.successes:
        return ""
    message = normalize_text(scene.diff.successes[0])
    if any(count_occurrences(message, cell) for cell in own):
        return ""
    around = pressed.group.rpartition(" > ")[0]
    lines = (node for node in scene.before.tree if node.group.rpartition(" > ")[0] == around)
    other = next(
        (cell for cell in _first_cells(lines) - own if count_occurrences(message, cell)), ""
    )
    return f"The message is about {quote(other)}" if other else ""


def _first_cells(nodes: Iterable[Node | None]) -> set[str]:
    lines = (text for n in nodes if n is not None for kind, text in n.groups if kind in RECORDS)
    return {cell for text in lines if (cell := normalize_text(text.partition(",")[0]))}
