"""Choosing: an option of a list, a radio button, checkboxes, or anything else that is named."""

from dataclasses import dataclass

from app.domain.action import action
from app.domain.directive import Target
from app.domain.grounding import Candidate, Grounding
from app.domain.page import Node
from app.domain.plan import Proposal, Refinement
from app.engines.planning.wording import thing
from app.engines.refinement.absence import absent
from app.engines.refinement.case import Case, act, ambiguous, done
from app.engines.refinement.entry import fill
from app.engines.refinement.match import boxes_of_several, record_box, record_boxes
from app.engines.refinement.messages import called
from app.engines.refinement.values import option_for, setting

NOTHING = frozenset({"nothing", "none", "no one", "none of them"})
FIELDS = frozenset({"sel", "range", "inp"})
UNTICKED = frozenset({"link", "row", "txt"})


@dataclass(frozen=True)
class Choice:
    """What is to be chosen, and the proposal that does it; None when it is so already."""

    target: Target
    grounding: Grounding | None = None
    proposal: Proposal | None = None
    found: bool = True


def select(case: Case) -> Refinement:
    """Choose each thing that is named, in the list that is named if one is."""
    directive = case.directive
    every = directive.target if directive.target is not None and directive.target.all else None
    if every is not None and (boxes := record_boxes(case, every)):
        return _chosen(case, [Choice(every, None, _boxed(case, n, wanted=True)) for n in boxes])
    itself = every is not None and directive.value == every.phrase
    if directive.value is not None and directive.target is not None and not itself:
        in_field = _in_field(case, directive.target, directive.value)
        if in_field is not None:
            return in_field
    return _chosen(case, [_choice(case, target) for target in _targets(case)])


def check(case: Case) -> Refinement:
    """Check each box that is named."""
    return _boxes(case, wanted=True)


def uncheck(case: Case) -> Refinement:
    """Uncheck each box that is named."""
    return _boxes(case, wanted=False)


def _in_field(case: Case, target: Target, value: str) -> Refinement | None:
    """The choice made in a field of its own; None when the value is to be looked for on the page."""
    if target.near and target.phrase in {"", value}:
        target = Target(phrase=target.near)
    grounding = case.field(target, value)
    seen = [n for one in grounding.candidates if (n := case.tree.get(one.id)) is not None]
    if grounding.outcome == "ambiguous" and seen and all(_offers(n, value) for n in seen):
        return ambiguous(grounding, thing(target))
    node = case.tree.get(grounding.chosen[0]) if grounding.outcome == "found" else None
    if node is None or node.role not in FIELDS:
        return None
    return fill(case.instead(verb="fill", target=target))


def _offers(node: Node, value: str) -> bool:
    return node.role == "sel" and option_for(node.options, value) is not None


def _targets(case: Case) -> list[Target]:
    directive = case.directive
    base = directive.target or Target()
    if directive.fields:
        return [
            Target(phrase=field.value, within=field.field or base.phrase or base.within)
            for field in directive.fields
        ]
    if directive.value is not None:
        if base.all and directive.value == base.phrase:
            return [base]
        return [Target(phrase=directive.value, within=base.phrase or base.within)]
    return [base]


def _choice(case: Case, target: Target) -> Choice:
    if target.phrase.lower() in NOTHING and not target.quoted:
        return Choice(target)
    listed = _listed(case, target)
    if listed is not None:
        return listed
    grounding = case.find(target, "select")
    if grounding.outcome != "found" and target.within:
        grounding = case.find(target.model_copy(update={"within": None}), "select")
    box = record_box(case, target.phrase) if grounding.outcome == "absent" else None
    if box is not None:
        return Choice(target, None, _choosing(case, box))
    if grounding.outcome != "found":
        return Choice(target, grounding, found=False)
    node = case.tree.by_id[grounding.chosen[0]]
    return Choice(target, grounding, _choosing(case, node))


def _listed(case: Case, target: Target) -> Choice | None:
    """A native list that offers it, when no control of the page bears that very name."""
    phrase = target.phrase
    if (
        not phrase
        or target.ordinal is not None
        or any(n.name == phrase and n.role != "txt" for n in case.tree)
    ):
        return None
    offering = [n for n in case.tree if _offers(n, phrase) and n.enabled]
    if len(offering) > 1 and len({n.name for n in offering}) == 1 < len(
        {n.group for n in offering}
    ):
        return Choice(target, _any_of(offering, phrase), found=False)
    for node in case.tree:
        option = option_for(node.options, phrase) if node.role == "sel" else None
        if option is not None and node.enabled:
            made = setting(node, option)
            if made is None or node.value == option or _selected_before(case, node, option):
                return Choice(target)
            return Choice(target, None, Proposal(action=made[0], description=made[1]))
    return None


def _any_of(lists: list[Node], phrase: str) -> Grounding:
    """Lists of the same name in several places that all offer it."""
    shown = tuple(
        Candidate(id=n.id, role=n.role, name=n.name, group=n.group, score=0.6) for n in lists
    )
    reason = f"{len(lists)} lists here offer '{phrase}'"
    return Grounding(outcome="ambiguous", candidates=shown, reason=reason, about=phrase)


def _selected_before(case: Case, node: Node, option: str) -> bool:
    wanted = action("selectOption", node.id, option)
    return any(deed.action == wanted for deed in case.work)


def _choosing(case: Case, node: Node) -> Proposal | None:
    if node.role == "chk":
        return None if "checked" in node.states else _checked(node, wanted=True)
    if node.states & {"checked", "selected"} or case.did("click", node):
        return None
    return _click(node)


def _boxes(case: Case, *, wanted: bool) -> Refinement:
    choices = []
    for target in _targets(case):
        if target.phrase.lower() in NOTHING:
            continue
        grounding = _ticked(case, case.find(target, "check"))
        if grounding.outcome != "found":
            own = record_box(case, target.phrase) if not target.all else None
            boxes = [own] if own is not None else record_boxes(case, target)
            choices += [Choice(target, None, _boxed(case, n, wanted=wanted)) for n in boxes]
            if boxes:
                continue
            if grounding.outcome == "absent" and not target.all:
                grounding = boxes_of_several(case, target.phrase) or grounding
            choices.append(Choice(target, grounding, found=False))
        choices += [
            Choice(target, grounding, _boxed(case, node, wanted=wanted))
            for node_id in grounding.chosen
            if (node := case.tree.get(node_id)) is not None
        ]
    return _chosen(case, choices)


def _ticked(case: Case, found: Grounding) -> Grounding:
    """What was found, without what cannot be ticked: a link that only leads to the thing."""
    nodes = [n for one in found.chosen if (n := case.tree.get(one))]
    nodes = nodes or [n for one in found.candidates if (n := case.tree.get(one.id))]
    if found.outcome == "absent" or any(node.role not in UNTICKED for node in nodes):
        return found
    return Grounding(outcome="absent", candidates=found.candidates, reason=found.reason)


def _boxed(case: Case, node: Node, *, wanted: bool) -> Proposal | None:
    if node.role != "chk":
        on = bool(node.states & {"checked", "selected", "pressed"})
        return None if on == wanted or case.did("click", node) else _click(node)
    return None if ("checked" in node.states) == wanted else _checked(node, wanted=wanted)


def _chosen(case: Case, choices: list[Choice]) -> Refinement:
    proposals = [choice.proposal for choice in choices if choice.proposal is not None]
    lost = [choice for choice in choices if not choice.found]
    if proposals:
        sure = [c.grounding.confidence for c in choices if c.proposal and c.grounding]
        return act(
            proposals,
            "; ".join(proposal.description for proposal in proposals) + ".",
            confidence=min(sure, default=0.95),
            completes=not lost,
        )
    if not lost:
        return done("It is chosen already.")
    first = lost[0]
    if first.grounding is not None and first.grounding.outcome == "ambiguous":
        return ambiguous(first.grounding, thing(first.target))
    return absent(case, first.target, first.grounding)


def _checked(node: Node, *, wanted: bool) -> Proposal:
    return Proposal(
        action=action("setChecked", node.id, wanted),
        description=f"{'Check' if wanted else 'Uncheck'} {called(node)}",
    )


def _click(node: Node) -> Proposal:
    return Proposal(action=action("click", node.id), description=f"Choose {called(node)}")
