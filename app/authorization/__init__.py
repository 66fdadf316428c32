"""Whether an action is allowed: the policy, and the effect of a control by a trained classifier."""

from app.authorization.classifier import EFFECTS, Effect, Judgement, classify_press
from app.authorization.features import Features, features_of
from app.authorization.policy import Act, Decision, Ruling, is_doubtful, rule_act

__all__ = [
    "EFFECTS",
    "Act",
    "Decision",
    "Effect",
    "Features",
    "Judgement",
    "Ruling",
    "classify_press",
    "features_of",
    "is_doubtful",
    "rule_act",
]
