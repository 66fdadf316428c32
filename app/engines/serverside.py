"""Actions that never reach a browser: searching, reading, checking and ending are done here."""

from app.domain.action import Action, action
from app.domain.background import Background
from app.domain.page import Observation
from app.domain.plan import Proposal, Refinement
from app.engines.verification.claims import affirms, holds

SERVED = frozenset({"googleSearch", "extract", "verifySuccess", "finish", "fail"})
CLOSING = frozenset({"verifySuccess", "finish"})  # they speak of what the actions before them did
NOTHING = Background()
WAIT_MS = 1_000  # what an action that was done here is replaced by, where nothing else is left


def server_side(
    refinement: Refinement, page: Observation, background: Background = NOTHING
) -> Refinement:
    """The refinement with actions of the server as an outcome of their own.

    A chain goes to the browser up to the first such action. Where it begins with one: `googleSearch`
    is the outcome `search`, `extract` is `read`, `finish` and `fail` are themselves. What was
    searched or read already is passed over, and so is a `verifySuccess` that the page confirms;
    one that the page does not decide is read once, and `missing` when it does not hold. Where
    nothing is left after that, the outcome is a short wait, or `done` for what was confirmed.
    """
    if _is_known(refinement, background):
        return _nothing_left(refinement, "")
    if refinement.outcome != "act":
        return refinement
    confirmed = ""
    proposals = refinement.proposals
    while proposals and proposals[0].action.name in SERVED:
        called = proposals[0].action
        served = _served(called, refinement, page, background)
        if served is not None:
            return served
        confirmed = _argument(called) if called.name == "verifySuccess" else confirmed
        proposals = proposals[1:]
    if not proposals:
        return _nothing_left(refinement, confirmed)
    return _sent(refinement, proposals)


def _is_known(refinement: Refinement, background: Background) -> bool:
    """Whether it asks for what was searched or read already."""
    if refinement.outcome == "search":
        return _searched(refinement.query, background)
    return refinement.outcome == "read" and refinement.query in background.read


def _served(
    called: Action, refinement: Refinement, page: Observation, background: Background
) -> Refinement | None:
    """The outcome this action stands for; None when it is done and what follows it is next."""
    said = _argument(called)
    match called.name:
        case "finish" | "fail":
            return _ended(refinement, called.name, said)
        case "googleSearch":
            return None if _searched(said, background) else _asking(refinement, "search", said)
        case "extract":
            return None if said in background.read else _asking(refinement, "read", said)
        case _:
            return _checked(said, refinement, page, background)


def _ended(refinement: Refinement, name: str, said: str) -> Refinement:
    outcome = "finish" if name == "finish" else "fail"
    reason = said or refinement.reason or refinement.thought
    return refinement.model_copy(update={"outcome": outcome, "reason": reason, "proposals": ()})


def _asking(refinement: Refinement, outcome: str, query: str) -> Refinement:
    update = {"outcome": outcome, "query": query, "proposals": (), "completes_step": False}
    return refinement.model_copy(update=update)


def _searched(query: str, background: Background) -> bool:
    wanted = query.casefold().split()
    return any(
        wanted in (s.need.casefold().split(), s.query.casefold().split())
        for s in background.searches
    )


def _checked(
    what: str, refinement: Refinement, page: Observation, background: Background
) -> Refinement | None:
    shown, read = holds(what, page), background.read.get(what)
    if shown is None and read is None:
        return _asking(refinement, "read", what)
    if shown or (shown is None and affirms(read or "")):
        return None
    reason = f"The page does not show that this is so: {what}"
    reason = f"{reason} (it says: {read})" if read else reason
    update = {"outcome": "missing", "reason": reason, "proposals": (), "completes_step": False}
    return refinement.model_copy(update=update)


def _nothing_left(refinement: Refinement, confirmed: str) -> Refinement:
    if confirmed:
        reason = f"The page shows it: {confirmed}"
        return refinement.model_copy(update={"outcome": "done", "reason": reason, "proposals": ()})
    waiting = Proposal(action=action("wait", WAIT_MS), description="Wait a moment")
    update = {"outcome": "act", "proposals": (waiting,), "completes_step": False, "query": ""}
    return refinement.model_copy(update=update)


def _sent(refinement: Refinement, proposals: tuple[Proposal, ...]) -> Refinement:
    """The refinement with the proposals up to the first that is not for a browser."""
    at = next((i for i, p in enumerate(proposals) if p.action.name in SERVED), len(proposals))
    if at == len(refinement.proposals):
        return refinement
    closes = at == len(proposals) or proposals[at].action.name in CLOSING
    update = {"proposals": proposals[:at], "completes_step": refinement.completes_step and closes}
    return refinement.model_copy(update=update)


def _argument(called: Action) -> str:
    return str(next(iter(called.args.values()), "")).strip()
