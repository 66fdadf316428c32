"""A claim and what it stands on, as a model says it."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from app.chat.output.markdown import unmarked, without_markers
from app.text import patterns

MOST_QUOTES = 40  # of one claim: a sum takes as many cells, a count as many items
LONGEST_CLAIM = 1_000  # characters
_BEGINNING = patterns.compile(r"^\s*(?:[-*+\u2022]|#{1,6}|>|\d{1,3}[.)])\s+")


class QuoteReply(BaseModel):
    """Words of a passage, copied, and the reference of the passage."""

    source: str = ""
    words: str = ""


class ClaimReply(BaseModel):
    """One sentence. `formula` is set where it states a result: "31 * 4 = 124"."""

    text: str
    quotes: list[QuoteReply] = Field(default_factory=list)
    formula: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that are said to stand in the passage `ref`."""

    ref: str
    words: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence without markers, its quotes, and the formula that its result comes of, "" for none."""

    text: str
    quotes: tuple[Quote, ...] = ()
    formula: str = ""


def claims_of(replies: Sequence[ClaimReply]) -> tuple[Claim, ...]:
    """The claims of a reply that say anything; markers that they bring are none of ours, and go."""
    found = (
        Claim(
            claim_text(one.text)[:LONGEST_CLAIM],
            tuple(Quote(each.source.strip("[] "), each.words) for each in one.quotes[:MOST_QUOTES]),
            one.formula.strip(),
        )
        for one in replies
    )
    return tuple(one for one in found if one.text)


def claim_text(text: str) -> str:
    """A claim without markers and marks of its own: ours alone say what holds it."""
    return " ".join(unmarked(_BEGINNING.sub("", without_markers(text))).split())
