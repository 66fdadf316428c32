"""What was entered is entered again, after a page whose session was over came back without it."""

from collections.abc import Iterator

from app.domain.plan import Plan, Refinement
from app.engines.correction.case import Case, with_plan
from app.engines.reasoner import Situation
from app.engines.recovery.turned_away import TURNED_AWAY, nothing_kept
from app.engines.replanning.harmless import ENTERING, is_harmless
from app.engines.replanning.recast import again_from
from app.engines.risk.controls import ENTRIES

FILL_AGAIN = "fill in again"


def to_fill_again(situation: Situation) -> Iterator[Plan]:
    """The plan with what is left begun at an earlier step, best first; none where that could hand in
    twice.

    The page must have said that it did not take what was handed in, and show nothing of it; once in a
    task. The first step that enters something comes first, and what leads there after that, from the
    last on.
    """
    deeds, plan = situation.deeds, situation.plan
    here = tuple(deed for deed in deeds if deed.step == plan.current)
    refused = next((d for d in reversed(here) if d.action.name != "wait"), None)
    if refused is None or (refused.error, refused.status) != (TURNED_AWAY, "failure"):
        return
    if any(deed.strategy == FILL_AGAIN for deed in deeds):
        return
    if _may_be_sent(situation) or not nothing_kept(deeds, situation.page):
        return
    steps = list(enumerate(plan.steps[: plan.current]))
    enters = [at for at, step in steps if step.directive and step.directive.verb in ENTERING]
    leads = [at for at, step in reversed(steps) if is_harmless(step) and at not in enters]
    for at in (*enters, *leads):
        yield again_from(plan, at)


def _may_be_sent(situation: Situation) -> bool:
    """Whether something is not known of, or something that cannot be undone was done, on the way."""
    return any(
        deed.status == "unknown" and Case(deed=deed, page=situation.page, here=()).is_submit
        for deed in situation.deeds
    )


def filled_again(found: Refinement, plan: Plan, situation: Situation) -> Refinement | None:
    """The first thing to do of such a plan, as a correction; None where the page has no room for it."""
    acts = found.outcome == "act" and found.proposals
    if not acts or any(one.purpose == "explore" for one in found.proposals):
        return None
    enters = [situation.page.tree.get(one.action.target or "") for one in found.proposals]
    if any(
        node is not None and node.role in ENTRIES and "disabled" in node.states for node in enters
    ):
        return None
    thought = "The session was over and nothing was taken: it is filled in again"
    return with_plan(found, plan, FILL_AGAIN, thought)
