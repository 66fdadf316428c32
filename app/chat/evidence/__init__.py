"""What an answer stands on, and its text as Markdown that nobody else's marks get into."""

from app.chat.evidence.markdown import cell, plain
from app.chat.evidence.passages import from_found, from_parts, from_web

__all__ = ["cell", "from_found", "from_parts", "from_web", "plain"]
