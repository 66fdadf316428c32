"""The documents that a message may be about."""

from app.chat.documents.tiptap import TaggedMessage, parse_mentions
from app.chat.documents.titles import Listing

__all__ = ["Listing", "TaggedMessage", "parse_mentions"]
