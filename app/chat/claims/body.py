"""Renders an answer, also while a model writes it: its claims with citation markers and doubts."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from pydantic import ValidationError

from app.chat.claims.certificate import CertifiedClaim, Claim, ClaimReply, certify_claims, claims_of
from app.chat.claims.proof import Proof
from app.chat.claims.sources import Sources, SourceSpan
from app.chat.output.draft import Draft, DraftClaim, State
from app.chat.output.markdown import escape_markdown
from app.domain.chat import ChatCitation, ContestedClaim, Reply
from app.domain.knowledge import Confidence

DOUBTED = "*(?)*"  # language-independent, since answers are in the language of the question
SCORES: dict[Confidence, float] = {"high": 1.0, "medium": 0.75, "low": 0.5}  # of an answer
HIGH, MEDIUM = 0.85, 0.5  # minimum scores


@dataclass(slots=True)
class Markers:
    """Numbers citations. The same words of the same passage share a number."""

    citations: list[ChatCitation] = field(default_factory=list)

    def of(self, spans: Sequence[SourceSpan]) -> str:
        """The markers of these quotes, such as "[1][2]"."""
        return "".join(f"[{one.marker}]" for one in self.citations_of(spans))

    def quote(self, span: SourceSpan) -> str:
        return f"\u201c{escape_markdown(span.words)}\u201d {self.of([span])}"

    def citations_of(self, spans: Sequence[SourceSpan]) -> tuple[ChatCitation, ...]:
        markers = dict.fromkeys(map(self._marker, spans))
        return tuple(self.citations[one - 1] for one in markers)

    def _marker(self, span: SourceSpan) -> int:
        evidence = span.evidence
        for one in self.citations:
            if (one.chunk_id, one.url, one.quote) == (evidence.chunk_id, evidence.url, span.words):
                return one.marker
        shared = evidence.model_dump(
            include=ChatCitation.model_fields.keys() & type(evidence).model_fields.keys()
        )
        marker = len(self.citations) + 1
        own = {"marker": marker, "quote": span.words, "heading_path": span.path}
        if numbers := span.numbers:
            pages = dict(zip(("page", "page_end"), numbers, strict=True))
            own |= pages if evidence.page is not None else {"rows": numbers}
        self.citations.append(ChatCitation.model_validate(shared | own))
        return marker


def reply_of(proof: Proof, *, listed: bool) -> Reply:
    """The claims from documents, then those from the web, under their pages. `listed`: claims are list items.
    The text is "" if no claim holds; the action sets the confidence.
    """
    markers = Markers()
    own: list[str] = []
    web: dict[str, list[str]] = {}
    for at, one in enumerate(proof.claims):
        if one.reason:
            continue
        computed = f" ({escape_markdown(one.computed)})" if one.computed else ""
        doubted = f" {DOUBTED}" if at in proof.doubts else ""
        line = f"{escape_markdown(one.claim.text)}{computed} {markers.of(one.spans)}{doubted}"
        pages = [span.evidence.label for span in one.spans if span.evidence.kind == "web"]
        (web.setdefault(page_heading(pages), []) if pages else own).append(line)
    parts = [_join_lines(own, listed)]
    for heading, lines in web.items():
        parts += [heading, _join_lines(lines, listed)]
    doubts = ((proof.claims[at].claim.text, reason) for at, reason in proof.doubts.items())
    return Reply(
        text="\n\n".join(filter(None, parts)),
        citations=tuple(markers.citations),
        by_model=True,
        claims=len(proof.claims),
        doubts=tuple(ContestedClaim(text=text, reason=reason) for text, reason in doubts),
        doubted=len(proof.doubts),
        unsupported=contested_claims(proof.claims),
    )


def empty_reply(text: str, notices: Sequence[str] = ()) -> Reply:
    """A reply that says why there is no answer."""
    return Reply(text=text, confidence="low", score=0.0, notices=tuple(notices))


def confidence_of(score: float) -> Confidence:
    return "high" if score >= HIGH else "medium" if score >= MEDIUM else "low"


def page_heading(pages: Sequence[str]) -> str:
    return f"**{escape_markdown('; '.join(dict.fromkeys(pages)))}**"


def contested_claims(claims: Sequence[CertifiedClaim]) -> tuple[ContestedClaim, ...]:
    """The unsupported claims."""
    return tuple(
        ContestedClaim(text=one.claim.text, reason=one.reason) for one in claims if one.reason
    )


def _join_lines(lines: Sequence[str], listed: bool) -> str:
    return "\n".join(f"- {one}" for one in lines) if listed else " ".join(lines)


RESTARTED = "The model broke off its answer and starts over."


class DraftClaims:
    """Updates a draft with the claims of one answer, at most `limit`, checked against `sources`."""

    def __init__(self, draft: Draft, sources: Sources, *, question: str, limit: int) -> None:
        self._draft = draft
        self.sources = sources
        self._limit = limit
        # Each partial reply repeats the claims of the one before.
        self._certify = cache(partial(certify_claims, sources=sources, question=question))

    async def update(self, partial_reply: Mapping[str, Any]) -> None:
        """Show the `claims` of a partial reply. If no field follows them, the last one is incomplete."""
        replies = partial_reply.get("claims")
        if not partial_reply:
            await self._draft.restart(RESTARTED)
        if not isinstance(replies, list):
            return
        language = str(partial_reply.get("language", "")).partition("-")[0].casefold()
        complete = len(replies) - (list(partial_reply)[-1] == "claims")
        claims: list[CertifiedClaim | Claim] = []
        for at, reply in enumerate(replies):
            with suppress(ValidationError):  # it has no text yet
                for claim in claims_of([ClaimReply.model_validate(reply)]):
                    # The check of names depends on the language, so it waits for that.
                    is_ready = at < complete and language
                    claims.append(self._certify(claim, language=language) if is_ready else claim)
        await self.show(claims)

    async def show(self, claims: Sequence[CertifiedClaim | Claim]) -> None:
        """Show all claims, certified or not, before a model judges them."""
        markers = Markers()
        for number, one in enumerate(claims[: self._limit], 1):
            if isinstance(one, Claim):
                draft = DraftClaim(one.text)
            else:
                state: State = "unsupported" if one.reason else "cited"
                citations = () if one.reason else markers.citations_of(one.spans)
                draft = DraftClaim(one.claim.text, state, one.reason, citations)
            await self._draft.update_claim(number, draft)
