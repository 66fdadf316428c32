"""The action `audit`: a text or a document held against rules, with the words that show each verdict."""

from app.chat.audit.audit import audit

__all__ = ["audit"]
