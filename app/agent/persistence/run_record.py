"""What is recorded of a run, and how its answer is kept for a repeat."""

from datetime import UTC, datetime

from app.agent.leases import RequestLease
from app.agent.persistence.redaction import secrets_of
from app.agent.persistence.response import render_event
from app.agent.persistence.rows import masked_view
from app.agent.persistence.run_result import RunResult
from app.agent.persistence.stored_response import StoredResponse
from app.agent.resume import GraphInput
from app.agent.state import AgentState
from app.domain.access import site_of
from app.domain.embedder import Embedder
from app.domain.memory import Episode
from app.domain.metrics.usage import UsageTotals
from app.domain.plan import Outcome
from app.runs.live import Event
from app.skills import Learnings, embed_goal, list_unresolved_skills, make_episode
from app.usage.meter import Meter


def build_run_result(
    claim: RequestLease,
    entry: GraphInput,
    state: AgentState,
    meter: Meter,
    embedder: Embedder | None,
) -> RunResult:
    """The pass of this request, to be recorded."""
    now = datetime.now(UTC)
    return RunResult(
        call=claim.call,
        state=state,
        task=claim.task,
        task_id=claim.task_id,
        session_id=claim.session_id,
        open_actions=None if entry.replay else _open_actions(entry.state),
        server_ms=claim.elapsed_ms,
        now=now,
        spent=meter.spent,
        learnings=collect_learnings(state, entry.state, claim, embedder, now),
        repair_before=entry.state["repair"] if entry.state and not entry.replay else None,
        state_before=None if entry.replay else entry.state,
    )


def _open_actions(state: AgentState | None) -> frozenset[str]:
    """The actions that a thread waits for, or that an earlier look could not judge."""
    chains = (state["chain"], state["judged"]) if state else ()
    return frozenset(planned.action_id for chain in chains if chain for planned in chain.actions)


def build_stored_response(
    claim: RequestLease, state: AgentState, event: Event, spent: UsageTotals
) -> StoredResponse:
    """The answer as it may be stored: what it types as a secret is masked."""
    chain, hidden = state["chain"], secrets_of(state)
    typed = chain is not None and any(planned.secret for planned in chain.actions)
    if not typed and not hidden:
        return StoredResponse(event=event)
    redacted = render_event(
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
    return StoredResponse(event=kept, partial=kept != event)


def collect_learnings(
    state: AgentState,
    before: AgentState | None,
    claim: RequestLease,
    embedder: Embedder | None,
    now: datetime,
) -> Learnings:
    """What this pass is to keep. `before` is the state it began with: what an earlier pass learned is
    kept already, and stands in the state until the next look at the page.
    """
    outcome, url = state["outcome"], claim.call.page.url
    cut = outcome is not None and outcome.status == "interrupted"  # read from the store anew
    known = cut or (before is not None and before["lessons"] is state["lessons"])
    counted = cut or (before is not None and before["uses"] is state["uses"])
    uses = () if counted else tuple(state["uses"])
    if outcome is not None and outcome.status == "failed":
        uses = (*uses, *list_unresolved_skills(state["deeds"]))
    return Learnings(
        site=_last_site(state, url),
        lessons=() if known else state["lessons"],
        uses=uses,
        episode=None if outcome is None else _episode(state, outcome, claim, embedder, now),
    )


def _was_refused(state: AgentState, outcome: Outcome) -> bool:
    """Whether it ended by a no: the way to do it did not fail."""
    return outcome.status == "failed" and bool(state["background"].refused)


def _last_site(state: AgentState, url: str) -> str:
    """Where the last action was taken that was judged."""
    done = (deed for deed in reversed(state["deeds"]) if deed.status != "pending" and deed.url)
    return site_of(next((deed.url for deed in done), url))


def _episode(
    state: AgentState,
    outcome: Outcome,
    claim: RequestLease,
    embedder: Embedder | None,
    now: datetime,
) -> Episode | None:
    """What the task leaves; what never came to a plan leaves nothing."""
    if not state["plan"].steps and not state["deeds"]:
        return None
    goal, summary, tried, worked, facts = make_episode(
        goal=state["goal"],
        instruction=state["instruction"],
        deeds=state["deeds"],
        outcome=outcome,
        hidden=secrets_of(state),
    )
    meaning = embed_goal(state["goal"], state["instruction"], embedder)
    return Episode(
        episode_id=claim.task_id,
        tenant=state["tenant"],
        user=state["user"],
        domain=state["background"].site or site_of(claim.call.page.url),
        goal=goal,
        status="interrupted" if _was_refused(state, outcome) else outcome.status,
        summary=summary,
        tried=tried,
        worked=worked,
        facts=facts,
        vector=meaning.vector,
        embedder=meaning.embedder,
        created_at=now,
    )
