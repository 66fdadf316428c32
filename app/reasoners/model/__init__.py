"""The reasoner that asks a language model: one call for each question of the port."""

from app.reasoners.model.reasoner import ModelReasoner

__all__ = ["ModelReasoner"]
