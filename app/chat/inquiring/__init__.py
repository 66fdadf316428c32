"""The action `inquire`: a question, answered from passages."""

from app.chat.inquiring.found import Retrieved
from app.chat.inquiring.inquire import inquire
from app.chat.inquiring.retrieving import retrieved

__all__ = ["Retrieved", "inquire", "retrieved"]
