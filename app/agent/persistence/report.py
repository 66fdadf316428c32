"""The numbers of a run: its report for observers, its task's counters, and the confidence of its end."""

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
    """Trace the request's run; a failed one is reported without its state."""
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
            status=task.status if task else "active",  # the request may be repeated
            started_at=trace.started_at,
            ended_at=datetime.now(UTC),
            server_ms=claim.elapsed_ms,
            step_index=task.step_index if task else 0,
            nodes=trace.spans,
        )

    return trace_run(observer, _node_facts, report_failure)


def report_run(done: RunResult, trace: RunTrace, event: Event) -> RunReport:
    """The report of the run, without secrets."""
    state = done.state
    verdict = state["verdict"] if done.statuses else None
    repaired = next(iter(done.repair_outcomes.values()), None)
    repair = (done.repair_before or state["repair"]) if repaired else None
    score, replanning = state["score"], state["replanning"]
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
        strategy=repair.strategy if repair else None,
        attempt=repair.attempt if repair else None,
        repair_worked=repaired == "success" if repaired else None,
        predicted=score.predicted if score and verdict else None,
        prediction_met=score.met if score and verdict else None,
        re_planned=replanning.decision != "continue" if replanning and verdict else None,
        question=state["question"].kind if state["question"] else None,
        repair_source=repair.source if repair else None,
        task_ms=done.server_ms + (done.task.metrics.get("serverMs", 0.0) if done.task else 0.0),
        tally=tally_run(done),
    )


def _node_facts(_: str, patch: Mapping[str, Any]) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if (complexity := patch.get("complexity")) is not None:
        facts["complexity"] = complexity.level
    if (plan := patch.get("plan")) is not None:
        facts["planSteps"] = len(plan.steps)
    if (chain := patch.get("chain")) is not None:
        facts["actions"] = [planned.action.name for planned in chain.actions]
    if (verdict := patch.get("verdict")) is not None:
        facts |= {"succeeded": verdict.succeeded, "tier": verdict.tier}
    return facts


def _retrieved(done: RunResult) -> tuple[RetrievedPassage, ...]:
    """The web results of this run's searches, and the passages that the goal began with."""
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
MAX_RUN_TIMES = 100  # of a task: twice its maximum of steps

UNVERIFIED = 0.7  # confidence of an end without a verdict or stated confidence
UNCERTAIN = 0.5  # the most if the last verdict is open or a failure
DECLARES = frozenset({"finish", "answer", "done"})  # decisions that declare the end


def tally_run(done: RunResult) -> RunCounts:
    """The counts of this run; no later run counts them again."""
    chain = _judged_chain(done.state_before, done.state)
    statuses = done.statuses
    results = [statuses.get(one.action_id) for one in chain.actions] if chain else []
    return RunCounts(
        starts_task=done.starts_goal,
        actions_started=sum(status in BEGUN for status in results),
        actions_succeeded=sum(status == "success" for status in results),
        chain_length=len(results) if len(results) > 1 else 0,
        skills_learned=len(done.learnings.lessons),
        skill_uses=len(done.learnings.uses),
        skills_helped=sum(use.worked for use in done.learnings.uses),
        answered_kind=_answered_kind(done),
    )


def task_counters(done: RunResult) -> dict[str, float]:
    """The counts as the task row's counters, without zeros."""
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
    """The durations of the task's newest runs in ms, this one last."""
    earlier = done.task.pass_ms if done.task else ()
    return (*earlier, round(done.server_ms, 2))[-MAX_RUN_TIMES:]


def _judged_chain(before: AgentState | None, after: AgentState) -> Chain | None:
    """The chain that waited for its verdict when the run began, and no longer does."""
    chain, now = before["unverified_chain"] if before else None, after["unverified_chain"]
    if chain is None or now is None or after["outcome"] is not None:
        return chain
    same = [a.action_id for a in chain.actions] == [a.action_id for a in now.actions]
    return None if same else chain


def _answered_kind(done: RunResult) -> str | None:
    """The kind of the question whose answer this run applied, given through any interface."""
    before = done.state_before
    question = before["question"] if before else None
    if before is None or question is None or question.hitl_id in before["hitl_results"]:
        return None
    result = done.state["hitl_results"].get(question.hitl_id)
    return question.kind if result is not None and result.decision in ANSWERS else None


def end_confidence(state: AgentState, outcome: Outcome) -> float:
    """The lower of the last verdict's confidence and that of the decision that declared the end.

    Without either it is `UNVERIFIED`; of a failure it is 0.
    """
    if outcome.status != "completed":
        return 0.0
    verdict, decision = state["verdict"], state["refinement"]
    grounds = []
    if verdict is not None:
        grounds.append(
            verdict.confidence if verdict.succeeded else min(verdict.confidence, UNCERTAIN)
        )
    if decision is not None and decision.outcome in DECLARES and decision.confidence:
        grounds.append(decision.confidence)
    return min(grounds, default=UNVERIFIED)


def confidence_metrics(done: RunResult) -> dict[str, float]:
    """Whether a sent action is irreversible, and the confidence of the end."""
    metrics: dict[str, float] = {}
    if done.chain is not None and any(planned.grave for planned in done.chain.actions):
        metrics["highImpact"] = 1.0
    if (outcome := done.ended) is not None:
        metrics["confidence"] = round(end_confidence(done.state, outcome), 3)
    return metrics


def count_conflicts(done: RunResult) -> float:
    """1 if this run's verdict contradicts itself but counts as a success, or ends the task; else 0."""
    verdict, outcome = done.state["verdict"], done.state["outcome"]
    if verdict is None or not verdict.contradicted:
        return 0.0
    ends = outcome is not None and outcome.status in ENDED
    return float(ends or (bool(done.statuses) and bool(verdict.succeeded)))
