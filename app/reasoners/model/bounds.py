"""How much is read of what a model says, and how much it is told. Lengths in characters."""

from app.engines.chain import LONGEST

MOST_ACTIONS = LONGEST  # of a reply: as many as a chain may hold
MOST_LISTED = 8  # texts to appear, fields to ask for, values to hand on
LONGEST_TEXT = 300  # of a step, a thought, a query
LONGEST_ANSWER = 2_000  # of what is said to the person
LONGEST_STRATEGY = 60

RAW_DEEDS = 10  # DESIGN, "Loops": the last 10 actions are kept raw, older ones as a summary
LONGEST_NOTE = 160
LONGEST_OLDER = 400
LONGEST_GOAL = 4_000
LONGEST_PAGE = 24_000  # about 8,000 tokens: the 90th percentile of measured pages is under 1,000
LONGEST_MARKUP = 60_000  # about 20,000 tokens (interact_flow, "Mode Selection": full mode)
LONGEST_SUMMARY = 1_500
LONGEST_SUMMARY_ASKED = 4_000  # all there is of it (CONTRACT), where a question is to be answered
LONGEST_EVIDENCE = 400  # of the page's text, for a critic who must be quick
LONGEST_CHANGE = 160  # of one change of the page, for a short question about it
MOST_CHANGES = 6
LONGEST_FOUND = 700  # of one search result or passage
MOST_FOUND = 5
MOST_REMEMBERED = 6  # lines of the conversation
LONGEST_REMEMBERED = 240
MOST_HINTS = 3
MOST_EPISODES = 3  # goals like this one, and what each of them taught
MOST_FACTS = 3
MOST_DECISIONS = 3
LONGEST_DECISION = 600  # of an operator on something similar, with why


def cut(text: str, longest: int) -> str:
    """The text on one line, no longer than that."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


_FILLERS = frozenset({"none", "n/a", "na", "null", "nil", "nothing", "no", "empty", "-", "."})


def meant(text: str, longest: int) -> str:
    """The text as `cut`; empty for what small models write where they should leave a key out."""
    line = cut(text, longest)
    return "" if line.casefold().strip("\"' ") in _FILLERS else line
