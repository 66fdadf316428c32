"""Documents within documents: a message's attachments, the chapters of a book."""

import tempfile
from pathlib import Path

from app.errors import Unreadable
from knowledge.extract.kinds import finished, read_as, reader
from knowledge.extract.port import Extracted, Raw
from knowledge.extract.sniff import sniff


def read_bytes(data: bytes, name: str, declared: str | None = None) -> Extracted:
    """A document in a document, by what it is. Raises `Unreadable`."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        raw = Raw(path=Path(file.name), name=name, declared=declared)
        sniffed = sniff(raw)
        return finished(read_as(sniffed, raw), sniffed)


def read_html(data: bytes, declared: str | None = None) -> Extracted | None:
    """A page that is known to be one; None where nothing is on it. All of it is kept: it has no menus."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        raw = Raw(path=Path(file.name), declared=declared or "text/html", phase="initial")
        try:
            return reader("html")(raw)
        except Unreadable:
            return None
