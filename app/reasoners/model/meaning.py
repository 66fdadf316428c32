"""What an answer means that is neither yes nor no."""

from app.engines.reasoner import Situation
from app.llm.fence import NAME
from app.llm.port import ModelRequest
from app.llm.prompting import fill
from app.reasoners.model.bounds import LONGEST_ANSWER, LONGEST_TEXT, cut
from app.reasoners.model.replies import Hearing
from app.reasoners.model.situation import said as told
from app.reasoners.model.writer import Writer, joined

TEMPLATE = "hearing.v1"

MAX_OUTPUT = 30  # tokens: one word


def request(situation: Situation, question: str, said: str, write: Writer) -> ModelRequest[Hearing]:
    """The call for this answer; the question quotes the page, and is fenced."""
    parts = [
        *told(situation, write),
        write.fenced("Asked", cut(question, LONGEST_TEXT)),
        write.trusted("The person says", cut(said, LONGEST_ANSWER)),
    ]
    return ModelRequest(
        purpose="hearing",
        system=system(),
        template=TEMPLATE,
        prompt=joined(parts),
        reply=Hearing,
        tier="fast",
        max_output_tokens=MAX_OUTPUT,
    )


def system() -> str:
    """What every such call shares, word for word."""
    return fill(TEMPLATE, fence=NAME)
