"""Which documents a message is about."""

from app.chat.documents.asking import question_of
from app.chat.documents.listing import Listing
from app.chat.documents.resolving import chosen, documents_of, named
from app.chat.documents.tiptap import Tagged, mentions_of

__all__ = [
    "Listing", "Tagged", "chosen", "documents_of", "mentions_of", "named", "question_of",
]  # fmt: skip
