"""Whether what is proposed makes sense, before it is sent."""

from app.domain.plan import Refinement
from app.domain.verdict import Critique
from app.engines.reasoner import Situation
from app.llm.fence import NAME
from app.llm.port import ModelRequest
from app.llm.prompting import fill
from app.reasoners.model.bounds import LONGEST_EVIDENCE, LONGEST_TEXT, cut
from app.reasoners.model.replies import Criticising
from app.reasoners.model.situation import said, verified
from app.reasoners.model.writer import Writer, joined

TEMPLATE = "criticising.v1"

MAX_OUTPUT = 150  # tokens: yes or no, and a sentence
_ENDS = frozenset({"finish", "done"})


def request(
    situation: Situation, refinement: Refinement, write: Writer
) -> ModelRequest[Criticising]:
    """The call for this proposal: without the page, but for an end, which it must show."""
    step = situation.plan.step
    ending = refinement.outcome in _ENDS
    parts = [
        *said(situation, write),
        write.fenced("Step", cut(step.description, LONGEST_TEXT) if step and not ending else ""),
        write.fenced("Actions", *_proposed(refinement)),
        write.fenced("The last action", verified(situation.verdict) if ending else ""),
        write.fenced("Page", *(_evidence(situation) if ending else ())),
    ]
    return ModelRequest(
        purpose="criticising",
        system=system(),
        template=TEMPLATE,
        prompt=joined(parts),
        reply=Criticising,
        tier="fast",
        max_output_tokens=MAX_OUTPUT,
    )


def system() -> str:
    """What every such call shares, word for word."""
    return fill(TEMPLATE, fence=NAME)


def critique_of(reply: Criticising) -> Critique:
    """The reply in the domain's words."""
    return Critique(sensible=reply.ok, reason=cut(reply.why, LONGEST_TEXT))


def _proposed(refinement: Refinement) -> tuple[str, ...]:
    if refinement.outcome in _ENDS:
        return (f"{refinement.outcome}: {cut(refinement.reason, LONGEST_TEXT)}",)
    return tuple(cut(one.description, LONGEST_TEXT) for one in refinement.proposals)


def _evidence(situation: Situation) -> tuple[str, ...]:
    page = situation.page
    texts = (page.title, page.url, *page.errors, *page.successes)
    return (*(cut(text, LONGEST_TEXT) for text in texts), cut(page.summary, LONGEST_EVIDENCE))
