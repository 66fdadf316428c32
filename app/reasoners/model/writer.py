"""The parts of one prompt, with what must not leave this machine veiled."""

from dataclasses import dataclass

from app.llm.writing import Writing, joined
from app.reasoners.model.veil import Veil

__all__ = ["Writer", "joined"]


@dataclass(frozen=True, slots=True)
class Writer:
    """Puts the parts of one prompt together: what is trusted as it is, all else in the fence."""

    tag: str
    veil: Veil = Veil()

    def trusted(self, heading: str, text: str) -> str:
        """A part in the person's own words; a tag in them would still break the fence."""
        return Writing(self.tag).trusted(heading, self.veil.hide(text)) if text else ""

    def fenced(self, heading: str, *parts: str, keep_ids: bool = False) -> str:
        """A part that nobody vouches for, under a heading of ours; nothing when it is empty."""
        text = self.veil.hide("\n".join(filter(None, parts)), keep_ids=keep_ids)
        return Writing(self.tag).fenced(heading, text)
