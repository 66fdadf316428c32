"""One tool call: wait for the task, relay its questions, and return the result."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from uuid import uuid4

import anyio
from mcp import MCPError
from mcp_types import ElicitResult
from pydantic import ValidationError

from app.domain.access import Principal
from app.domain.base import Value
from app.domain.hitl import PendingHitl
from app.errors import Forbidden, HitlExpired, HitlNotPending, Invalid, TabwrightError
from app.hitl import AnswerService
from app.mcp.services import Services
from app.mcp.tasks.elicitation import (
    ANSWER,
    answer_of,
    ask_by_result,
    ask_now,
    asks_by_result,
    can_ask,
    form_of,
    needs_browser,
    previous_reply,
)
from app.mcp.tasks.watch import TaskSnapshot, TaskWatch, task_result
from app.mcp.tools import ToolContext, ToolReply, client_of

MAX_WAIT_S = 600.0  # of a call; the task continues without it
DISCONNECTED = "The assistant that requested it disconnected."
TRIES = 3  # for an answer that the question accepts


class CallState(Value):
    """The sealed state that a call of the newer protocol leaves with its client for the next round."""

    delegation_id: str | None = None
    task_id: str | None = None
    asked: str = ""
    tries: int = 0
    left: tuple[str, ...] = ()  # questions left for the user to answer in the browser


def call_state(ctx: ToolContext) -> CallState | None:
    """The state of the previous round; None in the first one."""
    if ctx.request_state is None:
        return None
    try:
        return CallState.model_validate_json(ctx.request_state)
    except ValidationError:
        raise Invalid("request_state: not created by this server.") from None


async def record_answer(
    services: Services,
    ctx: ToolContext,
    principal: Principal,
    row: PendingHitl,
    given: object,
) -> str:
    """Record an answer. Returns "" if it was recorded (or answered elsewhere), else the problem with it."""
    client, _ = client_of(ctx)
    answers = AnswerService(
        store=services.store,
        inbox=services.inbox,
        task_events=services.task_events,
        go_on=services.chat.resume_answered,
    )
    try:
        answer = answer_of(row.question, given)
        await answers.answer(
            principal, row, answer, via="mcp", key=f"mcp:{uuid4()}", through=client or "MCP"
        )
    except (HitlNotPending, HitlExpired):
        return ""
    except (Invalid, Forbidden) as error:
        return error.detail
    return ""


@dataclass(slots=True, kw_only=True)
class ToolCall:
    """One call that waits for one task."""

    services: Services
    ctx: ToolContext
    principal: Principal
    watch: TaskWatch
    round: CallState = field(default_factory=CallState)
    problem: str = ""  # with the previous answer
    _steps: int = 0

    async def run(self) -> ToolReply:
        """Wait until the task ends, the client has to act, or the time is up. A client that disconnects
        before the task has started withdraws it.
        """
        try:
            await self._take_previous_answer()
            return await self._wait()
        except asyncio.CancelledError:
            with anyio.CancelScope(shield=True):
                await self._withdraw()
            raise

    async def _wait(self) -> ToolReply:
        while True:
            seen = await self.watch.until(
                lambda snapshot: snapshot.has_ended or self._has_open_question(snapshot),
                self._report,
                within_s=MAX_WAIT_S,
            )
            row = seen.question if self._has_open_question(seen) else None
            if seen.has_ended or row is None or not can_ask(self.ctx):
                return await task_result(self.services, self.principal, seen)
            if needs_browser(row.question):
                self._leave_to_user(row)
            elif asks_by_result(self.ctx):
                return self._ask_by_result(seen, row)
            elif not await self._ask_now(row):
                return await task_result(self.services, self.principal, await self.watch.load())

    def _has_open_question(self, snapshot: TaskSnapshot) -> bool:
        """Whether a question is pending that is not left to the user."""
        question = snapshot.question
        return question is not None and question.hitl_id not in self.round.left

    def _leave_to_user(self, row: PendingHitl) -> None:
        left = (*self.round.left, row.hitl_id)
        self.round = self.round.model_copy(update={"left": left, "asked": "", "tries": 0})

    def _ask_by_result(self, snapshot: TaskSnapshot, row: PendingHitl) -> ToolReply:
        self._count_try(row)
        delegation_id = (
            snapshot.delegation.delegation_id if snapshot.delegation is not None else None
        )
        ids = {"delegation_id": delegation_id, "task_id": snapshot.task_id}
        state = self.round.model_copy(update=ids)
        return ask_by_result(form_of(self.ctx, row.question, row.goal, self.problem), state)

    def _count_try(self, row: PendingHitl) -> None:
        tries = self.round.tries + 1 if self.round.asked == row.hitl_id else 1
        self.round = self.round.model_copy(update={"asked": row.hitl_id, "tries": tries})

    async def _take_previous_answer(self) -> None:
        """Record the answer to the question of the previous round, if that is still pending."""
        if not self.round.asked:
            return
        row = (await self.watch.load()).question
        if row is not None and row.hitl_id == self.round.asked and not needs_browser(row.question):
            await self._take_answer(row, previous_reply(self.ctx))

    async def _take_answer(self, row: PendingHitl, reply: ElicitResult | None) -> None:
        """Record the answer; a question declined or answered wrongly too often is left to the user."""
        if reply is None or reply.action != "accept":
            self._leave_to_user(row)
            return
        given = (reply.content or {}).get(ANSWER)
        self.problem = (
            "The answer is empty."
            if given is None
            else await record_answer(self.services, self.ctx, self.principal, row, given)
        )
        if self.problem and self.round.tries >= TRIES:
            self._leave_to_user(row)
            self.problem = ""

    async def _ask_now(self, row: PendingHitl) -> bool:
        """Elicit the answer during the call, unless it is answered elsewhere first. False if the client does
        not support it after all.
        """
        self._count_try(row)
        form = form_of(self.ctx, row.question, row.goal, self.problem)
        elicitation = asyncio.ensure_future(ask_now(self.ctx, form))
        answered_elsewhere = asyncio.ensure_future(
            self.watch.until(
                lambda snapshot: (
                    snapshot.question is None or snapshot.question.hitl_id != row.hitl_id
                ),
                self._report,
                within_s=MAX_WAIT_S,
            )
        )
        try:
            await asyncio.wait(
                (elicitation, answered_elsewhere), return_when=asyncio.FIRST_COMPLETED
            )
            if not elicitation.done():
                return True
            try:
                reply = elicitation.result()
            except (MCPError, ValidationError):
                return False
            self.problem = ""
            await self._take_answer(row, reply)
            return True
        finally:
            elicitation.cancel()
            answered_elsewhere.cancel()
            with suppress(BaseException):
                await asyncio.gather(elicitation, answered_elsewhere, return_exceptions=True)

    async def _report(self, line: str) -> None:
        self._steps += 1
        await self.ctx.report_progress(self._steps, None, line)

    async def _withdraw(self) -> None:
        delegation_id = self.watch.delegation_id
        if delegation_id is None:
            return
        with suppress(TabwrightError):
            delegation = await self.services.delegations.of(self.principal, delegation_id)
            if delegation.status in ("waiting", "allowed"):
                await self.services.delegations.cancel(self.principal, delegation_id, DISCONNECTED)
