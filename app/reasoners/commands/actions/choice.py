"""Chooses options, radio buttons, checkboxes, or any other named thing."""

from dataclasses import dataclass

from app.domain.action import action
from app.domain.directive import Grounding, Target, describe_target
from app.domain.page import Node
from app.domain.plan import Decision, Proposal
from app.grounding import describe_control, label, match_option, value_action
from app.reasoners.commands.actions import decisions
from app.reasoners.commands.actions.case import StepCase
from app.reasoners.commands.actions.entry import fill
from app.reasoners.commands.actions.location import (
    decide_absent,
    describe_several,
    is_of_record,
    is_record_kind,
    narrow_grounding,
)

NOTHING = frozenset({"nothing", "none", "no one", "none of them"})
FIELDS = frozenset({"sel", "range", "inp"})
TICKABLE = frozenset({"chk", "rad", "btn", "el", "opt", "menu", "img"})
SELECT_ALL = frozenset({"select all", "check all", "all", "select everything", "toggle all"})


@dataclass(frozen=True)
class BoxChoice:
    """What to choose and the proposal for it, None if already chosen. `lost`: the failed search."""

    target: Target
    proposal: Proposal | None = None
    confidence: float = 0.95
    lost: Grounding | None = None


def select(case: StepCase) -> Decision:
    """Choose each named thing, in the named list if there is one."""
    target, value = case.target, case.directive.value
    if boxes := _boxes_of_kind(case, target):
        return _choice_decision(
            case, [BoxChoice(target, _tick_proposal(case, node, checked=True)) for node in boxes]
        )
    names_list = case.directive.target is not None and value not in (None, target.phrase)
    in_field = _choose_in_field(case, target, value or "") if names_list else None
    return in_field or _choice_decision(case, [_find_choice(case, one) for one in _targets(case)])


def set_boxes(case: StepCase, *, checked: bool) -> Decision:
    return _choice_decision(
        case, [one for t in _targets(case) for one in _boxes(case, t, checked=checked)]
    )


def _targets(case: StepCase) -> list[Target]:
    directive, base = case.directive, case.target
    place = base.phrase or base.within
    if directive.fields:
        targets = [Target(phrase=one.value, within=one.field or place) for one in directive.fields]
    elif directive.value in (None, base.phrase):
        targets = [base]
    else:
        targets = [Target(phrase=directive.value or "", within=place)]
    return [one for one in targets if one.quoted or one.phrase.lower() not in NOTHING]


def _choose_in_field(case: StepCase, target: Target, value: str) -> Decision | None:
    """Choose in a field of its own; None if the value must be looked for on the page."""
    if target.near and not target.phrase:
        target = Target(phrase=target.near)
    grounding = case.field(target, value)
    nodes = [n for one in grounding.candidates if (n := case.tree.get(one.id)) is not None]
    if grounding.outcome == "ambiguous" and nodes and all(_offers(n, value) for n in nodes):
        return decisions.ambiguous(grounding, describe_target(target))
    node = case.chosen(grounding)
    if node is None or node.role not in FIELDS:
        return None
    return fill(case.with_directive(verb="fill", target=target))


def _offers(node: Node, value: str) -> bool:
    return node.role == "sel" and node.enabled and match_option(node.options, value) is not None


def _find_choice(case: StepCase, target: Target) -> BoxChoice:
    names_control = any(n.name == target.phrase and n.role != "txt" for n in case.tree)
    if target.phrase and target.ordinal is None and not names_control:
        lists = [node for node in case.tree if _offers(node, target.phrase)]
        if len(lists) > 1:
            about = target.phrase
            return BoxChoice(
                target, lost=describe_several(lists, f"lists here offer '{about}'", about)
            )
        if lists and (entry := value_action(lists[0], target.phrase)):
            is_chosen = lists[0].value == entry[0].args["label"] or case.did(
                "selectOption", lists[0]
            )
            return BoxChoice(
                target, None if is_chosen else Proposal(action=entry[0], description=entry[1])
            )
    grounding = case.find(target, "select")
    if grounding.outcome != "found" and target.within:
        grounding = case.find(target.model_copy(update={"within": None}), "select")
    if grounding.outcome == "absent":
        grounding = _find_record_box(case, target.phrase) or grounding
    node = case.tree.get(grounding.chosen[0]) if grounding.outcome == "found" else None
    if node is None:
        return BoxChoice(target, lost=grounding)
    return BoxChoice(target, _tick_proposal(case, node, checked=True), grounding.confidence)


def _boxes(case: StepCase, target: Target, *, checked: bool) -> list[BoxChoice]:
    grounding = narrow_grounding(
        case, case.find(target, "check"), lambda node: node.role in TICKABLE
    )
    if grounding.outcome == "absent" and not target.all:
        grounding = _find_record_box(case, target.phrase) or grounding
    nodes = [case.tree.by_id[one] for one in grounding.chosen] or _boxes_of_kind(case, target)
    if not nodes:
        return [BoxChoice(target, lost=grounding)]
    sure = grounding.confidence if grounding.chosen else BoxChoice(target).confidence
    return [BoxChoice(target, _tick_proposal(case, node, checked=checked), sure) for node in nodes]


def _find_record_box(case: StepCase, name: str) -> Grounding | None:
    """Find the box of the record of that name; None without one."""
    grounding = case.find(Target(role="chk", within=name), "check") if name else None
    own = narrow_grounding(case, grounding, is_of_record) if grounding else None
    return own.model_copy(update={"about": name}) if own and own.outcome != "absent" else None


def _boxes_of_kind(case: StepCase, target: Target) -> list[Node]:
    """Return, for "all" records of a kind, the box that ticks all, or each record's box."""
    if not target.all or not is_record_kind(case, target.phrase):
        return []
    boxes = [n for n in case.tree if n.role == "chk" and n.enabled]
    select_all = [n for n in boxes if label(n.name).folded in SELECT_ALL]
    if select_all and not target.excluding:
        return select_all[:1]
    return [n for n in boxes if is_of_record(n) and n not in select_all]


def _tick_proposal(case: StepCase, node: Node, *, checked: bool) -> Proposal | None:
    """Return the proposal that ticks it; None if it is ticked or was pressed."""
    if node.role == "chk":
        if ("checked" in node.states) == checked:
            return None
        words = f"{'Check' if checked else 'Uncheck'} {describe_control(node)}"
        return Proposal(action=action("setChecked", node.id, checked), description=words)
    is_on = bool(node.states & {"checked", "selected", "pressed"})
    if is_on == checked or case.did("click", node):
        return None
    return Proposal(action=action("click", node.id), description=f"Choose {describe_control(node)}")


def _choice_decision(case: StepCase, choices: list[BoxChoice]) -> Decision:
    proposed = [one for one in choices if one.proposal is not None]
    lost = next((one for one in choices if one.lost is not None), None)
    if proposed:
        proposals = [one.proposal for one in proposed if one.proposal is not None]
        sure = min(one.confidence for one in proposed)
        return decisions.act(proposals, confidence=sure, completes=lost is None)
    if lost is None or lost.lost is None:
        return decisions.done("It is already chosen.")
    if lost.lost.outcome == "ambiguous":
        return decisions.ambiguous(lost.lost, describe_target(lost.target))
    return decide_absent(case, lost.target, lost.lost)
