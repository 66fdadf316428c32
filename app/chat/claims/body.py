"""An answer as it is shown, also while a model writes it: its claims, with markers and what contests them."""

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

DOUBTED = "*(?)*"  # in no language: the answer is in that of the question
SCORES: dict[Confidence, float] = {"high": 1.0, "medium": 0.75, "low": 0.5}  # of an answer
SURE, UNSURE = 0.85, 0.5  # scores from which on confidence is high, and medium


@dataclass(slots=True)
class Markers:
    """Numbers citations: the same words of the same passage have one number."""

    citations: list[ChatCitation] = field(default_factory=list)

    def of(self, spans: Sequence[SourceSpan]) -> str:
        """The markers of these quotes, as in "[1][2]"."""
        return "".join(f"[{one.marker}]" for one in self.citations_of(spans))

    def quote(self, span: SourceSpan) -> str:
        return f"\u201c{escape_markdown(span.words)}\u201d {self.of([span])}"

    def citations_of(self, spans: Sequence[SourceSpan]) -> tuple[ChatCitation, ...]:
        markers = dict.fromkeys(map(self._marker, spans))
        return tuple(self.citations[one - 1] for one in markers)

    def _marker(self, span: SourceSpan) -> int:
        place = span.evidence
        for one in self.citations:
            if (one.chunk_id, one.url, one.quote) == (place.chunk_id, place.url, span.words):
                return one.marker
        shared = place.model_dump(
            include=ChatCitation.model_fields.keys() & type(place).model_fields.keys()
        )
        marker = len(self.citations) + 1
        own = {"marker": marker, "quote": span.words, "heading_path": span.path}
        if numbers := span.numbers:
            pages = dict(zip(("page", "page_end"), numbers, strict=True))
            own |= pages if place.page is not None else {"rows": numbers}
        self.citations.append(ChatCitation.model_validate(shared | own))
        return marker


def reply_of(proof: Proof, *, listed: bool) -> Reply:
    """What the documents say, then what the web says, under its pages; `listed`: claims are list items. The
    text is "" if no claim holds; the action says how sure it is.
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
    for head, lines in web.items():
        parts += [head, _join_lines(lines, listed)]
    doubts = ((proof.claims[at].claim.text, why) for at, why in proof.doubts.items())
    return Reply(
        text="\n\n".join(filter(None, parts)),
        citations=tuple(markers.citations),
        by_model=True,
        claims=len(proof.claims),
        doubts=tuple(ContestedClaim(text=text, reason=why) for text, why in doubts),
        doubted=len(proof.doubts),
        unsupported=contested_claims(proof.claims),
    )


def empty_reply(text: str, notices: Sequence[str] = ()) -> Reply:
    """A reply that only says why there is no answer."""
    return Reply(text=text, confidence="low", score=0.0, notices=tuple(notices))


def confidence_of(score: float) -> Confidence:
    return "high" if score >= SURE else "medium" if score >= UNSURE else "low"


def page_heading(pages: Sequence[str]) -> str:
    return f"**{escape_markdown('; '.join(dict.fromkeys(pages)))}**"


def contested_claims(claims: Sequence[CertifiedClaim]) -> tuple[ContestedClaim, ...]:
    """Those that nothing supports, each with its reason."""
    return tuple(
        ContestedClaim(text=one.claim.text, reason=one.reason) for one in claims if one.reason
    )


def _join_lines(lines: Sequence[str], listed: bool) -> str:
    return "\n".join(f"- {one}" for one in lines) if listed else " ".join(lines)


ANEW = "The model broke off, and begins its answer anew."


class DraftClaims:
    """Updates a draft with the claims of one answer, at most `most`, checked against `sources`."""

    def __init__(self, draft: Draft, sources: Sources, *, question: str, most: int) -> None:
        self._draft = draft
        self.sources = sources
        self._most = most
        # A claim comes again with each partial reply.
        self._certify = cache(partial(certify_claims, sources=sources, question=question))

    async def update(self, said: Mapping[str, Any]) -> None:
        """Take a partial reply with `claims`, the last of which is incomplete if nothing comes after it."""
        replies = said.get("claims")
        if not said:
            await self._draft.restart(ANEW)
        if not isinstance(replies, list):
            return
        language = str(said.get("language", "")).partition("-")[0].casefold()
        whole = len(replies) - (list(said)[-1] == "claims")
        shown: list[CertifiedClaim | Claim] = []
        for at, reply in enumerate(replies):
            with suppress(ValidationError):  # it says nothing yet
                for claim in claims_of([ClaimReply.model_validate(reply)]):
                    # Which names are looked for depends on the language: until then nothing is refused.
                    known = at < whole and language
                    shown.append(self._certify(claim, language=language) if known else claim)
        await self.show(shown)

    async def show(self, shown: Sequence[CertifiedClaim | Claim]) -> None:
        """Show all claims, certified or not yet; a model has not judged them."""
        markers = Markers()
        for number, one in enumerate(shown[: self._most], 1):
            if isinstance(one, Claim):
                draft = DraftClaim(one.text)
            else:
                state: State = "unsupported" if one.reason else "cited"
                cited = () if one.reason else markers.citations_of(one.spans)
                draft = DraftClaim(one.claim.text, state, one.reason, cited)
            await self._draft.update_claim(number, draft)
