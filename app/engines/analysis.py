"""What a goal needs before it can be planned, read from its words and the page alone."""

from app.domain.analysis import Analysis
from app.domain.directive import Instruction
from app.domain.page import Observation

UNDERSTOOD = 0.4  # the parser's own bound between a reading and a guess


def analyse(instruction: Instruction, page: Observation) -> Analysis:
    """Answer conversation, refuse what was not understood, and send the rest on to planning."""
    if instruction.kind == "conversation":
        return Analysis(
            required_sources=(),
            answer="Tell me what to do on this page, for example: click Save, "
            "or fill in the form with name Ann.",
        )
    if not instruction.directives or instruction.confidence < UNDERSTOOD:
        return Analysis(
            missing=f"I could not read an instruction in '{instruction.text[:200]}'. "
            "Say what to click, open, fill in or choose."
        )
    if not len(page.tree) and not page.summary:
        return Analysis(
            missing=f"There is nothing to see on {page.url}: no control and no text came with it."
        )
    return Analysis(required_sources=("PAGE",))
