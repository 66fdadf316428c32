"""Claims with what they cite, checked by code: a passage must hold it, or the claim goes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from app.chat.evidence.markdown import plain
from app.chat.evidence.reading import unmarked, without_markers
from app.chat.evidence.support import held_by
from app.domain.chat import ChatCitation, Evidence
from app.text import patterns

_BEGINNING = patterns.compile(r"^\s*(?:[-*+•]|#{1,6}|>|\d{1,3}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Cited:
    """A passage by its reference, and the words of it that hold the claim, "" where it names none."""

    ref: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that is said, without markers; `cites` is what it stands on."""

    text: str
    cites: tuple[Cited, ...] = ()


@dataclass(slots=True)
class Citing:
    """Checks the claims of one reply and numbers its citations: the same words of the same passage have one
    number. `dropped` counts the claims that nothing holds. Their texts are shown as they read, with no
    Markdown of their own; what is cited are the passage's own words around the quote.
    """

    evidence: Sequence[Evidence]
    citations: list[ChatCitation] = field(default_factory=list)
    dropped: int = 0

    def cited(self, claim: Claim) -> str | None:
        """The claim with its markers, as in "It is 25 days [1]"; None where no passage holds it."""
        text = said(claim.text)
        known = {one.ref: one for one in reversed(self.evidence)}
        markers: list[int] = []
        for cite in claim.cites:
            if cite.ref in known and text:
                held = held_by(text, cite.quote, known[cite.ref])
                markers += [] if held is None else [self._marker(known[cite.ref], held)]
        if not markers:
            self.dropped += 1
            return None
        return f"{plain(text)} {''.join(f'[{one}]' for one in dict.fromkeys(markers))}"

    def all(self, claims: Iterable[Claim]) -> list[str]:
        """Those that hold, with their markers."""
        return [text for claim in claims if (text := self.cited(claim)) is not None]

    def _marker(self, evidence: Evidence, quote: str) -> int:
        for one in self.citations:
            if (one.chunk_id, one.url, one.quote) == (evidence.chunk_id, evidence.url, quote):
                return one.marker
        marker = len(self.citations) + 1
        self.citations.append(_citation(marker, evidence, quote))
        return marker


def said(text: str) -> str:
    """A claim without markers and marks of its own: ours alone say what holds it."""
    return " ".join(unmarked(_BEGINNING.sub("", without_markers(text))).split())


def _citation(marker: int, evidence: Evidence, quote: str) -> ChatCitation:
    return ChatCitation(
        marker=marker,
        kind=evidence.kind,
        title=evidence.title,
        label=evidence.label,
        quote=quote,
        document_id=evidence.document_id,
        chunk_id=evidence.chunk_id,
        url=evidence.url,
        page=evidence.page,
        page_end=evidence.page_end,
        heading_path=evidence.heading_path,
        start=evidence.start,
        end=evidence.end,
    )
