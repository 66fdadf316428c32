"""One pass through the graph, with all that is to be recorded of it."""

from dataclasses import dataclass
from datetime import datetime

from app.agent.calls import InteractCall
from app.agent.persistence.redaction import secrets_of
from app.agent.state import AgentState
from app.domain.action import Chain
from app.domain.memory import Repair
from app.domain.metrics.usage import UsageTotals
from app.domain.task import Task
from app.skills import Learnings

MAX_CHAIN = 10  # a chain holds at most so many actions


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """One pass through the graph, to be recorded; recording it again changes nothing.

    `waiting` are the actions whose fate was open when it began; None when that is not known.
    `repairing` is the correction that was tried then, `before` the state of the thread; None for a
    new one, and where that is not known. `paused`: it was cut off since the person took over.
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
    repair_before: Repair | None = None
    state_before: AgentState | None = None
    paused: bool = False

    @property
    def tenant(self) -> str:
        """Whose rows these are."""
        return self.call.principal.tenant

    @property
    def chain(self) -> Chain | None:
        """What is being sent to the browser; a chain that waits for a yes is not, nor one of a run that was
        cut off.
        """
        outcome = self.state["outcome"]
        cut_off = outcome is not None and outcome.status == "interrupted"
        return None if self.state["question"] is not None or cut_off else self.state["chain"]

    @property
    def statuses(self) -> dict[str, str]:
        """What is known of the actions sent before this pass, by id; the one judged last comes last.

        What an earlier chain never came to is skipped.
        """
        chain = self.state["chain"]
        sent = {planned.action_id for planned in chain.actions} if chain else set()
        done = [deed for deed in self.state["deeds"] if deed.action_id not in sent]
        if self.open_actions is None:
            done = done[-MAX_CHAIN:]  # done over after a crash: which were settled is not known
        else:
            done = [deed for deed in done if deed.action_id in self.open_actions]
        known = {d.action_id: d.status for d in sorted(done, key=lambda d: d.action.name != "wait")}
        skipped = {
            i: "skipped" for i in self.open_actions or () if i not in known and i not in sent
        }
        return {**skipped, **known}

    @property
    def secrets(self) -> frozenset[str]:
        """The secrets that no row may hold."""
        return secrets_of(self.state)

    @property
    def starts_goal(self) -> bool:
        """Whether this is the pass that brought the goal."""
        return self.state["began"] == self.call.request_id
