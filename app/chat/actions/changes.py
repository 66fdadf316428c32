"""The differences between sections that a model reports, checked by code."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
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
MOST_CHANGES = 40  # per call
CALL_TOKENS = 8_000  # of passages per call; with more, a model overlooks some
LONGEST_MESSAGE = 1_000
LETTERS = "ABCDEF"
SIMILAR = 60.0  # of 100; words this similar may be about the same matter
Kind = Literal["changed", "added", "removed", "moved"]
SAME_WORDS = "its words are the same in both documents"
IN_OTHER = "its words are in the other document as well"


class ChangeReply(ClaimReply):
    """One difference, as the model reports it."""

    kind: Kind = "changed"


class ComparisonReply(BaseModel):
    """The model's reply: the differences between sections."""

    changes: list[ChangeReply] = Field(default_factory=list)
    language: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A certified difference; `doubt` is None if the second check confirms it."""

    kind: Kind
    certified: CertifiedClaim
    doubt: str | None = None


@dataclass(slots=True)
class Changes:
    """Certified differences, and claims that failed. `notices` are sentences for the person."""

    certified: list[Change] = field(default_factory=list)
    failed: list[CertifiedClaim] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


async def find_changes(
    groups: Sequence[Group],
    request: ActionRequest,
    documents: Sequence[Sources],
    all_groups: Sequence[Group],
    model: Model,
) -> Changes:
    """Find and prove the differences in `groups`. If a document is said to lack something, the judge sees its
    most similar words in any group. Raises `ModelFailed` and `BudgetReached`.
    """
    reply = await model.ask(changes_request(groups, request))
    claims = [
        (one.kind, claim) for one in reply.changes[:MOST_CHANGES] for claim in claims_of([one])
    ]
    proof = await prove_claims(
        [claim for _, claim in claims],
        Sources([one for group in groups for one in group.passages]),
        model,
        purpose=PURPOSE,
        material=lambda write: _material(write, groups),
        question="\n".join((request.question, *_document_letters(request))),
        language=reply.language,
        context_of=lambda claim: _nearest_words(claim, all_groups),
    )
    found = Changes(notices=list(proof.notices))
    for at, ((claimed, _), claim) in enumerate(zip(claims, proof.claims, strict=True)):
        kind, why = _check_kind(claimed, claim, request, documents)
        if claim.reason or why:
            found.failed.append(replace(claim, reason=claim.reason or why, computed=""))
        else:
            # Code sees that the same words moved, which the judge cannot tell from the quotes.
            words = {span.words.casefold() for span in claim.spans}
            is_proven = kind == "moved" and len(words) == 1
            doubt = None if is_proven else proof.doubts.get(at)
            found.certified.append(Change(kind, claim, doubt))
    return found


def changes_request(
    groups: Sequence[Group], request: ActionRequest
) -> ModelRequest[ComparisonReply]:
    write = new_sections()
    return build_request(
        TEMPLATE,
        ComparisonReply,
        [
            write.fenced_section("Documents", *_document_letters(request)),
            _material(write, groups),
            write.trusted_section("Message", shorten(request.plain.strip(), LONGEST_MESSAGE)),
        ],
        purpose=PURPOSE,
        max_output_tokens=MAX_OUTPUT,
        blanks={"changes": str(MOST_CHANGES), "formula": EXAMPLE},
    )


def _nearest_words(claim: CertifiedClaim, groups: Sequence[Group]) -> str:
    """For a claim about one document, the most similar words of the others; "" if there are none."""
    documents = {span.evidence.document_id for span in claim.spans}
    if len(documents) != 1:
        return ""
    sections = (section for group in groups for section in group.sections.values())
    lines = [
        line
        for section in sections
        for line in section.lines
        if line.evidence.document_id not in documents
    ]
    words = " ".join(span.words for span in claim.spans)
    found = process.extractOne(
        words, [line.words for line in lines], scorer=fuzz.token_set_ratio, score_cutoff=SIMILAR
    )
    if found is None:
        return ""
    nearest = lines[found[2]]
    return f"Told to be silent on it: {nearest.evidence.title}. Its nearest words: {nearest.words}"


def _document_letters(request: ActionRequest) -> list[str]:
    return [
        f"{letter}: {one.title}" for letter, one in zip(LETTERS, request.documents, strict=False)
    ]


def _material(write: PromptSections, groups: Sequence[Group]) -> str:
    """The groups in order, with one fence per document in each."""
    parts: list[str] = []
    for group in groups:
        for number, section in sorted(group.sections.items()):
            titled = [
                one.model_copy(update={"title": f"{LETTERS[number]}: {one.title}"})
                for one in section.passages
            ]
            parts.append(Material(evidence=titled).prompt(write))
    return join_sections(parts)


def _check_kind(
    claimed: Kind, claim: CertifiedClaim, request: ActionRequest, documents: Sequence[Sources]
) -> tuple[Kind, str]:
    """The kind of change that the quotes show, and the reason if they show none. Words are added or removed
    if they are not found in the other documents.
    """
    numbers = {document.id: at for at, document in enumerate(request.documents)}
    words: dict[int, list[str]] = {}
    for span in claim.spans:
        words.setdefault(numbers[span.evidence.document_id], []).append(span.words)
    if len(words) > 1:
        if claimed == "moved":
            return claimed, ""
        texts = {" ".join(quotes).casefold() for quotes in words.values()}
        return "changed", SAME_WORDS if len(texts) == 1 else ""
    kind: Kind = "added" if words and 0 not in words else "removed"
    others = [document for at, document in enumerate(documents) if at not in words]
    is_in_other = any(
        all(document.find("", quote) for quote in quotes)
        for document in others
        for quotes in words.values()
    )
    return kind, IN_OTHER if is_in_other else ""
