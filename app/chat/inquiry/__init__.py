"""The action `inquire`: a question, answered from the documents; without a model a search of them."""

from app.chat.inquiry.inquiry import inquire

__all__ = ["inquire"]
