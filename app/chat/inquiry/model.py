"""What a model is asked for an answer, and what it says."""

from pydantic import BaseModel, Field

from app.chat.claims import ClaimReply
from app.chat.claims.formula import EXAMPLES
from app.chat.inquiry.material import Material
from app.chat.request.model import shorten
from app.chat.tools import ActionRequest
from app.domain.knowledge import Confidence
from app.llm.fence import NAME, PromptSections, join_sections, new_tag
from app.llm.port import ModelRequest
from app.llm.prompt_templates import fill_prompt

TEMPLATE = "inquiring.v3"
PURPOSE = "inquire"
ABOUT = "What is this about?"  # of documents that were tagged without a word
MOST_CLAIMS = 15
_OFTEN = {1: "once", 2: "twice"}
MAX_OUTPUT = 3_500  # tokens: fifteen claims with their quotes
LONGEST_QUESTION = 4_000  # characters, from both ends
MOST_TURNS, LONGEST_TURN = 4, 800


class Answer(BaseModel):
    """What a model says: claims, or that the passages do not answer, or what it needs to see first. The
    language stands first, since claims are certified while the rest is written.
    """

    language: str = ""
    claims: list[ClaimReply] = Field(default_factory=list)
    answered: bool = True
    missing: str = ""
    search: list[str] = Field(default_factory=list)
    read: list[str] = Field(default_factory=list)
    listed: bool = False
    conflicting: bool = False
    confidence: Confidence = "medium"


def request(asked: ActionRequest, material: Material, *, rounds: int) -> ModelRequest[Answer]:
    """The call; `rounds` is how often the model may still ask for more. Everything but the person's own
    question stands in a fence.
    """
    write = PromptSections(new_tag())
    plain = " ".join(asked.plain.split())
    standing = " ".join(asked.standing.split())
    turns = [f"{one.role}: {one.text[:LONGEST_TURN]}" for one in asked.earlier[-MOST_TURNS:]]
    seen = f"You see {'all' if material.whole else 'a part'} of these documents."
    others = " There are others." if material.whole and material.others else ""
    may = f" You may ask for more, {_OFTEN[rounds]}." if rounds else " You may not ask for more."
    return ModelRequest(
        purpose=PURPOSE,
        system=fill_prompt(TEMPLATE, fence=NAME, claims=str(MOST_CLAIMS), **EXAMPLES),
        template=TEMPLATE,
        prompt=join_sections(
            [
                material.prompt(write),
                write.fenced_section("The conversation before", *turns),
                # Titles that were tagged, and what the question refers to, come from documents and models.
                write.fenced_section(
                    "The question as it stands for itself", standing if standing != plain else ""
                ),
                f"{seen}{others}{may if others or not material.whole else ''}",
                write.trusted_section(
                    "Question", shorten(asked.plain.strip() or ABOUT, LONGEST_QUESTION)
                ),
            ]
        ),
        reply=Answer,
        tier="strong",
        max_output_tokens=MAX_OUTPUT,
    )
