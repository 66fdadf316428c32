"""What a message asks for: the action, the documents, and the question as one that stands for itself."""

from app.chat.request.plain import resolve_chosen, resolve_named
from app.chat.request.questions import question_of_action, question_of_documents
from app.chat.request.resolver import Understood, understand_request

__all__ = [
    "Understood",
    "question_of_action",
    "question_of_documents",
    "resolve_chosen",
    "resolve_named",
    "understand_request",
]  # fmt: skip
