"""What a model says differs between sections, and whether it does."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, Field
from rapidfuzz import fuzz, process

from app.chat.actions.material import Material
from app.chat.actions.sections import Group
from app.chat.claims.certificate import CertifiedClaim, ClaimReply, claims_of
from app.chat.claims.formula import EXAMPLE
from app.chat.claims.proof import prove_claims
from app.chat.claims.sources import Sources
from app.chat.model_request import build_request, new_sections, shorten
from app.chat.tools import ActionRequest
from app.llm.port import Model, ModelRequest
from app.llm.prompt import PromptSections, join_sections

TEMPLATE = "comparing.v2"
PURPOSE = "compare"
MAX_OUTPUT = 6_000  # tokens
MOST_CHANGES = 40  # of one call
CALL_TOKENS = 8_000  # of passages in one call: of more a model overlooks some
LONGEST_MESSAGE = 1_000
LETTERS = "ABCDEF"
LIKE = 60.0  # of 100, from which on words may be on the same matter
Kind = Literal["changed", "added", "removed", "moved"]
NOT_OF_BOTH = "its words are the same in both documents"
STANDS_THERE = "its words stand in the other document as well"


class ChangeReply(ClaimReply):
    """One difference."""

    kind: Kind = "changed"


class ComparisonReply(BaseModel):
    """What a call found."""

    changes: list[ChangeReply] = Field(default_factory=list)
    language: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A difference that code certified; `doubt` is None where a second reading bears it."""

    kind: Kind
    certified: CertifiedClaim
    doubt: str | None = None


@dataclass(slots=True)
class Changes:
    """What holds, what nothing supports, and sentences for the person."""

    holding: list[Change] = field(default_factory=list)
    failed: list[CertifiedClaim] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


async def changes_of(
    groups: Sequence[Group],
    asked: ActionRequest,
    documents: Sequence[Sources],
    every: Sequence[Group],
    model: Model,
) -> Changes:
    """One call, one that repairs what fails, and the judge, which sees the nearest words, in `every` group,
    of a document that is said to be silent. Raises `ModelFailed` and `BudgetReached`.
    """
    reply = await model.ask(changes_request(groups, asked))
    given = [
        (one.kind, claim) for one in reply.changes[:MOST_CHANGES] for claim in claims_of([one])
    ]
    proof = await prove_claims(
        [claim for _, claim in given],
        Sources([one for group in groups for one in group.passages]),
        model,
        purpose=PURPOSE,
        material=lambda write: _material(write, groups),
        question="\n".join((asked.question, *_document_letters(asked))),
        language=reply.language,
        beside=lambda one: _nearest(one, every),
    )
    found = Changes(notices=list(proof.notices))
    for at, ((kind, _), one) in enumerate(zip(given, proof.claims, strict=True)):
        told, why = _kind(kind, one, asked, documents)
        if one.reason or why:
            found.failed.append(
                CertifiedClaim(claim=one.claim, spans=one.spans, reason=one.reason or why)
            )
        else:
            # That the same words stand elsewhere is seen by code, and shown by no quote.
            words = {span.words.casefold() for span in one.spans}
            sure = told == "moved" and len(words) == 1
            found.holding.append(Change(told, one, None if sure else proof.doubts.get(at)))
    return found


def changes_request(groups: Sequence[Group], asked: ActionRequest) -> ModelRequest[ComparisonReply]:
    write = new_sections()
    return build_request(
        TEMPLATE,
        ComparisonReply,
        [
            write.fenced_section("Documents", *_document_letters(asked)),
            _material(write, groups),
            write.trusted_section("Message", shorten(asked.plain.strip(), LONGEST_MESSAGE)),
        ],
        purpose=PURPOSE,
        max_output_tokens=MAX_OUTPUT,
        blanks={"changes": str(MOST_CHANGES), "formula": EXAMPLE},
    )


def _nearest(one: CertifiedClaim, groups: Sequence[Group]) -> str:
    """The most similar words of the other documents, for a claim on one of them; "" if there are none."""
    of = {span.evidence.document_id for span in one.spans}
    if len(of) != 1:
        return ""
    every = (section for group in groups for section in group.sections.values())
    lines = [line for one in every for line in one.lines if line.evidence.document_id not in of]
    words = " ".join(span.words for span in one.spans)
    found = process.extractOne(
        words, [line.words for line in lines], scorer=fuzz.token_set_ratio, score_cutoff=LIKE
    )
    if found is None:
        return ""
    near = lines[found[2]]
    return f"Told to be silent on it: {near.evidence.title}. Its nearest words: {near.words}"


def _document_letters(asked: ActionRequest) -> list[str]:
    return [f"{letter}: {one.title}" for letter, one in zip(LETTERS, asked.documents, strict=False)]


def _material(write: PromptSections, groups: Sequence[Group]) -> str:
    """Group by group, a fence per document, so that what belongs together stands together."""
    parts: list[str] = []
    for group in groups:
        for number, section in sorted(group.sections.items()):
            titled = [
                one.model_copy(update={"title": f"{LETTERS[number]}: {one.title}"})
                for one in section.passages
            ]
            parts.append(Material(evidence=titled).prompt(write))
    return join_sections(parts)


def _kind(
    told: Kind, one: CertifiedClaim, asked: ActionRequest, documents: Sequence[Sources]
) -> tuple[Kind, str]:
    """The kind of change that the quotes show, or why they show none. A document is silent, as far as code
    can tell, if the words do not stand in it.
    """
    numbers = {document.id: at for at, document in enumerate(asked.documents)}
    words: dict[int, list[str]] = {}
    for span in one.spans:
        words.setdefault(numbers[span.evidence.document_id], []).append(span.words)
    if len(words) > 1:
        if told == "moved":
            return told, ""
        texts = {" ".join(each).casefold() for each in words.values()}
        return "changed", NOT_OF_BOTH if len(texts) == 1 else ""
    kind: Kind = "added" if words and 0 not in words else "removed"
    silent = [one for at, one in enumerate(documents) if at not in words]
    there = any(
        all(source.find("", each) for each in quotes)
        for source in silent
        for quotes in words.values()
    )
    return kind, STANDS_THERE if there else ""
