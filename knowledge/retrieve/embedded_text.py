"""What of a chunk becomes its vector."""

from app.domain.knowledge import Chunk


def embedded_text(chunk: Chunk) -> str:
    """The headings above it and its text: a chunk of the same id has the same vector."""
    return (
        "\n".join((" > ".join(chunk.heading_path), chunk.text))
        if chunk.heading_path
        else chunk.text
    )
