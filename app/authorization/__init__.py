"""What a press may do: the effect of a control as a trained classifier sees it."""

from app.authorization.classifier import EFFECTS, Effect, Judgement, classify
from app.authorization.features import Features, features_of

__all__ = ["EFFECTS", "Effect", "Features", "Judgement", "classify", "features_of"]
