"""The plan of an instruction."""

from app.domain.directive import Instruction
from app.domain.plan import Plan, PlanStep
from app.engines.planning.expansion import expand
from app.engines.planning.wording import describe


def plan_of(instruction: Instruction) -> Plan:
    """A step for each thing to do, the first one current."""
    steps = tuple(
        PlanStep(
            id=str(number),
            description=describe(directive),
            status="current" if number == 1 else "pending",
            directive=directive,
        )
        for number, directive in enumerate(expand(instruction), start=1)
    )
    return Plan(steps=steps, instruction=instruction)
