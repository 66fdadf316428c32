"""Exclusions and prohibitions of the person apply to every proposal."""

from app.domain.action import MAY_PRESS, PRESSES
from app.domain.directive import Verb
from app.domain.directive_text import quoted, thing
from app.domain.page import Node
from app.domain.plan import Decision, Proposal
from app.grounding.label import label
from app.page import affected_controls, controls
from app.reasoners.commands.actions.case import StepCase, done_decision, missing_decision
from app.reasoners.commands.actions.location import is_in_record


def apply_exclusions(case: StepCase, refinement: Decision) -> Decision:
    """The decision without excluded things; an exclusion that matches nothing is reported."""
    target = case.directive.target
    if target is None or not target.excluding or refinement.outcome != "act":
        return refinement
    work = [one for one in refinement.proposals if one.purpose == "work"]
    for phrase in target.excluding if work and not case.work else ():
        if not _bearing(case, phrase):
            return missing_decision(
                f"I do not see {quoted(phrase)} here, which is to be left alone."
            )
    left_alone = excluded_ids(case) if work else frozenset()
    left = tuple(one for one in refinement.proposals if one.action.target not in left_alone)
    if len(left) == len(refinement.proposals):
        return refinement
    if left:
        return refinement.model_copy(update={"proposals": left})
    if case.work:
        return done_decision("All others are.")
    told = quoted(target.excluding[0])
    return missing_decision(
        f"I cannot tell {told} apart from the others, which is to be left alone."
    )


def excluded_ids(case: StepCase) -> frozenset[str]:
    """The ids of the excluded controls."""
    excluding = case.directive.target.excluding if case.directive.target is not None else ()
    return frozenset(node.id for phrase in excluding for node in _bearing(case, phrase))


def _bearing(case: StepCase, phrase: str) -> list[Node]:
    """The controls that match by name or container; "from Ann" is recognized by Ann."""
    name = phrase.removeprefix("from ").removesuffix("'s").removesuffix("\u2019s")
    return [n for n in case.tree if is_in_record(name, f"{n.name} {n.group}")]


TOUCHING = PRESSES | {"setValue", "selectOption", "setChecked", "dragTo", "uploadFile"}


def enforce_forbidden(case: StepCase, refinement: Decision) -> Decision:
    """The decision, or why it is refused if it would do something forbidden."""
    instruction = case.situation.plan.instruction
    if instruction is None or refinement.outcome != "act":
        return refinement
    for proposal in refinement.proposals:
        named = case.tree.get(proposal.action.target or "")
        own = (named,) if named and proposal.action.name in TOUCHING else ()
        for node in own or affected_controls(proposal.action, case.page):
            for target in instruction.forbidden:
                if node.id in case.find(target).chosen:
                    said = thing(target)
                    return missing_decision(
                        f"You asked not to touch {said}, and this step needs it."
                    )
            for verb in instruction.forbidden_verbs:
                if _does(case, verb, node, proposal):
                    return missing_decision(f"You asked not to {verb}, and this step needs it.")
    return refinement


def _does(case: StepCase, verb: Verb, node: Node, proposal: Proposal) -> bool:
    if proposal.action.name not in MAY_PRESS:
        return False
    if verb == "submit":  # but for another way to hand it in, which was asked for by its own word
        return case.directive.verb != "submit" and controls.is_submit(node, case.page)
    return label(verb).meanings == label(node.name).meanings[:1]
