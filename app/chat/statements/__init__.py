"""What sentences state, so that two of them can be held against each other without a model."""

from app.chat.statements.amounts import Amount, differing, same_kind
from app.chat.statements.held import Held, Opened, marked, opened, quoted, shortened
from app.chat.statements.likeness import Likeness, mutual
from app.chat.statements.measuring import amounts_of
from app.chat.statements.reading import Statement, read, statements_of
from app.chat.statements.relating import Relation, related

__all__ = [
    "Amount", "Held", "Likeness", "Opened", "Relation", "Statement", "amounts_of", "differing", "marked",
    "mutual", "opened", "quoted", "read", "related", "same_kind", "shortened", "statements_of",
]  # fmt: skip
