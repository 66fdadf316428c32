"""Passages as the documents give them."""

from datetime import UTC, datetime

from app.domain.knowledge import Citation, Document, FoundPassage

THEN = datetime(2026, 11, 1, tzinfo=UTC)


def found_in(text: str, scope: str = "organization", phase: str | None = None) -> FoundPassage:
    """A passage of a document of that scope, captured in that phase if in any."""
    document = Document.model_validate(
        {
            "document_id": "d",
            "tenant": "t",
            "key": "k",
            "title": "Handbook",
            "source": "handbook.md",
        }
        | {"kind": "md", "scope": scope, "phase": phase, "created_at": THEN, "ingested_at": THEN}
    )
    place = Citation(label="Handbook", document_id="d", chunk_id="c", title="Handbook")
    return FoundPassage(text=text, score=0.9, document=document, citation=place, ingested_at=THEN)
