"""What the rest needs from the storage of who works on what: claims of operations, and leases of threads."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

from app.domain.hitl import ExecutedOperation
from app.errors import WorkAbandoned

FAR_AHEAD = datetime(9999, 1, 1, tzinfo=UTC)  # no stop comes after it
MOST_ATTEMPTS = 2  # of one request; what ended its process twice is taken for the cause


@dataclass(frozen=True, slots=True)
class Begun:
    """The outcome of beginning an operation: `new` (ours to run, by this `claim`), `running` elsewhere, or
    `done`. `stopped`: whoever had the claim before was stopped, and the operation is not to be run.
    `since`: when it was first claimed, by the store's clock. `attempts`: with this one; those before neither
    completed it nor gave it back, as when their process died.
    """

    state: Literal["new", "running", "done"]
    task_id: str
    result: dict[str, Any] | None = None
    claim: str = ""
    stopped: bool = False
    since: datetime = FAR_AHEAD
    attempts: int = 1

    def refuse_lost(self) -> None:
        """Raises `WorkAbandoned` where too many attempts were lost."""
        if self.attempts > MOST_ATTEMPTS:
            raise WorkAbandoned(
                f"The server ended {self.attempts - 1} times while it worked on this request."
                " It is not tried again; ask in other words."
            )


class Operations(Protocol):
    """The ledger of what may happen at most once, by (tenant, key). Rows live 24 hours. All times are the
    store's.
    """

    async def begin(
        self, tenant: str, key: str, *, fingerprint: str, task_id: str, ttl_s: float
    ) -> Begun:
        """Claim the key. A claim that was not renewed for `ttl_s` may be taken over (`new` again, with the
        first claim's task_id). `RequestIdReused` when it was claimed with another fingerprint.
        """
        ...

    async def renew(self, tenant: str, key: str, *, claim: str, ttl_s: float) -> bool:
        """Keep one's own unfinished claim for `ttl_s` more; False when it is no longer one's own."""
        ...

    async def complete(
        self,
        tenant: str,
        key: str,
        result: dict[str, Any],
        *,
        claim: str,
        effects: Sequence[ExecutedOperation] = (),
    ) -> None:
        """Keep the result for those who ask again, if the claim is still one's own. In the same round trip,
        add effects; of one that is there already only the status is written.
        """
        ...

    async def abandon(self, tenant: str, key: str, *, claim: str) -> None:
        """Give one's own unfinished claim back, so that a repeat runs anew; one that was stopped stays."""
        ...

    async def stop(self, tenant: str, key: str, *, claim: str) -> None:
        """Note that the run with this claim was stopped: whoever takes the claim over is told."""
        ...


STOPPER = "(stop)"  # owns the lease of what was stopped; no claim looks so
PAUSER = "(pause)"  # owns the lease of a paused task


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a thread: of one `claim`, and valid while the row's fence is this `fence`.
    `resumed`: a pause ended with it. `stopped`: the thread was stopped since the operation began that it
    was taken for.
    """

    tenant: str
    task_id: str
    claim: str
    fence: int
    resumed: bool = False
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class Cut:
    """What a cut came to: the `lease` of who cut, and the run that lost it, its claim and the operation that
    it had claimed; both "" for none.
    """

    lease: Lease
    claim: str = ""
    key: str = ""


class Leases(Protocol):
    """Who is working on a task. Keyed by task id, so that it needs no task row. Each change of owner makes
    the fence one more, and it never goes back. All times are the store's.
    """

    async def acquire(
        self,
        tenant: str,
        task_id: str,
        *,
        claim: str,
        ttl_s: float,
        key: str = "",
        since: datetime = FAR_AHEAD,
        user: str = "",
        hands_back: bool = False,
    ) -> Lease | None:
        """Take a lease that is free; None while another's is alive. `key` is the operation that is worked
        on: whoever claimed it anew takes the lease from whoever had claimed it before. `user` is kept with
        it by the first who says so: whose task it is, before that has a row. Who `hands_back` takes it from
        a pause too. `since` is when the operation began: whoever takes the lease is told of a stop that came
        after that, and takes it from no pause that did.
        """
        ...

    async def renew(self, lease: Lease, *, ttl_s: float) -> bool:
        """Keep one's own lease alive; False when it was taken away, or has been given back: a renewal that
        comes late takes nothing.
        """
        ...

    async def release(self, lease: Lease) -> None:
        """Give one's own lease back; nothing happens if it is another's."""
        ...

    async def guard(self, lease: Lease) -> None:
        """Fail unless the lease is still one's own; from then to `settle` or `release` nobody takes it.
        See `Together.writing`.
        """
        ...

    async def settle(self, lease: Lease) -> None:
        """What was guarded is written, and the lease stays one's own."""
        ...

    async def cut(self, tenant: str, task_id: str, *, by: str, ttl_s: float) -> Cut | None:
        """Take the lease from whoever has it, `by` `STOPPER` or `PAUSER`; the run that had it, if one did.
        None while that run's writes are under way: it is to be asked again. A stop frees the lease at once
        where no run had it.
        """
        ...

    async def paused(self, tenant: str, task_id: str) -> Lease | None:
        """The lease of the pause; None where there is none."""
        ...

    async def inherit(self, lease: Lease) -> Lease | None:
        """The lease of who cut this one off, for leaving the thread in order; None where somebody else has
        worked on it since.
        """
        ...

    async def holder(self, tenant: str, task_id: str) -> str | None:
        """Whose lease is alive; None where none is."""
        ...

    async def user(self, tenant: str, task_id: str) -> str | None:
        """Who began what the lease is of; None where that is not known."""
        ...

    async def alive(self, tenant: str, *, within_s: float, limit: int) -> set[str]:
        """The tasks, `limit` at most, whose lease is alive and ends within `within_s`: a run's does, a
        pause's does not.
        """
        ...
