"""The action `compare`: what differs between documents, by section, with the words of each."""

from app.chat.comparison.comparison import compare

__all__ = ["compare"]
