"""The agent: one durable thread per task, in which a goal is planned and carried out."""

from app.agent.graph import build_graph
from app.agent.persistence.escalation import opinion_on_task
from app.agent.persistence.recipes import recipe_from_task
from app.agent.persistence.response import COST_DIGITS, hand_over_view, question_fields
from app.agent.request import InteractCall, body_hash
from app.agent.service import InteractService
from app.agent.takeover import pause_entry
from app.agent.task_access import find_task, require_visible, stop_task

__all__ = [
    "COST_DIGITS",
    "InteractCall",
    "InteractService",
    "body_hash",
    "build_graph",
    "find_task",
    "hand_over_view",
    "opinion_on_task",
    "pause_entry",
    "question_fields",
    "recipe_from_task",
    "require_visible",
    "stop_task",
]
