"""Records answers and routes them to the graph node that continues the run."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from uuid import NAMESPACE_URL, uuid5

from app.domain.access import Principal
from app.domain.hitl import CHAT_SOURCES, AnswerChannel, HitlResult, HitlStatus, PendingHitl
from app.domain.redaction import masked, secrets_answered
from app.domain.task import Message
from app.errors import HitlExpired, HitlNotPending
from app.hitl.answers import HitlAnswer, refuse_unentitled, result_of
from app.hitl.events import TaskEvents
from app.hitl.inbox import Inbox, ended, only_answer
from app.hitl.questions import question_text
from app.store.repositories import Store

PLANNING = "planning/replan"


class ResumeRouter:
    """Maps `returnTo` as `node/mode` to the graph node that handles the answer."""

    def __init__(self, routes: Mapping[str, str], *, refused: str | None = PLANNING) -> None:
        self._routes = MappingProxyType(dict(routes))
        self._refused = refused

    def destination(self, result: HitlResult) -> str:
        """The node that handles the answer. All refusals go to one node, if one is configured.

        Raises `KeyError` for an unregistered `returnTo`.
        """
        if result.decision == "refused" and self._refused is not None:
            return self._routes[self._refused]
        return self._routes[result.return_to]

    @property
    def nodes(self) -> frozenset[str]:
        return frozenset(self._routes.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerService:
    """Records answers from every interface; `go_on` continues the chat after an answer to its question."""

    store: Store
    inbox: Inbox
    bells: TaskEvents
    go_on: Callable[[PendingHitl], Awaitable[object]]

    async def answer(
        self,
        who: Principal,
        row: PendingHitl,
        said: HitlAnswer,
        *,
        via: AnswerChannel,
        key: str,
        through: str = "",
    ) -> PendingHitl:
        """Record an answer and return the updated row.

        Raises `HitlNotPending` or `HitlExpired` if it is too late, `Invalid` if the question does not
        accept it, `Forbidden` if the caller may not give it. `through` names the client program.
        """
        await self.refuse_late(row)
        result = self.meant(who, row, said, via=via, key=key)
        if through:
            result = result.model_copy(update={"by": f"{who.user}, through {through}"})
        return await self.conclude(row, result)

    def meant(
        self, who: Principal, row: PendingHitl, said: HitlAnswer, *, via: AnswerChannel, key: str
    ) -> HitlResult:
        """Interpret an answer for the run; raises `Invalid` or `Forbidden`."""
        now = datetime.now(UTC)
        result = result_of(row.question, said, by=who.user, via=via, key=key, now=now)
        refuse_unentitled(who, row.question, result)
        return result

    async def refuse_late(self, row: PendingHitl) -> None:
        """Raise if the question has ended; an expiry is recorded first."""
        now = datetime.now(UTC)
        status = row.status_at(now)
        if status == "expired":
            await self.inbox.conclude(row.tenant, "expired", ended(row, "expired", now=now))
            self.bells.publish(row.tenant, row.task_id)
            raise HitlExpired
        if status != "pending":
            raise HitlNotPending(f"This question was {status} already")

    async def conclude(self, row: PendingHitl, result: HitlResult) -> PendingHitl:
        """End the question with this result, add a line to the session's history and notify the task's
        listeners. Returns the updated row; raises if another answer came first.
        """
        cancels = result.decision == "cancelled"
        status: HitlStatus = "cancelled" if cancels else "answered"
        stands = only_answer(await self.inbox.conclude(row.tenant, status, result), result)
        if row.source in CHAT_SOURCES:  # no runner waits for it: the chat continues on its own
            await self.go_on(stands)
            return stands
        if not cancels:
            await self.store.messages.add([_line(row, result)])
        self.bells.publish(row.tenant, row.task_id)
        return stands


def said_of(question: str, result: HitlResult) -> str:
    """The text of an answer, without secrets that were asked for."""
    return masked(result.text, secrets_answered(question, result.text))


def _line(row: PendingHitl, result: HitlResult) -> Message:
    return Message(
        message_id=str(uuid5(NAMESPACE_URL, f"{row.hitl_id}/answered")),
        tenant=row.tenant,
        session_id=row.thread_id,
        task_id=row.task_id,
        role="user",
        content=said_of(question_text(row.question), result),
        created_at=result.at,
    )
