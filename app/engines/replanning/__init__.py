"""Whether the plan still fits a page that has become another."""

from app.engines.replanning.deciding import Held, hold
from app.engines.replanning.recast import by_model
from app.engines.replanning.triggers import noticed, reconsidering

__all__ = ["Held", "by_model", "hold", "noticed", "reconsidering"]
