"""Whether a search of the web found what was needed."""

from app.domain.background import WebSearch
from app.llm.fence import NAME
from app.llm.port import ModelRequest
from app.llm.prompting import fill
from app.reasoners.model.bounds import LONGEST_ANSWER, LONGEST_TEXT, cut, meant
from app.reasoners.model.material import results
from app.reasoners.model.replies import Weighing
from app.reasoners.model.writer import Writer, joined

TEMPLATE = "weighing.v1"

MAX_OUTPUT = 300  # tokens


def request(search: WebSearch, write: Writer) -> ModelRequest[Weighing]:
    """The call for these results."""
    parts = [
        write.fenced("Needed", cut(search.need, LONGEST_TEXT)),
        write.fenced("Searched for", cut(search.query, LONGEST_TEXT)),
        write.fenced("Results", *results(search.results)),
    ]
    return ModelRequest(
        purpose="weighing",
        system=system(),
        template=TEMPLATE,
        prompt=joined(parts),
        reply=Weighing,
        tier="fast",
        max_output_tokens=MAX_OUTPUT,
    )


def system() -> str:
    """What every such call shares, word for word."""
    return fill(TEMPLATE, fence=NAME)


def weighed(reply: Weighing, search: WebSearch) -> WebSearch:
    """The search with what came of it: an answer, or the query to try next."""
    answer = meant(reply.answer, LONGEST_ANSWER)
    if reply.solved and answer:
        return search.model_copy(update={"solved": True, "answer": answer})
    query = meant(reply.query, LONGEST_TEXT) or search.query
    return search.model_copy(update={"solved": False, "answer": "", "query": query})
