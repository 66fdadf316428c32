"""What a message asks for: the action, the documents, and the question as one that stands for itself."""

from app.chat.request.plain import chosen, named
from app.chat.request.questions import question_of_action, question_of_documents
from app.chat.request.resolver import Understood, understood

__all__ = [
    "Understood", "chosen", "named", "question_of_action", "question_of_documents", "understood",
]  # fmt: skip
