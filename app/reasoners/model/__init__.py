"""The reasoner that asks a language model, one call per question."""

from app.reasoners.model.reasoner import ModelReasoner

__all__ = ["ModelReasoner"]
