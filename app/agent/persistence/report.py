"""What those who watch from outside are told of a pass."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import structlog

from app.agent.leases import RequestLease
from app.agent.persistence.record import repair_outcomes
from app.agent.persistence.run_metrics import tally_run
from app.agent.persistence.run_result import RunResult
from app.domain.metrics.telemetry import NodeSpan, RetrievedPassage, RunReport
from app.domain.redaction import masked
from app.observability.port import Observer, add_visit, start_trail
from app.runs.live import Event
from app.usage.meter import Meter

log = structlog.get_logger(__name__)


class RunTrace:
    """Notes when each node of one pass ended; it began when the one before it ended. `found` tells what of
    a node's patch is worth showing beside it.
    """

    def __init__(self, found: Callable[[str, Mapping[str, Any]], dict[str, Any]]) -> None:
        self._found = found
        self._spans: list[NodeSpan] = []
        self.start()

    def start(self) -> None:
        """The graph is entered now."""
        self.started_at = self._last = datetime.now(UTC)
        start_trail()

    def node_ended(self, node: str, patch: Mapping[str, Any]) -> None:
        """A node ended with this patch."""
        now = datetime.now(UTC)
        span = NodeSpan(
            node=node, started_at=self._last, ended_at=now, attributes=self._found(node, patch)
        )
        self._spans.append(span)
        self._last = now
        add_visit(node)

    @property
    def spans(self) -> tuple[NodeSpan, ...]:
        """The nodes so far, in order."""
        return tuple(self._spans)


def report_run(observer: Observer, done: RunResult, watch: RunTrace, event: Event) -> None:
    """Tell of a pass. It is stored and has its answer by now: nothing in here may take that back."""
    try:
        observer.on_run(run_report(done, watch, event))
    except Exception:
        log.exception("pass not told")


@contextmanager
def traced(observer: Observer, claim: RequestLease, meter: Meter) -> Iterator[RunTrace]:
    """A pass; one that an exception ends is told of as far as it came, and the exception goes on."""
    watch = RunTrace(_node_facts)
    try:
        yield watch
    except Exception:
        try:
            observer.on_run(_failed_run_report(claim, meter.by.trace_id, watch))
        except Exception:
            log.exception("pass not told")
        raise


def _failed_run_report(claim: RequestLease, trace_id: str, watch: RunTrace) -> RunReport:
    """What is known without a state."""
    call, task = claim.call, claim.task
    return RunReport(
        tenant=call.principal.tenant,
        user=call.principal.user,
        session_id=claim.session_id,
        task_id=claim.task_id,
        trace_id=trace_id,
        request_id=call.request_id,
        goal="",
        answer="error",
        status=task.status if task else "active",  # the same request may come again
        started_at=watch.started_at,
        ended_at=datetime.now(UTC),
        server_ms=claim.elapsed_ms,
        step_index=task.step_index if task else 0,
        nodes=watch.spans,
    )


def run_report(done: RunResult, watch: RunTrace, event: Event) -> RunReport:
    """The pass as it is told, without secrets."""
    state = done.state
    verdict = state["verdict"] if done.statuses else None
    mended = tuple(repair_outcomes(done.repair_before, state).values())
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
        started_at=watch.started_at,
        ended_at=datetime.now(UTC),
        server_ms=done.server_ms,
        step_index=max(0, state["steps"] - 1),
        complexity=state["complexity"].level if state["complexity"] else None,
        misclassified=state["misclassified"],
        nodes=watch.spans,
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
    """The plain facts of a patch that are worth showing beside a node."""
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
    """What this pass found: of the web what it searched, of documents what opened the goal."""
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
