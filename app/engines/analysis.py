"""What a goal needs before it can be planned, read from its words and the page alone."""

from collections.abc import Sequence

from app.domain.analysis import Analysis
from app.domain.directive import Directive, Instruction
from app.domain.page import Observation
from app.engines.gates.planner import INTENT_UNCLEAR

UNDERSTOOD = 0.4  # the parser's own bound between a reading and a guess


def analyse(instruction: Instruction, page: Observation) -> Analysis:
    """Answer conversation, ask about what was not understood, and send the rest on to planning."""
    if instruction.kind == "conversation":
        return Analysis(
            required_sources=(),
            answer="Tell me what to do on this page, for example: click Save, "
            "or fill in the form with name Ann.",
        )
    if not instruction.directives or instruction.confidence < UNDERSTOOD:
        return unclear(instruction)
    if not len(page.tree) and not page.summary:
        return Analysis(
            missing=f"There is nothing to see on {page.url}: no control and no text came with it."
        )
    return Analysis(required_sources=("PAGE",))


def unclear(instruction: Instruction) -> Analysis:
    """The analysis of a goal in which there is nothing to do that can be told."""
    return Analysis(
        missing_fields=(INTENT_UNCLEAR,),
        missing=f"I could not read an instruction in '{instruction.text[:200]}'. "
        "Say what to click, open, fill in or choose.",
    )


def is_opaque(directives: Sequence[Directive]) -> bool:
    """Whether all that was understood is that something is to be done."""
    return bool(directives) and all(one.verb == "do" for one in directives)
