"""The documents that a message may be about."""

from app.chat.documents.library import Listing
from app.chat.documents.tiptap import TaggedMessage, parse_mentions

__all__ = ["Listing", "TaggedMessage", "parse_mentions"]
