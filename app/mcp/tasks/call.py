"""Carrying a call through: wait with the task, have the person asked, tell how it came out."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import anyio
from mcp import MCPError
from mcp.server.mcpserver import Context
from mcp_types import ElicitRequestFormParams, ElicitResult, InputRequiredResult
from pydantic import ValidationError

from app.domain.access import Principal
from app.domain.base import Value
from app.domain.hitl import PendingHitl
from app.errors import Forbidden, HitlExpired, HitlNotPending, Invalid, TabwrightError
from app.hitl.answering import Answering
from app.mcp.identity import client_of
from app.mcp.services import Services
from app.mcp.tasks.elicitation import (
    ANSWER,
    answer_of,
    asks_by_result,
    can_ask,
    form_of,
    is_for_the_browser,
)
from app.mcp.tasks.watch import TaskSnapshot, TaskWatch, told
from app.mcp.tools import ToolReply

WITHIN_S = 600.0  # a call's longest wait; the task goes on without it
GONE = "The assistant that asked for it went away"
TRIES = 3  # of an answer that the question does not take
KEY = "question"


class CallState(Value):
    """What a call of the newer protocol leaves with its client, sealed, to go on with when it comes again."""

    delegation_id: str | None = None
    task_id: str | None = None
    asked: str = ""
    tries: int = 0
    left: tuple[str, ...] = ()  # questions that are the person's to answer in their browser


def round_of(ctx: Context[Any, Any]) -> CallState | None:
    """What was left at the call before; None at the first."""
    if ctx.request_state is None:
        return None
    try:
        return CallState.model_validate_json(ctx.request_state)
    except ValidationError:
        raise Invalid("request_state: it is none of this server's") from None


def answering(made: Services) -> Answering:
    """Where answers are recorded."""
    return Answering(store=made.store, inbox=made.inbox, bells=made.bells, go_on=made.chat.go_on)


async def recorded(
    made: Services, ctx: Context[Any, Any], who: Principal, row: PendingHitl, given: object
) -> str:
    """Record an answer; "" when that is done, or was by another door before. Else what is wrong with it."""
    client, _ = client_of(ctx)
    try:
        said = answer_of(row.question, given)
        await answering(made).answer(
            who, row, said, via="mcp", key=f"mcp:{uuid4()}", through=client or "MCP"
        )
    except (HitlNotPending, HitlExpired):
        return ""
    except (Invalid, Forbidden) as wrong:
        return wrong.detail
    return ""


@dataclass(slots=True, kw_only=True)
class ToolCall:
    """One call's way with one task."""

    made: Services
    ctx: Context[Any, Any]
    who: Principal
    watching: TaskWatch
    round: CallState = field(default_factory=CallState)
    problem: str = ""  # with the answer before
    _steps: int = 0

    async def through(self) -> ToolReply:
        """Wait and ask until the task is over, or the client has to do something, or it took too long. Who
        goes away while nothing has begun takes the task back.
        """
        try:
            await self._heard()
            return await self._carried()
        except asyncio.CancelledError:
            with anyio.CancelScope(shield=True):
                await self._taken_back()
            raise

    async def _carried(self) -> ToolReply:
        while True:
            seen = await self.watching.until(
                lambda look: look.over or self._puts(look), self._tell, within_s=WITHIN_S
            )
            row = seen.question
            if seen.over or row is None or not self._puts(seen):
                return await told(self.made, self.who, seen)
            if not can_ask(self.ctx):
                return await told(self.made, self.who, seen)
            if is_for_the_browser(row.question):
                self._leave(row)
            elif asks_by_result(self.ctx):
                return self._put_by_result(seen, row)
            elif not await self._put_now(row):
                return await told(self.made, self.who, await self.watching.look())

    def _puts(self, look: TaskSnapshot) -> bool:
        """Whether a question waits that is not left to the person."""
        asked = look.question
        return asked is not None and asked.hitl_id not in self.round.left

    def _leave(self, row: PendingHitl) -> None:
        left = (*self.round.left, row.hitl_id)
        self.round = self.round.model_copy(update={"left": left, "asked": "", "tries": 0})

    def _put_by_result(self, seen: TaskSnapshot, row: PendingHitl) -> ToolReply:
        again = self.round.asked == row.hitl_id
        asked = seen.delegation
        left = CallState(
            delegation_id=asked.delegation_id if asked is not None else None,
            task_id=seen.task_id,
            asked=row.hitl_id,
            tries=self.round.tries + 1 if again else 1,
            left=self.round.left,
        )
        request = form_of(self.ctx, row.question, row.goal, self.problem)
        return InputRequiredResult(
            input_requests={KEY: request}, request_state=left.model_dump_json()
        )

    async def _heard(self) -> None:
        """What the person said to the question of the call before, if it still waits."""
        asked = self.round.asked
        if not asked:
            return
        reply = (self.ctx.input_responses or {}).get(KEY)
        row = (await self.watching.look()).question
        if row is not None and row.hitl_id == asked and not is_for_the_browser(row.question):
            await self._took(row, reply if isinstance(reply, ElicitResult) else None)

    async def _took(self, row: PendingHitl, reply: ElicitResult | None) -> None:
        """Record the answer; one that is declined, or wrong too often, is left to the person."""
        if reply is None or reply.action != "accept":
            self._leave(row)
            return
        given = (reply.content or {}).get(ANSWER)
        self.problem = (
            "Nothing was answered."
            if given is None
            else await recorded(self.made, self.ctx, self.who, row, given)
        )
        if self.problem and self.round.tries >= TRIES:
            self._leave(row)
            self.problem = ""

    async def _put_now(self, row: PendingHitl) -> bool:
        """Ask in the middle of the call, unless it is answered elsewhere first; False where this client
        cannot be asked after all.
        """
        tries = self.round.tries + 1 if self.round.asked == row.hitl_id else 1
        self.round = self.round.model_copy(update={"asked": row.hitl_id, "tries": tries})
        form = form_of(self.ctx, row.question, row.goal, self.problem).params
        assert isinstance(form, ElicitRequestFormParams)
        asking = asyncio.ensure_future(
            self.ctx.session.elicit_form(
                form.message, form.requested_schema, related_request_id=self.ctx.request_id
            )
        )
        moot = asyncio.ensure_future(
            self.watching.until(
                lambda look: look.question is None or look.question.hitl_id != row.hitl_id,
                self._tell,
                within_s=WITHIN_S,
            )
        )
        try:
            await asyncio.wait((asking, moot), return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                return True
            try:
                reply = asking.result()
            except (MCPError, ValidationError):
                return False
            self.problem = ""
            await self._took(row, reply)
            return True
        finally:
            for one in (asking, moot):
                one.cancel()
            with suppress(BaseException):
                await asyncio.gather(asking, moot, return_exceptions=True)

    async def _tell(self, line: str) -> None:
        self._steps += 1
        await self.ctx.report_progress(self._steps, None, line)

    async def _taken_back(self) -> None:
        asked = self.watching.delegation_id
        if asked is None:
            return
        with suppress(TabwrightError):
            found = await self.made.delegating.of(self.who, asked)
            if found.status in ("waiting", "allowed"):
                await self.made.delegating.cancel(self.who, asked, GONE)
