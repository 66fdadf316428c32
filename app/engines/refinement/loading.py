"""A page, or a control of it, that is not there yet."""

from app.domain.action import action
from app.domain.plan import Proposal, Refinement
from app.engines.refinement.case import Case, act
from app.text import patterns

LOADING_MS = 1_000
DISABLED_MS = (1_000, 3_000)  # what is disabled at first is often so until its data came
PLACEHOLDERS_MS = (1_000, 3_000)  # after the client's own patience; what stays then is an ornament
LOADING_TEXT = 500  # characters of the summary in which a loading notice counts
LOADING = patterns.compile(r"\b(loading|please wait)\b", patterns.IGNORECASE)


def wait_while_disabled(case: Case, found: Refinement) -> Refinement | None:
    """A wait, twice a step, where the control that is to be acted on next is disabled."""
    target = found.proposals[0].action.target if found.proposals else None
    node = case.tree.get(target or "")
    if found.outcome != "act" or node is None or "disabled" not in node.states:
        return None
    waits = sum(deed.action.name == "wait" for deed in case.deeds)
    if waits >= len(DISABLED_MS) or found.proposals[0].action.name in ("hover", "scroll"):
        return None
    made = Proposal(
        action=action("wait", DISABLED_MS[waits]),
        description=f"Wait until '{node.name}' can be used",
        purpose="explore",
    )
    return act([made], f"'{node.name}' is disabled as yet.", confidence=0.8, completes=False)


def wait_while_loading(case: Case) -> Refinement | None:
    """A wait, once a step, while there is nothing on the page or it says that it loads; twice while
    the client says so.
    """
    if case.still_loading:
        return wait_for_placeholders(case)
    waited = any(deed.action.name == "wait" for deed in case.deeds)
    empty = not any(node.role != "txt" for node in case.tree)
    if waited or not (empty or LOADING.search(case.page.summary[:LOADING_TEXT])):
        return None
    return _wait(LOADING_MS)


def wait_for_placeholders(case: Case) -> Refinement | None:
    """A wait, twice a step, while the page shows placeholders in place of what may be looked for."""
    waits = sum(deed.action.name == "wait" for deed in case.deeds)
    if not case.still_loading or waits >= len(PLACEHOLDERS_MS):
        return None
    return _wait(PLACEHOLDERS_MS[waits])


def wait_before_concluding(case: Case, found: Refinement) -> Refinement | None:
    """That wait, where what was found rests on something not being on the page; None otherwise."""
    return wait_for_placeholders(case) if _rests_on_absence(case, found) else None


def _rests_on_absence(case: Case, found: Refinement) -> bool:
    """Whether what is still to come may make it untrue: nothing fits, or nothing fits best; a look
    elsewhere; nothing is left; what it was made to depend on is not there.
    """
    if found.outcome == "act":
        looks = {(one.purpose, one.action.name == "wait") for one in found.proposals}
        return looks == {("explore", False)}
    if found.outcome == "done":
        target = case.directive.target
        return target is not None and target.all
    return found.outcome in {"missing", "ambiguous"}


def _wait(ms: int) -> Refinement:
    made = Proposal(
        action=action("wait", ms), description="Wait for the page to load", purpose="explore"
    )
    return act([made], "The page is still loading.", confidence=0.8, completes=False)
