"""An answer as it is shown: its claims with their markers, what is doubted, and what nothing supports."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.chat.claims.certificate import Certified
from app.chat.claims.proof import Proof
from app.chat.claims.sources import Held
from app.chat.evidence.markdown import plain
from app.domain.chat import ChatCitation

UNSUPPORTED = "Not supported by the documents"
FROM_THE_WEB = "From the web"
DOUBTED = "*(doubted)*"
DOUBTS = "A second reading doubts that the quoted words say all of what is marked as doubted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """Markdown, with the citations of its markers; `own` and `web` tell whether claims stand on documents and
    on pages of the web. `doubted` and `dropped` are counts, of `claims` in all.
    """

    text: str
    citations: tuple[ChatCitation, ...]
    own: bool
    web: bool
    claims: int
    doubted: int
    dropped: int


@dataclass(slots=True)
class Markers:
    """Numbers citations: the same words of the same passage have one number."""

    citations: list[ChatCitation] = field(default_factory=list)

    def of(self, held: Sequence[Held]) -> str:
        """The markers of these quotes, as in "[1][2]"."""
        return "".join(f"[{one.marker}]" for one in self.cited(held))

    def cited(self, held: Sequence[Held]) -> tuple[ChatCitation, ...]:
        """The citations of these quotes, each once."""
        markers = dict.fromkeys(map(self._marker, held))
        return tuple(self.citations[one - 1] for one in markers)

    def _marker(self, held: Held) -> int:
        place = held.evidence
        for one in self.citations:
            if (one.chunk_id, one.url, one.quote) == (place.chunk_id, place.url, held.words):
                return one.marker
        shared = place.model_dump(
            include=ChatCitation.model_fields.keys() & type(place).model_fields.keys()
        )
        marker = len(self.citations) + 1
        own = {"marker": marker, "quote": held.words, "heading_path": held.path}
        if numbers := held.numbers:
            paged = place.page is not None
            own |= (
                dict(zip(("page", "page_end"), numbers, strict=True))
                if paged
                else {"rows": numbers}
            )
        self.citations.append(ChatCitation.model_validate(shared | own))
        return marker


def body_of(proof: Proof, *, listed: bool = False) -> Body:
    """What the documents say, what the web says, and struck out what nothing supports; `listed`: each claim
    is an item of a list.
    """
    markers = Markers()
    own: list[str] = []
    web: list[str] = []
    struck: list[Certified] = []
    for at, one in enumerate(proof.claims):
        said = plain(one.claim.text)
        if one.reason:
            struck.append(one)
            continue
        computed = f" (computed: {plain(one.computed)})" if one.computed else ""
        doubted = f" {DOUBTED}" if at in proof.doubts else ""
        line = f"{said}{computed} {markers.of(one.held)}{doubted}"
        kinds = {held.evidence.kind for held in one.held}
        (web if kinds == {"web"} else own).append(line)
    parts = [_told(own, listed)]
    if web:
        parts += [f"**{FROM_THE_WEB}**", _told(web, listed)]
    if proof.doubts:
        whys = "; ".join(dict.fromkeys(plain(one) for one in proof.doubts.values() if one))
        parts.append(f"{DOUBTS}: {whys}." if whys else f"{DOUBTS}.")
    parts.append(unsupported(struck))
    return Body(
        text="\n\n".join(filter(None, parts)),
        citations=tuple(markers.citations),
        own=bool(own),
        web=bool(web),
        claims=len(proof.claims),
        doubted=len(proof.doubts),
        dropped=len(struck),
    )


def unsupported(failed: Sequence[Certified]) -> str:
    """What nothing supports, struck out, each with its reason; "" for none."""
    lines = [f"- ~~{plain(one.claim.text)}~~ ({plain(one.reason)})" for one in failed]
    return "\n\n".join((f"### {UNSUPPORTED}", "\n".join(lines))) if lines else ""


def _told(lines: Sequence[str], listed: bool) -> str:
    return "\n".join(f"- {one}" for one in lines) if listed else " ".join(lines)
