"""A question answered from the page and what else is known."""

from app.engines.reasoner import Situation
from app.llm.fence import NAME
from app.llm.port import ModelRequest
from app.llm.prompting import fill
from app.reasoners.model.asking import pictures
from app.reasoners.model.bounds import LONGEST_ANSWER, LONGEST_GOAL, LONGEST_SUMMARY_ASKED
from app.reasoners.model.material import known
from app.reasoners.model.replies import Answering
from app.reasoners.model.situation import seen, today
from app.reasoners.model.writer import Writer, joined

TEMPLATE = "answering.v1"

MAX_OUTPUT = 800  # tokens


def request(situation: Situation, question: str, write: Writer) -> ModelRequest[Answering]:
    """The call for this question, which a model may have worded: it stands in the fence."""
    parts = [
        today(situation),
        *known(situation.background, write),
        seen(situation, write, longest_summary=LONGEST_SUMMARY_ASKED),
        write.fenced("Question", question[:LONGEST_GOAL]),
    ]
    return ModelRequest(
        purpose="answering",
        system=system(),
        template=TEMPLATE,
        prompt=joined(parts),
        reply=Answering,
        tier="fast",
        images=pictures(situation.page),
        max_output_tokens=MAX_OUTPUT,
    )


def system() -> str:
    """What every such call shares, word for word."""
    return fill(TEMPLATE, fence=NAME)


def answer_of(reply: Answering) -> str | None:
    """The answer, None when it was not there."""
    return (reply.answer.strip()[:LONGEST_ANSWER] or None) if reply.found else None
