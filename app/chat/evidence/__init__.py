"""What an answer stands on: passages, their sentences, and claims that are checked against them."""

from app.chat.evidence.claims import Cited, Citing, Claim
from app.chat.evidence.markdown import cell, plain
from app.chat.evidence.passages import from_found, from_parts, from_web
from app.chat.evidence.support import supports

__all__ = [
    "Cited", "Citing", "Claim", "cell", "from_found", "from_parts", "from_web", "plain",
    "supports",
]  # fmt: skip
