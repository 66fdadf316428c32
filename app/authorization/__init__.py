"""Whether an action is allowed: the policy, and the effect of a control by a trained classifier."""

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
