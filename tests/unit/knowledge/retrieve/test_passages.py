"""Joining adjacent passages."""

from datetime import UTC, datetime

from app.domain.knowledge import Chunk, Document
from knowledge.retrieve.passages import Passage, join_neighbours

NOW = datetime(2026, 1, 1, tzinfo=UTC)
DOCUMENT = Document(
    document_id="d", tenant="t", key="k", title="Guide", source="", kind="md",
    created_at=NOW, ingested_at=NOW,
)  # fmt: skip


def passage(at: int, text: str, *headings: str, score: float = 0.5) -> Passage:
    chunk = Chunk(
        chunk_id=f"c{at}", tenant="t", document_id="d", text=text, heading_path=headings,
        created_at=NOW,
    )  # fmt: skip
    return Passage(
        chunk=chunk, document=DOCUMENT, text=text, headings=headings, score=score,
        chunks=(chunk.chunk_id,), ordinals=(at, at), start=at * 100, end=at * 100 + 90,
        page=None, page_end=None,
    )  # fmt: skip


def test_each_part_of_two_sections_is_under_its_own_headings():
    (one,) = join_neighbours(
        [
            passage(1, "Press Pay.", "Guide", "Usage", score=0.9),
            passage(0, "Set an account.", "Guide", "Configuration"),
        ]
    )
    assert one.headings == ("Guide",)
    assert one.text == "## Configuration\n\nSet an account.\n\n## Usage\n\nPress Pay."


def test_parts_of_one_section_need_no_heading():
    (one,) = join_neighbours(
        [passage(0, "First.", "Guide", "Usage"), passage(1, "Then.", "Guide", "Usage")]
    )
    assert one.headings == ("Guide", "Usage")
    assert one.text == "First.\n\nThen."


def test_a_section_below_the_other_brings_what_it_has_more():
    (one,) = join_neighbours(
        [passage(0, "All.", "Guide"), passage(1, "Some.", "Guide", "Usage", "By mail")]
    )
    assert one.headings == ("Guide",)
    assert one.text == "All.\n\n## Usage\n\n### By mail\n\nSome."
