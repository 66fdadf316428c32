"""The result of one run of the graph, with everything to record."""

from dataclasses import dataclass
from datetime import UTC, datetime

from app.agent.request import InteractCall, RequestLease, TaskInput
from app.agent.state import AgentState, secrets_of
from app.domain.access import site_of
from app.domain.action import Chain
from app.domain.memory import Episode, Repair, RepairStatus
from app.domain.metrics.usage import UsageTotals
from app.domain.plan import Outcome
from app.domain.task import ENDED, Task
from app.recovery import repair_status
from app.skills import Embedder, Learnings, embed_goal, list_unresolved_skills, make_episode

MAX_CHAIN = 10  # a chain holds at most so many actions


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """One run of the graph. Recording it is idempotent.

    `open_actions` are the actions without a result when the run began, `state_before` the thread's state
    then; both are None if the run is repeated after a crash, the latter also for a new thread. `paused`: the
    person took over.
    """

    call: InteractCall
    state: AgentState
    task: Task | None
    task_id: str
    session_id: str
    open_actions: frozenset[str] | None
    server_ms: float
    now: datetime
    spent: UsageTotals = UsageTotals()
    learnings: Learnings = Learnings()
    state_before: AgentState | None = None
    paused: bool = False

    @property
    def tenant(self) -> str:
        return self.call.principal.tenant

    @property
    def chain(self) -> Chain | None:
        """The chain that is sent: none that waits for approval, and none of an interrupted run."""
        outcome = self.state["outcome"]
        interrupted = outcome is not None and outcome.status == "interrupted"
        return None if self.state["question"] is not None or interrupted else self.state["chain"]

    @property
    def statuses(self) -> dict[str, str]:
        """The statuses of actions sent before this run, by id; the last judged one comes last.

        Actions that an earlier chain never reached are `skipped`.
        """
        chain = self.state["chain"]
        sent = {planned.action_id for planned in chain.actions} if chain else set()
        done = [record for record in self.state["action_records"] if record.action_id not in sent]
        if self.open_actions is None:
            done = done[-MAX_CHAIN:]  # repeated after a crash: which were settled is unknown
        else:
            done = [record for record in done if record.action_id in self.open_actions]
        known = {d.action_id: d.status for d in sorted(done, key=lambda d: d.action.name != "wait")}
        skipped = {
            i: "skipped" for i in self.open_actions or () if i not in known and i not in sent
        }
        return {**skipped, **known}

    @property
    def secrets(self) -> frozenset[str]:
        return secrets_of(self.state)

    @property
    def ended(self) -> Outcome | None:
        """The outcome if the task ends with this run."""
        outcome = self.state["outcome"]
        ends = outcome is not None and outcome.status in ENDED and not self.paused
        return outcome if ends else None

    @property
    def repair_before(self) -> Repair | None:
        """The correction that was tried when the run began."""
        return self.state_before["repair"] if self.state_before else None

    @property
    def repair_outcomes(self) -> dict[str, RepairStatus]:
        """The result of that correction, if it was verified in this run."""
        tried, now, verdict = self.repair_before, self.state["repair"], self.state["verdict"]
        if tried is None:  # repeated after a crash: what it began with is unknown
            return {now.repair_id: now.status} if now and now.status != "pending" else {}
        if tried.status != "pending" or tried == now or verdict is None:
            return {}
        return {tried.repair_id: repair_status(verdict)}

    @property
    def starts_goal(self) -> bool:
        return self.state["goal_request_id"] == self.call.request_id


def build_run_result(
    claim: RequestLease,
    entry: TaskInput,
    state: AgentState,
    spent: UsageTotals,
    embedder: Embedder | None,
    *,
    paused: bool,
) -> RunResult:
    now = datetime.now(UTC)
    before = None if entry.replay else entry.state
    waiting = (before["chain"], before["unverified_chain"]) if before else ()
    open_ids = frozenset(one.action_id for chain in waiting if chain for one in chain.actions)
    return RunResult(
        call=claim.call,
        state=state,
        task=claim.task,
        task_id=claim.task_id,
        session_id=claim.session_id,
        open_actions=None if entry.replay else open_ids,
        server_ms=claim.elapsed_ms,
        now=now,
        spent=spent,
        learnings=_collect_learnings(state, entry.state, claim, embedder, now),
        state_before=before,
        paused=paused,
    )


def _collect_learnings(
    state: AgentState,
    before: AgentState | None,
    claim: RequestLease,
    embedder: Embedder | None,
    now: datetime,
) -> Learnings:
    """What this run learned. Lessons in the state `before` were stored by an earlier run, and stay in the
    state until the next verification.
    """
    outcome, url = state["outcome"], claim.call.page.url
    interrupted = outcome is not None and outcome.status == "interrupted"  # state loaded again
    known = interrupted or (before is not None and before["lessons"] is state["lessons"])
    counted = interrupted or (before is not None and before["skill_uses"] is state["skill_uses"])
    uses = () if counted else tuple(state["skill_uses"])
    if outcome is not None and outcome.status == "failed":
        uses = (*uses, *list_unresolved_skills(state["action_records"]))
    return Learnings(
        site=_last_site(state, url),
        lessons=() if known else state["lessons"],
        uses=uses,
        episode=None if outcome is None else _episode(state, outcome, claim, embedder, now),
    )


def _last_site(state: AgentState, url: str) -> str:
    """The site of the last verified action."""
    urls = (one.url for one in reversed(state["action_records"]) if one.status != "pending")
    return site_of(next(filter(None, urls), url))


def _episode(
    state: AgentState,
    outcome: Outcome,
    claim: RequestLease,
    embedder: Embedder | None,
    now: datetime,
) -> Episode | None:
    """The episode of an ended task; None if it never had a plan."""
    if not state["plan"].steps and not state["action_records"]:
        return None
    goal, summary, tried, worked, facts = make_episode(
        goal=state["goal"],
        instruction=state["instruction"],
        records=state["action_records"],
        outcome=outcome,
        hidden=secrets_of(state),
    )
    # After a refusal the approach did not fail.
    was_refused = outcome.status == "failed" and bool(state["background"].refused)
    meaning = embed_goal(state["goal"], state["instruction"], embedder)
    return Episode(
        episode_id=claim.task_id,
        tenant=state["tenant"],
        user=state["user"],
        domain=state["background"].site or site_of(claim.call.page.url),
        goal=goal,
        status="interrupted" if was_refused else outcome.status,
        summary=summary,
        tried=tried,
        worked=worked,
        facts=facts,
        vector=meaning.vector,
        embedder=meaning.embedder,
        created_at=now,
    )
