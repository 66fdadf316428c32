"""Actions that never reach a browser: searching, reading, checking and ending are done here."""

from itertools import takewhile

from app.domain.action import LOOKUPS, Action, action
from app.domain.background import Background
from app.domain.page import Observation
from app.domain.plan import Decision, Proposal
from app.verification.claims import affirms, holds

SERVED = LOOKUPS | {"googleSearch", "extract", "verifySuccess", "finish", "fail"}
CLOSING = frozenset({"verifySuccess", "finish"})  # they speak of what the actions before them did
NOTHING = Background()
WAIT_MS = 1_000  # what an action that was done here is replaced by, where nothing else is left


def server_side(
    refinement: Decision, page: Observation, background: Background = NOTHING
) -> Decision:
    """The refinement with actions of the server as an outcome of their own.

    A chain goes to the browser up to the first such action. Where it begins with one: `googleSearch`
    is the outcome `search`, `extract` is `read`, as is what is looked up, all of it that stands
    together; `finish` and `fail` are themselves. What was
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
        if called.name in LOOKUPS:
            asked = takewhile(lambda one: one.name in LOOKUPS, (one.action for one in proposals))
            return _kept_on_page(refinement, outcome="read", lookups=tuple(asked))
        served = _served(called, refinement, page, background)
        if served is not None:
            return served
        confirmed = _argument(called) if called.name == "verifySuccess" else confirmed
        proposals = proposals[1:]
    if not proposals:
        return _nothing_left(refinement, confirmed)
    return _sent(refinement, proposals)


def _is_known(refinement: Decision, background: Background) -> bool:
    """Whether it asks for what was searched or read already."""
    if refinement.outcome == "search":
        return _searched(refinement.query, background)
    return refinement.outcome == "read" and refinement.query in background.extracts


def _served(
    called: Action, refinement: Decision, page: Observation, background: Background
) -> Decision | None:
    """The outcome this action stands for; None when it is done and what follows it is next."""
    said = _argument(called)
    match called.name:
        case "finish" | "fail":
            reason = said or refinement.reason or refinement.thought
            ended = {"outcome": called.name, "reason": reason, "proposals": ()}
            return refinement.model_copy(update=ended)
        case "googleSearch":
            known = _searched(said, background)
            return None if known else _kept_on_page(refinement, outcome="search", query=said)
        case "extract":
            known = said in background.extracts
            return None if known else _kept_on_page(refinement, outcome="read", query=said)
    shown, read = holds(said, page), background.extracts.get(said)
    if shown is None and read is None:
        return _kept_on_page(refinement, outcome="read", query=said)
    if shown or (shown is None and affirms(read or "")):
        return None
    why = f"The page does not show that this is so: {said}"
    return _kept_on_page(
        refinement, outcome="missing", reason=f"{why} (it says: {read})" if read else why
    )


def _kept_on_page(refinement: Decision, **update: object) -> Decision:
    """The refinement without its proposals, which does not complete the step."""
    return refinement.model_copy(update={"proposals": (), "completes_step": False, **update})


def _searched(query: str, background: Background) -> bool:
    wanted = query.casefold().split()
    known = (one for s in background.searches for one in (s.need, s.query))
    return any(wanted == one.casefold().split() for one in known)


def _nothing_left(refinement: Decision, confirmed: str) -> Decision:
    if confirmed:
        reason = f"The page shows it: {confirmed}"
        return refinement.model_copy(update={"outcome": "done", "reason": reason, "proposals": ()})
    waiting = Proposal(action=action("wait", WAIT_MS), description="Wait a moment")
    return _kept_on_page(refinement, outcome="act", proposals=(waiting,), query="")


def _sent(refinement: Decision, proposals: tuple[Proposal, ...]) -> Decision:
    """The refinement with the proposals up to the first that is not for a browser."""
    at = next((i for i, p in enumerate(proposals) if p.action.name in SERVED), len(proposals))
    if at == len(refinement.proposals):
        return refinement
    closes = at == len(proposals) or proposals[at].action.name in CLOSING
    update = {"proposals": proposals[:at], "completes_step": refinement.completes_step and closes}
    return refinement.model_copy(update=update)


def _argument(called: Action) -> str:
    return str(next(iter(called.args.values()), "")).strip()
