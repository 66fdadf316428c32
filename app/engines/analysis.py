"""What a goal needs before it can be planned, read from its words and the page alone."""

from app.domain.analysis import Analysis
from app.domain.directive import Instruction
from app.domain.page import Observation
from app.engines.redaction import masked, secrets_in

LONGEST = 200  # characters that are quoted of a goal
MODELS = (
    "A model reads any sentence: set GEMINI_API_KEY, or run a local Ollama and set "
    "TABWRIGHT_OPENAI_BASE_URL=http://localhost:11434/v1 and TABWRIGHT_OPENAI_MODEL to one of its models."
)


def analyse(instruction: Instruction, page: Observation) -> Analysis:
    """Send what was read whole on to planning; say which words were not understood otherwise."""
    if instruction.unread is not None or not (instruction.directives or instruction.forbidden):
        return not_understood(instruction)
    if not len(page.tree) and not page.summary:
        return Analysis(
            missing=f"There is nothing to see on {page.url}: no control and no text came with it."
        )
    return Analysis(required_sources=("PAGE",))


def not_understood(instruction: Instruction) -> Analysis:
    """The end of a goal that is no command as a whole."""
    words = instruction.unread or instruction.text
    shown = masked(words, secrets_in(instruction.text))[:LONGEST]
    return Analysis(
        missing=f"I did not understand “{shown}”, so nothing was done. Without a model only plain "
        "commands are read, such as: click Save; type 'Jas' into the name field; add a new patient "
        f"with name 'Jas'. {MODELS}"
    )
