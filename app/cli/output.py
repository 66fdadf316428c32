"""What somebody else named, as it may be written on a terminal."""

from rich.text import Text

from app.logs import sanitize


def plain(name: str) -> Text:
    """As it is written: it holds no markup, and moves no cursor."""
    return Text(sanitize(name))
