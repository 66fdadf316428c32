"""What can be checked after an action, written down before it; and the check."""

from app.planning.prediction.check import check
from app.planning.prediction.predict import predict
from app.planning.prediction.score import scored
from app.planning.prediction.told import merged

__all__ = ["check", "merged", "predict", "scored"]
