"""What can be checked after an action, written down before it; and the check."""

from app.planning.prediction.check import check
from app.planning.prediction.predict import merged, predict, scored

__all__ = ["check", "merged", "predict", "scored"]
