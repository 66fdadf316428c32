"""Reads DOC, PPT, RTF and MSG, the old Office formats, with sharepoint-to-text."""

from typing import TYPE_CHECKING

from app.errors import Unreadable
from knowledge.extract import markdown as md
from knowledge.extract.format_detection import detect_format
from knowledge.extract.markdown import SlideDeck, pipe_table
from knowledge.extract.port import Extracted, Raw

if TYPE_CHECKING:
    from sharepoint2text import ContentUnit

MOST_BYTES = 100_000_000


def read(raw: Raw) -> Extracted:
    from sharepoint2text import (  # noqa: PLC0415 - takes 0.2 s; only old files need it
        ExtractionError,
        ExtractionFileEncryptedError,
        read_bytes,
    )

    kind = detect_format(raw).format
    if len(raw.data) > MOST_BYTES:
        raise Unreadable("Old Office files over 100 MB are not supported.", "DOCUMENT_TOO_LARGE")
    try:
        documents = list(
            read_bytes(
                raw.data,
                extension=kind,
                ignore_images=True,
                include_attachments=False,
                max_file_size=0,
            )
        )
    except ExtractionFileEncryptedError:
        raise Unreadable("The file is password-protected.", "DOCUMENT_ENCRYPTED") from None
    except ExtractionError:
        raise Unreadable("The file is damaged or truncated.") from None
    units = [unit for document in documents for unit in document.units]
    title = next((one.metadata.title for one in documents if one.metadata.title), "") or ""
    if kind == "ppt":
        pages = SlideDeck()
        for number, unit in enumerate(units, 1):
            pages.add(number, unit.title or "", _blocks(unit))
        return pages.extracted(kind, title=title or pages.first_heading)
    blocks: list[str] = []
    for unit in units:
        path = [part for part in unit.heading_path if part.strip()]
        blocks += [md.heading_line(len(path), path[-1])] if path else []
        blocks += filter(None, _blocks(unit))
    return Extracted(markdown="\n\n".join(blocks), kind=kind, title=title)


def _blocks(unit: "ContentUnit") -> list[str]:
    tables = [
        pipe_table([["" if cell is None else str(cell) for cell in row] for row in one.rows])
        for one in unit.tables
    ]
    lines = [md.paragraph(line) for line in unit.text.replace("\r", "\n").split("\n")]
    return [*(line for line in lines if line), *tables]
