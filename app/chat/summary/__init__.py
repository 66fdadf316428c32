"""The action `summarize`: what matters of whole documents, each claim certified."""

from app.chat.summary.summary import summarize

__all__ = ["summarize"]
