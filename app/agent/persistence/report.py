"""The numbers of one run: what observers are told, what its task's counters gain, how sure its end is."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any

from app.agent.persistence.run_result import RunResult
from app.agent.request import RequestLease
from app.agent.state import AgentState
from app.domain.action import Chain
from app.domain.metrics.telemetry import RetrievedPassage, RunCounts, RunReport
from app.domain.plan import Outcome
from app.domain.redaction import masked
from app.domain.task import ENDED
from app.observability.port import Observer
from app.runs import Event, RunTrace, trace_run
from app.usage import Meter


def trace_request(
    observer: Observer, claim: RequestLease, meter: Meter
) -> AbstractContextManager[RunTrace]:
    """Trace the run of this request; one that fails is reported with what is known without a state."""
    call, task = claim.call, claim.task

    def report_failure(trace: RunTrace) -> RunReport:
        return RunReport(
            tenant=call.principal.tenant,
            user=call.principal.user,
            session_id=claim.session_id,
            task_id=claim.task_id,
            trace_id=meter.by.trace_id,
            request_id=call.request_id,
            goal="",
            answer="error",
            status=task.status if task else "active",  # the same request may come again
            started_at=trace.started_at,
            ended_at=datetime.now(UTC),
            server_ms=claim.elapsed_ms,
            step_index=task.step_index if task else 0,
            nodes=trace.spans,
        )

    return trace_run(observer, _node_facts, report_failure)


def report_run(done: RunResult, trace: RunTrace, event: Event) -> RunReport:
    """What observers are told of the run, without secrets."""
    state = done.state
    verdict = state["verdict"] if done.statuses else None
    mended = tuple(done.repair_outcomes.values())
    score, turned = state["score"], state["replanning"]
    tried = done.repair_before or state["repair"]  # by now the next one may be under way
    chain, outcome = done.chain, state["outcome"]
    return RunReport(
        tenant=done.tenant,
        user=done.call.principal.user,
        session_id=done.session_id,
        task_id=done.task_id,
        trace_id=state["trace_id"],
        request_id=done.call.request_id,
        goal=masked(state["goal"], done.secrets),
        answer=event["type"],
        status=event.get("status") or (outcome.status if outcome else "awaiting_user"),
        started_at=trace.started_at,
        ended_at=datetime.now(UTC),
        server_ms=done.server_ms,
        step_index=max(0, state["steps"] - 1),
        complexity=state["complexity"].level if state["complexity"] else None,
        misclassified=state["misclassified"],
        nodes=trace.spans,
        retrieved=_retrieved(done),
        actions=len(chain.actions) if chain else 0,
        action_succeeded=verdict.succeeded if verdict else None,
        confidence=verdict.confidence if verdict else None,
        tier=verdict.tier if verdict else None,
        strategy=tried.strategy if tried and mended else None,
        attempt=tried.attempt if tried and mended else None,
        repair_worked=mended[0] == "success" if mended else None,
        predicted=score.predicted if score and verdict else None,
        prediction_met=score.met if score and verdict else None,
        re_planned=turned.decision != "continue" if turned and verdict else None,
        question=state["question"].kind if state["question"] else None,
        repair_source=tried.source if tried and mended else None,
        task_ms=done.server_ms + (done.task.metrics.get("serverMs", 0.0) if done.task else 0.0),
        tally=tally_run(done),
    )


def _node_facts(_: str, patch: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if (complexity := patch.get("complexity")) is not None:
        found["complexity"] = complexity.level
    if (plan := patch.get("plan")) is not None:
        found["planSteps"] = len(plan.steps)
    if (chain := patch.get("chain")) is not None:
        found["actions"] = [planned.action.name for planned in chain.actions]
    if (verdict := patch.get("verdict")) is not None:
        found |= {"succeeded": verdict.succeeded, "tier": verdict.tier}
    return found


def _retrieved(done: RunResult) -> tuple[RetrievedPassage, ...]:
    """What this run found: of the web what it searched, of documents what opened the goal."""
    background = done.state["background"]
    before = done.state_before["background"] if done.state_before else None
    known = len(before.searches) if before else 0
    web = [
        RetrievedPassage(source="web", title=one.title, url=one.url)
        for search in background.searches[known:]
        for one in search.results
    ]
    documents = [
        RetrievedPassage(
            source="knowledge", title=one.title, url=one.url or "", relevance=one.score
        )
        for one in (background.knowledge if done.starts_goal else ())
    ]
    return (*documents, *web)


ANSWERS = frozenset({"answered", "approved", "refused"})
BEGUN = frozenset({"success", "failure", "unknown"})
MAX_RUN_TIMES = 100  # of a task, whose times are kept: twice the steps it may take

UNVERIFIED = 0.7  # nothing was looked at or stated: called completed, and not more than that
UNCERTAIN = 0.5  # the most where the last look could not tell, or tells of a failure
DECLARES = frozenset({"finish", "answer", "done"})  # refinements that say that an end is reached


def tally_run(done: RunResult) -> RunCounts:
    """The counts of this run. Nothing is counted again by a later one."""
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
    """What the task's runs took in ms, this one last; the newest `MAX_RUN_TIMES`."""
    earlier = done.task.pass_ms if done.task else ()
    return (*earlier, round(done.server_ms, 2))[-MAX_RUN_TIMES:]


def _judged_chain(before: AgentState | None, after: AgentState) -> Chain | None:
    """The chain that waited to be judged when the run began, and does so no more."""
    waited, now = before["unverified_chain"] if before else None, after["unverified_chain"]
    if waited is None or now is None or after["outcome"] is not None:
        return waited
    same = [a.action_id for a in waited.actions] == [a.action_id for a in now.actions]
    return None if same else waited


def _answered_kind(done: RunResult) -> str | None:
    """The kind of the question whose answer this run took up, whichever door that came through."""
    before = done.state_before
    asked = before["question"] if before else None
    if before is None or asked is None or asked.hitl_id in before["hitl_results"]:
        return None
    result = done.state["hitl_results"].get(asked.hitl_id)
    return asked.kind if result is not None and result.decision in ANSWERS else None


def end_confidence(state: AgentState, outcome: Outcome) -> float:
    """The least of what the end stands on: the last look at the page, and the sureness that whoever
    declared the end stated. An end without either is `UNVERIFIED`, a failure 0.

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
    """Whether what is sent is hard to undo, and how sure the end is, where the task ends."""
    marks: dict[str, float] = {}
    if done.chain is not None and any(planned.grave for planned in done.chain.actions):
        marks["highImpact"] = 1.0
    if (outcome := done.ended) is not None:
        marks["confidence"] = round(end_confidence(done.state, outcome), 3)
    return marks


def count_conflicts(done: RunResult) -> float:
    """1 where the look of this run contradicts itself, and was believed all the same or is the last."""
    verdict, outcome = done.state["verdict"], done.state["outcome"]
    if verdict is None or not verdict.contradicted:
        return 0.0
    ends = outcome is not None and outcome.status in ENDED
    return float(ends or (bool(done.statuses) and bool(verdict.succeeded)))
