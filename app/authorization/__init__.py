"""Decides whether an action is allowed, by a policy and a trained classifier of effects."""

from app.authorization.assessment import assess_effect, is_grave, name_effect, question_effect
from app.authorization.features import surrounding_sentences
from app.authorization.policy import Act, Ruling, is_doubtful, rule_act

__all__ = [
    "Act",
    "Ruling",
    "assess_effect",
    "is_doubtful",
    "is_grave",
    "name_effect",
    "question_effect",
    "rule_act",
    "surrounding_sentences",
]
