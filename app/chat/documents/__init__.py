"""The documents that a message may be about."""

from app.chat.documents.listing import Listing
from app.chat.documents.tiptap import Tagged, mentions_of

__all__ = ["Listing", "Tagged", "mentions_of"]
