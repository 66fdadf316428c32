"""Verifies actions by comparing the page before and after."""

from app.verification.evidence import EnteredValue, TaskHistory
from app.verification.readback import count_mentions, is_on, is_same_formatted, is_same_value
from app.verification.records import count_rows_naming, is_proper_name, mentions_name
from app.verification.server_actions import claim_holds, resolve_server_actions
from app.verification.tiers import (
    Stake,
    find_opinion_limits,
    required_tier,
    tokens_saved,
    weigh_opinion,
)
from app.verification.verdict import NEVER_BEGAN, NOT_REACHED, explain_not_reached, verify

__all__ = [
    "NEVER_BEGAN",
    "NOT_REACHED",
    "EnteredValue",
    "Stake",
    "TaskHistory",
    "claim_holds",
    "count_mentions",
    "count_rows_naming",
    "explain_not_reached",
    "find_opinion_limits",
    "is_on",
    "is_proper_name",
    "is_same_formatted",
    "is_same_value",
    "mentions_name",
    "required_tier",
    "resolve_server_actions",
    "tokens_saved",
    "verify",
    "weigh_opinion",
]
