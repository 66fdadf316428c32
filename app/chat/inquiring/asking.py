"""A question put to a model with the passages that may answer it; what it says is checked claim by claim."""

from typing import Literal

from pydantic import BaseModel, Field

from app.chat.evidence import Cited, Claim
from app.chat.inquiring.question import shortened
from app.chat.tools import Asked
from app.domain.chat import Evidence
from app.llm.fence import NAME, new_tag
from app.llm.port import ModelRequest
from app.llm.prompting import fill
from app.llm.writing import Writing, joined

TEMPLATE = "inquiring.v1"
MOST_CLAIMS = 12
MAX_OUTPUT = 1_500  # tokens: twelve claims with their quotes
LONGEST_PASSAGE = 3_000  # characters; a passage is joined of some chunks of about 1,200
LONGEST_QUESTION = 2_000
MOST_TURNS, LONGEST_TURN = 4, 400


class CitedReply(BaseModel):
    """A passage, and its words that hold the claim."""

    passage: str
    quote: str = ""


class ClaimReply(BaseModel):
    """One sentence of the answer."""

    text: str
    citations: list[CitedReply] = Field(default_factory=list)


class Inquiring(BaseModel):
    """What a model answers; `answered` is false where the passages do not hold it."""

    claims: list[ClaimReply] = Field(default_factory=list)
    answered: bool = True
    confidence: Literal["high", "medium", "low"] = "medium"


def request(asked: Asked, passages: tuple[Evidence, ...]) -> ModelRequest[Inquiring]:
    """The call; everything but the person's own question stands in a fence."""
    write = Writing(new_tag())
    question, told = " ".join(asked.plain.split()), " ".join(asked.message.split())
    turns = [f"{one.role}: {one.text[:LONGEST_TURN]}" for one in asked.earlier[-MOST_TURNS:]]
    parts = [
        *(_passage(one, write) for one in passages),
        write.fenced("The conversation before", *turns),
        # What was tagged goes by its title, which whoever handed the document in wrote.
        write.fenced(
            "The question with the names of what was tagged in it", _named(told, question)
        ),
        write.trusted("Question", _short(question)),
    ]
    return ModelRequest(
        purpose="inquire",
        system=fill(TEMPLATE, fence=NAME, claims=str(MOST_CLAIMS)),
        template=TEMPLATE,
        prompt=joined(parts),
        reply=Inquiring,
        tier="fast",
        max_output_tokens=MAX_OUTPUT,
    )


def claims_of(reply: Inquiring) -> list[Claim]:
    """Its claims as they are checked."""
    return [
        Claim(one.text, tuple(Cited(cite.passage.strip(), cite.quote) for cite in one.citations))
        for one in reply.claims[:MOST_CLAIMS]
    ]


def _named(told: str, question: str) -> str:
    return "" if told == question else _short(told)


def _short(question: str) -> str:
    return question if len(question) <= LONGEST_QUESTION else shortened(question)


def _passage(one: Evidence, write: Writing) -> str:
    return write.fenced(
        f"Passage {one.ref}", f"({one.label or one.title})", one.text[:LONGEST_PASSAGE]
    )
