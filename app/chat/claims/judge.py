"""One reading of all claims of an answer by a model that did not write them: do their quotes say it?"""

from collections.abc import Callable, Mapping, Sequence

from pydantic import BaseModel, Field

from app.chat.claims.certificate import CertifiedClaim
from app.llm.fence import NAME, PromptSections, join_sections, new_tag
from app.llm.port import ModelRequest
from app.llm.prompt_templates import fill_prompt

TEMPLATE = "supporting.v2"
PURPOSE = "support"
MAX_OUTPUT = 1_500  # tokens
LONGEST_WHY = 200  # characters
NOT_JUDGED = "it was not read a second time"


class Verdict(BaseModel):
    """Of the claim with this number, from 1 on."""

    claim: int
    supported: bool
    why: str = ""


class JudgeReply(BaseModel):
    """One verdict a claim."""

    verdicts: list[Verdict] = Field(default_factory=list)


def request(
    question: str, claims: Sequence[CertifiedClaim], beside: Callable[[CertifiedClaim], str]
) -> ModelRequest[JudgeReply]:
    """The call: every claim with its quotes, where they stand, and what is shown `beside` them; nothing else
    of the documents.
    """
    write = PromptSections(new_tag())
    return ModelRequest(
        purpose=PURPOSE,
        system=fill_prompt(TEMPLATE, fence=NAME),
        template=TEMPLATE,
        prompt=join_sections(
            [
                write.fenced_section("The question that was answered", question),
                *(_claim(at, one, beside(one), write) for at, one in enumerate(claims, 1)),
            ]
        ),
        reply=JudgeReply,
        tier="fast",
        max_output_tokens=MAX_OUTPUT,
    )


def doubts_of(reply: JudgeReply, count: int) -> Mapping[int, str]:
    """Why each doubted claim is doubted, by its place from 0 on. One that has no verdict is doubted too."""
    told = {one.claim - 1: one for one in reply.verdicts}
    return {
        at: " ".join(told[at].why.split())[:LONGEST_WHY] if at in told else NOT_JUDGED
        for at in range(count)
        if at not in told or not told[at].supported
    }


def _claim(number: int, one: CertifiedClaim, beside: str, write: PromptSections) -> str:
    quotes = [f"- ({held.place_line}) {held.words}" for held in one.held]
    formula = f"Computed: {one.computed}" if one.computed else ""
    return write.fenced_section(
        f"Claim {number}, and its quotes", one.claim.text, formula, *quotes, beside
    )
