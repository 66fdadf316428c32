"""Builds Markdown slide by slide."""

from dataclasses import dataclass, field

from app.errors import Unreadable
from knowledge.extract import markdown as md
from knowledge.extract.port import Extracted, PageStart


@dataclass(slots=True)
class SlideDeck:
    """Collects slides, each with a heading, and their offsets."""

    first_heading: str = ""
    _parts: list[str] = field(default_factory=list)
    _starts: list[PageStart] = field(default_factory=list)
    _length: int = 0
    _words: bool = False

    def add(self, number: int, title: str, blocks: list[str]) -> None:
        """Add a slide with its title and Markdown blocks; any of them may be empty."""
        self.first_heading = self.first_heading or " ".join(title.split())
        full = [block for block in blocks if block]
        self._words = self._words or bool(full or title.strip())
        text = "\n\n".join([md.heading(2, title) or f"## Slide {number}", *full])
        if self._parts:
            self._length += 2
        self._starts.append(PageStart(number=number, start=self._length))
        self._parts.append(text)
        self._length += len(text)

    def extracted(self, kind: str, title: str, notes: tuple[str, ...] = ()) -> Extracted:
        """Build the document. Raises `Unreadable` if no slide has text."""
        if not self._words:
            raise Unreadable("The slides have only images and no text.", "DOCUMENT_PICTURES_ONLY")
        return Extracted(
            markdown="\n\n".join(self._parts),
            kind=kind,
            title=title,
            pages=tuple(self._starts),
            notes=notes,
        )
