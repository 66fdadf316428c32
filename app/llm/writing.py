"""The parts of one prompt: what the person said as it is, all else in the fence."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.llm.fence import fence, without_tags


@dataclass(frozen=True, slots=True)
class Writing:
    """Puts the parts of one prompt together; `tag` is that of its fences."""

    tag: str

    def trusted(self, heading: str, text: str) -> str:
        """A part in the person's own words; a tag in them would still break the fence."""
        return f"{heading}: {without_tags(text, self.tag)}" if text else ""

    def fenced(self, heading: str, *parts: str) -> str:
        """A part that nobody vouches for, under a heading of ours; nothing when it is empty."""
        text = "\n".join(filter(None, parts))
        return f"{heading}:\n{fence(text, self.tag)}" if text.strip() else ""


def joined(parts: Iterable[str]) -> str:
    """The parts that hold anything, one after another."""
    return "\n".join(filter(None, parts))
