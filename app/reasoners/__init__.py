"""Decides the next step: rules for explicit commands, a model for the rest, and a router between them."""

from app.reasoners.model import ModelReasoner
from app.reasoners.router import Router
from app.reasoners.rules import RuleReasoner, run_in_threads

__all__ = ["ModelReasoner", "Router", "RuleReasoner", "run_in_threads"]
