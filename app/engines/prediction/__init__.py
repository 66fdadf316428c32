"""What can be checked after an action, written down before it; and the check."""

from app.engines.prediction.check import check
from app.engines.prediction.predict import predict
from app.engines.prediction.score import scored
from app.engines.prediction.told import merged

__all__ = ["check", "merged", "predict", "scored"]
