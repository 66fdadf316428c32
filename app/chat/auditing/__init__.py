"""The action `audit`."""

from app.chat.auditing.audit import audit

__all__ = ["audit"]
