"""What acts would do now, and whether the person wants them: asked before one that may be consequential."""

from app.domain.verdict import Examination
from app.engines.reasoner import Situation
from app.llm.fence import NAME
from app.llm.port import ModelRequest
from app.llm.prompting import fill
from app.reasoners.model.bounds import LONGEST_EVIDENCE, LONGEST_TEXT, cut
from app.reasoners.model.history import done_so_far
from app.reasoners.model.replies import Examining
from app.reasoners.model.situation import said
from app.reasoners.model.writer import Writer, joined

TEMPLATE = "examining.v1"

MAX_OUTPUT = 100  # tokens: two words and a sentence


def request(
    situation: Situation, acts: tuple[str, ...], shown: tuple[str, ...], write: Writer
) -> ModelRequest[Examining]:
    """The call for these acts, with what was done before them: a last page seldom repeats what was entered.
    Of the page it shows what stands around their controls, and no more: what a page says elsewhere took in,
    perhaps, the model that chose them.
    """
    parts = [
        *said(situation, write),
        write.fenced("Done so far", *done_so_far(situation.deeds)),
        write.fenced("Acts", *(cut(one, LONGEST_EVIDENCE) for one in acts)),
        write.fenced("Around them", *(cut(one, LONGEST_TEXT) for one in shown)),
    ]
    return ModelRequest(
        purpose="examining",
        system=system(),
        template=TEMPLATE,
        prompt=joined(parts),
        reply=Examining,
        tier="fast",
        max_output_tokens=MAX_OUTPUT,
    )


def system() -> str:
    """What every such call shares, word for word."""
    return fill(TEMPLATE, fence=NAME)


def examination_of(reply: Examining) -> Examination:
    """The reply in the domain's words."""
    return Examination(effect=reply.effect, wanted=reply.wanted)
