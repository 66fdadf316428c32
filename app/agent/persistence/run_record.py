"""What is recorded of a run, and how its answer is kept for a repeat."""

from datetime import UTC, datetime

from app.agent.leases import Claim
from app.agent.persistence.learnings import learnt
from app.agent.persistence.redaction import hidden_of
from app.agent.persistence.response import render
from app.agent.persistence.rows import masked_view
from app.agent.persistence.run_result import Pass
from app.agent.persistence.stored_response import Kept
from app.agent.resume import Entry
from app.agent.state import AgentState
from app.domain.embedder import Embedder
from app.domain.metrics.usage import UsageTotals
from app.runs.live import Event
from app.usage.meter import Meter


def pass_of(
    claim: Claim, entry: Entry, state: AgentState, meter: Meter, embedder: Embedder | None
) -> Pass:
    """The pass of this request, to be recorded."""
    now = datetime.now(UTC)
    return Pass(
        call=claim.call,
        state=state,
        task=claim.task,
        task_id=claim.task_id,
        session_id=claim.session_id,
        waiting=None if entry.replay else _open_actions(entry.state),
        server_ms=claim.spent_ms,
        now=now,
        spent=meter.spent,
        learnt=learnt(state, entry.state, claim, embedder, now),
        repairing=entry.state["repair"] if entry.state and not entry.replay else None,
        before=None if entry.replay else entry.state,
    )


def _open_actions(state: AgentState | None) -> frozenset[str]:
    """The actions that a thread waits for, or that an earlier look could not judge."""
    chains = (state["chain"], state["judged"]) if state else ()
    return frozenset(planned.action_id for chain in chains if chain for planned in chain.actions)


def kept_of(claim: Claim, state: AgentState, event: Event, spent: UsageTotals) -> Kept:
    """The answer as it may be stored: what it types as a secret is masked."""
    chain, hidden = state["chain"], hidden_of(state)
    typed = chain is not None and any(planned.secret for planned in chain.actions)
    if not typed and not hidden:
        return Kept(event=event)
    redacted = render(
        state,
        task_id=claim.task_id,
        session_id=claim.session_id,
        server_ms=event["metrics"]["serverMs"],
        spent=spent,
        redact=True,
    )
    ids = {name: redacted[name] for name in ("taskId", "sessionId") if name in redacted}
    told = {"review": event["review"]} if "review" in event else {}  # of a record, masked already
    kept = (masked_view(redacted, hidden) or redacted) | ids | told
    return Kept(event=kept, partial=kept != event)
