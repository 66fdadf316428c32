"""The action `summarize`."""

from app.chat.summarizing.summarize import summarize

__all__ = ["summarize"]
