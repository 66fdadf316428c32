"""How sure the end of a task is, and what of its way matters to whoever looks at it again.

Kept as numbers of the task's row, so that whoever asks later has the same case before them:
`confidence` of an end in 0..1, `conflicts` looks whose evidence contradicts itself and that the task was
built on or ended with, `highImpact` 1 once an action was sent that is hard to undo.
"""

from app.agent.persistence.run_result import Pass
from app.agent.state import AgentState
from app.domain.plan import Outcome
from app.domain.task import ENDED

UNSEEN = 0.7  # nothing was looked at or stated: called completed, and not more than that
UNTOLD = 0.5  # the most where the last look could not tell, or tells of a failure
DECLARES = frozenset({"finish", "answer", "done"})  # refinements that say that an end is reached


def sureness(state: AgentState, outcome: Outcome) -> float:
    """The least of what the end stands on: the last look at the page, and the sureness that whoever
    declared the end stated. An end without either is `UNSEEN`, a failure 0.

    A task that only answers has no look that says so: its own sureness is what there is.
    """
    if outcome.status != "completed":
        return 0.0
    verdict, chosen = state["verdict"], state["refinement"]
    stands = []
    if verdict is not None:
        seen = verdict.confidence
        stands.append(seen if verdict.succeeded else min(seen, UNTOLD))
    if chosen is not None and chosen.outcome in DECLARES and chosen.confidence:
        stands.append(chosen.confidence)
    return min(stands, default=UNSEEN)


def marks_of(done: Pass) -> dict[str, float]:
    """The numbers of this pass, of which `conflicts` is to be added to what was there."""
    state, outcome, chain = done.state, done.state["outcome"], done.chain
    ends = outcome is not None and outcome.status in ENDED and not done.paused
    marks: dict[str, float] = {}
    if chain is not None and any(planned.grave for planned in chain.actions):
        marks["highImpact"] = 1.0
    if outcome is not None and ends:
        marks["confidence"] = round(sureness(state, outcome), 3)
    return marks


def conflicts_of(done: Pass) -> float:
    """1 where the look of this pass contradicts itself, and was believed all the same or is the last."""
    verdict, outcome = done.state["verdict"], done.state["outcome"]
    if verdict is None or not verdict.contradicted:
        return 0.0
    ends = outcome is not None and outcome.status in ENDED
    return float(ends or (bool(done.statuses) and bool(verdict.succeeded)))
