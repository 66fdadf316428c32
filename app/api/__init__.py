"""The HTTP edge: authenticates, validates and streams, and knows nothing of how goals are reached."""

from app.api.application import create_application
from app.api.deps import AppState
from app.api.problems import problem_document
from app.api.rate_limits import (
    WRONG_CODE_RATE,
    WRONG_KEY_RATE,
    AttemptLimiter,
    Limiter,
    RateWindows,
    configured_rates,
)
from app.api.shutdown import Shutdown

__all__ = [
    "WRONG_CODE_RATE",
    "WRONG_KEY_RATE",
    "AppState",
    "AttemptLimiter",
    "Limiter",
    "RateWindows",
    "Shutdown",
    "configured_rates",
    "create_application",
    "problem_document",
]
