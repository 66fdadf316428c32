"""What the person wants done with the documents."""

from app.chat.intent.question import candidates_of, question_of
from app.chat.intent.recency import recent
from app.chat.intent.resolving import Understood, intent_of

__all__ = ["Understood", "candidates_of", "intent_of", "question_of", "recent"]
