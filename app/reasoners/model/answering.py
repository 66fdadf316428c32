"""A question answered from the page and what else is known."""

from app.engines.evidence import is_quoted
from app.engines.provenance.tokens import normal, scan
from app.engines.provenance.trace import holder
from app.engines.provenance.writing import FACTS
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


FEW = 3  # digits of a number that may be counted rather than copied


def answer_of(reply: Answering, situation: Situation) -> str | None:
    """The answer, None when it was not there.

    An answer counts as read on the page, so its numbers and addresses must stand there: else a model
    could give a value of its own a source. What it saw in a picture cannot be looked up.
    """
    answer = reply.answer.strip()[:LONGEST_ANSWER]
    if not reply.found or not answer:
        return None
    return answer if situation.page.screenshot or _is_read(answer, situation) else None


def _is_read(answer: str, situation: Situation) -> bool:
    text = scan(normal(answer))
    for at, token in enumerate(text.tokens):
        written = text.text[token.start : token.end]
        digits = sum(char.isdigit() for char in written)
        if digits <= FEW and token.kind in ("word", "number"):
            continue
        if token.kind not in FACTS and not digits:
            continue
        if not is_quoted(written, situation) and holder(text, at, situation) is None:
            return False
    return True
