"""The numbers of one run: what it adds to the task's counters, and how sure its end is."""

from app.agent.persistence.run_result import RunResult
from app.agent.state import AgentState
from app.domain.action import Chain
from app.domain.metrics.telemetry import RunCounts
from app.domain.plan import Outcome
from app.domain.task import ENDED

ANSWERS = frozenset({"answered", "approved", "refused"})
BEGUN = frozenset({"success", "failure", "unknown"})
MAX_RUN_TIMES = 100  # of a task, whose times are kept: twice the steps it may take

UNVERIFIED = 0.7  # nothing was looked at or stated: called completed, and not more than that
UNCERTAIN = 0.5  # the most where the last look could not tell, or tells of a failure
DECLARES = frozenset({"finish", "answer", "done"})  # refinements that say that an end is reached


def tally_run(done: RunResult) -> RunCounts:
    """The counts of this pass. Nothing is counted again by a later one."""
    chain = _judged_chain(done.state_before, done.state)
    statuses = done.statuses
    found = [statuses.get(one.action_id) for one in chain.actions] if chain else []
    return RunCounts(
        starts_task=done.starts_goal,
        actions_started=sum(status in BEGUN for status in found),
        actions_succeeded=sum(status == "success" for status in found),
        chain_length=len(found) if len(found) > 1 else 0,
        skills_learned=len(done.learnings.lessons),
        skill_uses=len(done.learnings.uses),
        skills_helped=sum(use.worked for use in done.learnings.uses),
        answered_kind=_answered_kind(done),
    )


def task_counters(done: RunResult) -> dict[str, float]:
    """The same as the counters of the task's row; what is 0 is left out."""
    tally = tally_run(done)
    several = tally.chain_length > 0
    counts = {
        "actions": tally.actions_started,
        "chains": int(several),
        "chainsWhole": int(tally.chain_succeeded),
        "chainActions": tally.chain_length,
        "chainActionsDone": tally.actions_succeeded if several else 0,
        "roundTripsSaved": tally.round_trips_saved,
    }
    return {name: float(count) for name, count in counts.items() if count}


def run_times(done: RunResult) -> tuple[float, ...]:
    """What the task's passes took in ms, this one last; the newest `PASSES`."""
    earlier = done.task.pass_ms if done.task else ()
    return (*earlier, round(done.server_ms, 2))[-MAX_RUN_TIMES:]


def _judged_chain(before: AgentState | None, after: AgentState) -> Chain | None:
    """The chain that waited to be judged when the pass began, and does so no more."""
    waited = before["judged"] if before else None
    if waited is None or (after["outcome"] is None and _is_same_chain(waited, after["judged"])):
        return None
    return waited


def _is_same_chain(one: Chain, other: Chain | None) -> bool:
    return other is not None and [a.action_id for a in one.actions] == [
        a.action_id for a in other.actions
    ]


def _answered_kind(done: RunResult) -> str | None:
    """The kind of the question whose answer this pass took up, whichever door that came through."""
    asked = done.state_before["question"] if done.state_before else None
    if (
        asked is None
        or done.state_before is None
        or asked.hitl_id in done.state_before["hitl_results"]
    ):
        return None
    result = done.state["hitl_results"].get(asked.hitl_id)
    return asked.kind if result is not None and result.decision in ANSWERS else None


def end_confidence(state: AgentState, outcome: Outcome) -> float:
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
        stands.append(seen if verdict.succeeded else min(seen, UNCERTAIN))
    if chosen is not None and chosen.outcome in DECLARES and chosen.confidence:
        stands.append(chosen.confidence)
    return min(stands, default=UNVERIFIED)


def confidence_metrics(done: RunResult) -> dict[str, float]:
    """The numbers of this pass, of which `conflicts` is to be added to what was there."""
    state, outcome, chain = done.state, done.state["outcome"], done.chain
    ends = outcome is not None and outcome.status in ENDED and not done.paused
    marks: dict[str, float] = {}
    if chain is not None and any(planned.grave for planned in chain.actions):
        marks["highImpact"] = 1.0
    if outcome is not None and ends:
        marks["confidence"] = round(end_confidence(state, outcome), 3)
    return marks


def count_conflicts(done: RunResult) -> float:
    """1 where the look of this pass contradicts itself, and was believed all the same or is the last."""
    verdict, outcome = done.state["verdict"], done.state["outcome"]
    if verdict is None or not verdict.contradicted:
        return 0.0
    ends = outcome is not None and outcome.status in ENDED
    return float(ends or (bool(done.statuses) and bool(verdict.succeeded)))
