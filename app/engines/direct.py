"""The short way for a goal of one clear action."""

from app.domain.directive import Instruction
from app.domain.plan import Plan, PlanStep, Refinement

SURE = 0.85  # DESIGN, "Critic": below this confidence an action is looked at again


def single_step(instruction: Instruction) -> Plan:
    """A plan of one step: the instruction's only directive."""
    directive = instruction.directives[0]
    words = directive.source or instruction.text
    step = PlanStep(id="1", description=words[:1].upper() + words[1:], directive=directive)
    return Plan(steps=(step,), instruction=instruction)


def surely_grounded(refinement: Refinement) -> bool:
    """Whether one action on one element was found that is surely meant."""
    return (
        refinement.outcome == "act"
        and refinement.confidence >= SURE
        and len(refinement.proposals) == 1
        and refinement.proposals[0].purpose == "work"
    )
