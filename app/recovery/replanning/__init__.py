"""Whether the plan still fits a page that has become another."""

from app.recovery.replanning.deciding import by_model, signed_out_since
from app.recovery.replanning.triggers import noticed, reconsidering

__all__ = ["by_model", "noticed", "reconsidering", "signed_out_since"]
