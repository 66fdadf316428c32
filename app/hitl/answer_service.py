"""Answers given in another inbox, and where the run continues."""

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
    """`returnTo` as `node/mode` to the graph node that takes the answer up."""

    def __init__(self, routes: Mapping[str, str], *, refused: str | None = PLANNING) -> None:
        self._routes = MappingProxyType(dict(routes))
        self._refused = refused

    def destination(self, result: HitlResult) -> str:
        """The node that goes on with the answer; a refusal goes to one place, as a fact, where there is one.

        Raises `KeyError` for a `returnTo` that nobody registered.
        """
        if result.decision == "refused" and self._refused is not None:
            return self._routes[self._refused]
        return self._routes[result.return_to]

    @property
    def nodes(self) -> frozenset[str]:
        """Every node that an answer may lead to."""
        return frozenset(self._routes.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerService:
    """Records answers for all doors alike; `go_on` goes on with that to a question of the chat."""

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
        """The row after the answer. Raises `HitlNotPending` or `HitlExpired` where it comes too late,
        `Invalid` for one that the question does not take, `Forbidden` for one that is not theirs to give.
        `through` names the program that they answered in.
        """
        await self.refuse_late(row)
        result = self.meant(who, row, said, via=via, key=key)
        if through:
            result = result.model_copy(update={"by": f"{who.user}, through {through}"})
        return await self.conclude(row, result)

    def meant(
        self, who: Principal, row: PendingHitl, said: HitlAnswer, *, via: AnswerChannel, key: str
    ) -> HitlResult:
        """What was said, as the run goes on with it; raises `Invalid` or `Forbidden`."""
        now = datetime.now(UTC)
        result = result_of(row.question, said, by=who.user, via=via, key=key, now=now)
        refuse_unentitled(who, row.question, result)
        return result

    async def refuse_late(self, row: PendingHitl) -> None:
        """Raises for a question that is over; that one has expired is written down with that."""
        now = datetime.now(UTC)
        status = row.status_at(now)
        if status == "expired":
            await self.inbox.conclude(row.tenant, "expired", ended(row, "expired", now=now))
            self.bells.publish(row.tenant, row.task_id)
            raise HitlExpired
        if status != "pending":
            raise HitlNotPending(f"This question was {status} already")

    async def conclude(self, row: PendingHitl, result: HitlResult) -> PendingHitl:
        """The row after the answer, with its line in the session's history; raises where another one came
        first. All who wait with the task are told.
        """
        cancels = result.decision == "cancelled"
        status: HitlStatus = "cancelled" if cancels else "answered"
        stands = only_answer(await self.inbox.conclude(row.tenant, status, result), result)
        if row.source in CHAT_SOURCES:  # no runner waits with it: the chat goes on by itself
            await self.go_on(stands)
            return stands
        if not cancels:
            await self.store.messages.add([_line(row, result)])
        self.bells.publish(row.tenant, row.task_id)
        return stands


def said_of(question: str, result: HitlResult) -> str:
    """The words of an answer, without what was asked for as a secret."""
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
