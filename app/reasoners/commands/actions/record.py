"""Actions on one record: opening it to edit, deleting it, confirming."""

from functools import partial

from app.domain.action import ActionRecord
from app.domain.directive import Grounding, Target, describe_target, quote_value
from app.domain.page import Node, Observation
from app.domain.plan import Decision
from app.grounding import DIALOG, STOP_WORDS, label, name_variants
from app.page import ENTRIES, RECORDS, cut_group
from app.reasoners.commands.actions import decisions
from app.reasoners.commands.actions.case import StepCase
from app.reasoners.commands.actions.entry import has_all_fields
from app.reasoners.commands.actions.forms import has_entries
from app.reasoners.commands.actions.location import (
    belongs_to,
    decide_absent,
    excluded_ids,
    is_in_record,
    is_of_record,
    narrow_grounding,
    split_name_and_place,
    tell_apart,
    was_opened,
)
from app.text.lexicon import is_risky, pattern, words
from app.text.vocabulary import stems
from app.verification import mentions_name

AGREES = pattern(stems("dialogs.agrees"))
CROSS = "\u00d7"
CROSSES = frozenset("xX\u00d7\u2715\u2716\u2a2f\U0001f5d1")


def edit_record(case: StepCase) -> Decision:
    """Open the record for editing; done once the fields to change are on the page."""
    name, _ = split_name_and_place(case, case.target)
    fields, pressed = case.directive.fields, case.did("click")
    if fields and _in_record_itself(case, name):
        return decisions.done("The fields are in the record itself.")
    if not pressed and name and _find_control(case, "edit").outcome != "absent":
        return _act_on_record(case, "edit")
    its_own = pressed or not name or _mentions(case.page, name)
    if fields and its_own and has_all_fields(case):
        return decisions.done("The fields are here.")
    return _act_on_record(case, "edit")


def _in_record_itself(case: StepCase, name: str) -> bool:
    """Whether the record shows its fields in the list itself."""
    for field in case.directive.fields:
        node = case.chosen(case.field(Target(phrase=field.field, within=name), field.value))
        if node is None or not is_of_record(node) or not is_in_record(name, node.group):
            return False
    return bool(name)


def _mentions(page: Observation, name: str) -> bool:
    return any(mentions_name(page, variant) for variant in name_variants(name))


def delete_record(case: StepCase) -> Decision:
    """Press the record's delete, then confirm if asked, until the page no longer has it."""
    target = case.target
    was_delete = False
    if case.did("click"):
        last = [record for record in case.work if record.action.name != "wait"][-1]
        was_delete = _is_deletion(last)
        asking = [n for n in case.tree if cut_group(n.group, DIALOG)]
        if (agreed := _confirm_in_dialog(case, asking)) is not None:
            return agreed
        if was_delete and asking:
            asks = f"The page asks before it deletes {describe_target(target)}"
            return decisions.missing(f"{asks}: {quote_value(asking[0].group)}")
        if was_delete and not target.all and _is_gone(case, last):
            return decisions.done(f"{describe_target(target)} was deleted.")
    following = _act_on_record(case, "delete")
    if following.outcome != "missing" or not target.all or not was_delete:
        return following
    lost = [one for one in target.excluding if not mentions_name(case.page, one)]
    if lost:
        return decisions.missing(f"{quote_value(lost[0])} should stay, but is no longer there.")
    return decisions.done(f"Nothing is left of {describe_target(target)}.")


def _is_deletion(last: ActionRecord) -> bool:
    """Whether the last press deletes or confirmed a deletion."""
    name = (last.signature[1] if last.signature else last.description).strip()
    deletes = name in CROSSES or bool(label(name).meaning_set & {"delete", "ok"})
    return deletes or AGREES.match(words(name)) is not None


def _confirm_in_dialog(case: StepCase, asking: list[Node]) -> Decision | None:
    """Agree in the dialog that asks about the requested action; None without one."""
    inside = [n for n in asking if n.enabled and n.role in ("btn", "link", "el")]
    deleting = [node for node in inside if _is_action("delete", node)]
    agreeing = deleting or [node for node in inside if AGREES.match(words(node.name))]
    last = case.last.action.target if case.last is not None else None
    if not agreeing or agreeing[-1].id == last:
        return None
    is_for_all = case.directive.target is not None and case.directive.target.all
    return decisions.click_control(agreeing[-1], "Confirm with", completes=not is_for_all)


def _is_gone(case: StepCase, last: ActionRecord) -> bool:
    """Whether the page reports it, no longer mentions the record, or lists others in its place.

    If the pressed control is still there under another name, it only asks now.
    """
    pressed = case.tree.get(last.action.target or "")
    if pressed is not None and last.signature is not None and pressed.group == last.signature[2]:
        return False
    name, _ = split_name_and_place(case, case.target)
    is_control_gone = all(node.signature != last.signature for node in case.tree)
    lists = any(kind in RECORDS for node in case.tree for kind, _ in node.groups)
    lists_others = is_control_gone and lists and last.url == case.page.url
    return bool(case.page.successes) or not _mentions(case.page, name) or lists_others


def _find_control(case: StepCase, verb: str) -> Grounding:
    """Find the record's control, named by action and record or the record's own; a cross deletes."""
    target = case.target
    name, place = split_name_and_place(case, target)
    own = CROSS if verb == "delete" else case.directive.source.partition(" ")[0]
    for word in (verb, own) if name and own else (verb,):
        named_target = target.model_copy(update={"phrase": f"{word} {target.phrase}".strip()})
        inside = Target(phrase=word, within=name or None, all=target.all, ordinal=target.ordinal)
        grounding = narrow_grounding(
            case, case.find(named_target), partial(_names_both, case, word)
        )
        if grounding.outcome == "absent" or target.all:
            grounding = narrow_grounding(
                case, case.find(inside), partial(_is_own, case, word, name, place)
            )
        if grounding.outcome != "absent":
            return tell_apart(
                case, grounding.model_copy(update={"about": name or grounding.about}), target
            )
    return Grounding(outcome="absent")


def _is_action(word: str, node: Node) -> bool:
    """Whether the control's name is the action and it leads nowhere, unlike a mailbox called "Trash"."""
    if any(kind in ("nav", "tree") for kind, _ in node.groups):
        return False
    if word == CROSS:
        return node.name.strip() in CROSSES
    meanings = label(node.name).meanings
    return (
        word in meanings if word in ("edit", "delete") else label(word).meanings[:1] == meanings[:1]
    )


def _names_both(case: StepCase, word: str, node: Node) -> bool:
    """Whether the name has the action and the record; for deletion no more, unlike "Delete all"."""
    target = case.target
    allowed_words = label(f"{word} {target.phrase} {target.within or ''}").meaning_set
    only = label(node.name).meaning_set - STOP_WORDS <= allowed_words
    return _is_action(word, node) and (only or word != "delete")


def _is_own(case: StepCase, word: str, name: str, place: str, node: Node) -> bool:
    """Whether it acts on exactly that record, in the named place."""
    target = case.target
    counted = target.all or target.ordinal is not None or not name
    is_there = not place or is_in_record(place, node.group)
    return _is_action(word, node) and is_there and (counted or belongs_to(case, node, name))


def _act_on_record(case: StepCase, verb: str) -> Decision:
    """Press the record's control for the action; open the record first if needed."""
    target = case.target
    name, _ = split_name_and_place(case, target)
    grounding = _find_control(case, verb)
    if grounding.outcome == "absent" and (case.did("click") or was_opened(case, name)):
        # On the record's own page or menu, not in another record's row.
        grounding = narrow_grounding(
            case,
            case.find(Target(phrase=verb)),
            lambda n: _is_action(verb, n) and (not is_of_record(n) or belongs_to(case, n, name)),
        )
    if grounding.outcome == "ambiguous":
        return decisions.ambiguous(grounding, f"the one to {verb}")
    if grounding.outcome == "found":
        return _press_control(case, grounding, verb)
    if verb == "edit" and case.did("click") and has_entries(case):
        return decisions.done("The form is open.")
    record = case.find(target)
    node = case.chosen(record)
    opens = node is not None and node.role not in ENTRIES | {"txt"} and not is_risky(node.name)
    is_it = node is not None and not target.all and is_in_record(name, node.name)
    if node and opens and is_it and not case.did("click", node):
        return decisions.click_control(node, "Open", completes=False)
    is_here = not target.all and any(is_in_record(name, n.group) for n in case.tree)
    return decide_absent(case, Target(phrase=verb, within=name) if is_here else target, record)


def _press_control(case: StepCase, grounding: Grounding, verb: str) -> Decision:
    what, left_alone = describe_target(case.directive.target), excluded_ids(case)
    nodes = [case.tree.by_id[one] for one in grounding.chosen if one not in left_alone]
    unpressed = [node for node in nodes if not case.did("click", node)]
    if not nodes:
        return decisions.done("All others are done.")
    if not unpressed:
        remaining = decisions.missing(f"{what} is still on the page.")
        return remaining if verb == "delete" else decisions.done(f"{what}: {verb} was pressed.")
    return decisions.click_control(
        unpressed[0], "Press", confidence=grounding.confidence, completes=False
    )
