"""A page that is not there yet."""

import re

from app.domain.action import action
from app.domain.plan import Proposal, Refinement
from app.engines.refinement.case import Case, act

LOADING_MS = 1_000
LOADING_TEXT = 500  # characters of the summary in which a loading notice counts
LOADING = re.compile(r"\b(loading|please wait)\b", re.I)


def wait_while_loading(case: Case) -> Refinement | None:
    """A wait, once a step, while there is nothing on the page or it says that it loads."""
    waited = any(deed.action.name == "wait" for deed in case.deeds)
    empty = not any(node.role != "txt" for node in case.tree)
    if waited or not (empty or LOADING.search(case.page.summary[:LOADING_TEXT])):
        return None
    made = Proposal(
        action=action("wait", LOADING_MS),
        description="Wait for the page to load",
        purpose="explore",
    )
    return act([made], "The page is still loading.", confidence=0.8, completes=False)
