"""Whether the plan still fits a page that has become another."""

from app.recovery.replanning.deciding import by_model, noticed, reconsidering, signed_out_since

__all__ = ["by_model", "noticed", "reconsidering", "signed_out_since"]
