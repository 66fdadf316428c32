"""Limits on a model's replies and prompts. Lengths are in characters."""

import math

from app.plans import LONGEST

MOST_STEPS = 20  # each is a whole chain; more work belongs in sub-tasks
MOST_SUBTASKS = 8  # with 20 steps each, far beyond the 50 chains of one task
MOST_CONTINGENCIES = 5
MOST_ACTIONS = LONGEST  # per reply, as many as a chain may hold
MOST_LISTED = 8  # expected texts, requested fields, outputs
LONGEST_TEXT = 300  # of a step, a thought, a query
LONGEST_ANSWER = 2_000  # of a reply to the person
LONGEST_STRATEGY = 60
LONGEST_GOAL = 4_000
LONGEST_NOTE = 160
LONGEST_SUMMARY = 1_500  # of the page's text
LONGEST_SUMMARY_ASKED = 4_000  # all of it (CONTRACT), to answer a question
LONGEST_EVIDENCE = 400  # of the page's text, for the critic
MOST_CHANGES = 6  # of the page, in a short question

_FILLERS = frozenset({"none", "n/a", "na", "null", "nil", "nothing", "no", "empty", "-", "."})


def cut_line(text: str, longest: int = LONGEST_TEXT) -> str:
    """Return the text on one line, cut to that length."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def meaningful_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """Return the cut text; empty for fillers that small models write instead of omitting a key."""
    line = cut_line(text, longest)
    return "" if line.casefold().strip("\"' ") in _FILLERS else line


def parse_confidence(sure: float) -> float:
    """Return a confidence in 0..1; percents are converted."""
    if not math.isfinite(sure):
        return 0.0
    return min(max(sure / 100 if sure > 1 else sure, 0.0), 1.0)
