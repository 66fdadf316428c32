"""How often a page may be looked at in other ways, and things looked up, before what is known must do."""

from app.domain.plan import Decision
from app.domain.reasoner import Situation
from app.planning.analysis import MOST_QUESTIONS, search_of

MOST_LOOKUPS = 3  # looks, searches and readings since the last action


def overdone(refinement: Decision, situation: Situation, *, lookups: int, asked: int) -> str | None:
    """Why the refinement is not to be followed, as its reasoner is told; None when it is."""
    query = refinement.query
    match refinement.outcome:
        case "look" | "search" | "read" if lookups >= MOST_LOOKUPS:
            return "Enough was looked up for now. Do with what is known, ask, or fail."
        case "search" if search_of(situation, query) is not None:
            return (
                f"'{query}' was searched already; what came of it is known. Do with that, or ask."
            )
        case "read" if query in situation.background.read:
            return f"'{query}' was read from the page already. Do with that."
        case "ask" if asked >= MOST_QUESTIONS:
            return "The person was asked often enough. Do with what is known, or fail."
    return None
