"""The action `compare`."""

from app.chat.comparing.compare import compare

__all__ = ["compare"]
