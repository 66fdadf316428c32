"""What a press on a control of a page does, and what its place says of it."""

from app.engines.risk.assess import assess, is_grave, name_effect, question_effect
from app.engines.risk.lexicon import is_risky

__all__ = ["assess", "is_grave", "is_risky", "name_effect", "question_effect"]
