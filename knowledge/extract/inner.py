"""Documents within documents: a message's attachments, the chapters of a book."""

from app.errors import Unreadable
from knowledge.extract.kinds import read, reader
from knowledge.extract.port import Extracted, Raw


def read_bytes(data: bytes, name: str, declared: str | None = None) -> Extracted:
    """A document in a document, by what it is. Raises `Unreadable`."""
    return read(Raw(data=data, name=name, declared=declared))


def read_html(data: bytes, declared: str | None = None) -> Extracted | None:
    """A page that is known to be one; None where nothing is on it. All of it is kept: it has no menus."""
    try:
        return reader("html")(Raw(data=data, declared=declared or "text/html", phase="initial"))
    except Unreadable:
        return None
