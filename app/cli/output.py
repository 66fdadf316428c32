"""Escapes untrusted text for a terminal."""

from rich.text import Text

from app.logs import sanitize


def plain(name: str) -> Text:
    """Escape the text: no markup, no cursor movement."""
    return Text(sanitize(name))
