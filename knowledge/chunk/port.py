"""What cutting a document gives."""

from app.domain.base import Value
from app.domain.knowledge import ChunkKind


class Piece(Value):
    """A chunk before it is stored: its text, and where it stands in the document's Markdown.

    A table's piece repeats the head of its columns, so `text` may hold more than what lies from `start`
    to `end`. Lengths in characters, `tokens` of the text.
    """

    chunk_id: str
    text: str
    heading_path: tuple[str, ...] = ()
    kind: ChunkKind = "prose"
    tokens: int = 0
    start: int = 0
    end: int = 0
    page: int | None = None
    page_end: int | None = None
    marks: tuple[tuple[int, int], ...] = ()
    containers: tuple[str, ...] = ()
