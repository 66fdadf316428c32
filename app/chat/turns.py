"""What a request of the chat holds while it works: its claim in the ledger, and the lease of its thread."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from app.chat.calls import Answer, ChatCall, Message, chat_message_id, chat_task_id
from app.chat.output.lines import conversation_title, current_lines, message_from_line, message_line
from app.domain.access import Policy
from app.domain.chat import ChatLine, Conversation, DocumentRef
from app.domain.metrics.usage import Budgets
from app.domain.review import Submission
from app.errors import HitlNotPending, Invalid, NotFound, TabwrightError, TaskBusy
from app.runs import (
    CLAIM_TTL_S,
    RUNNING_TASKS,
    LeaseManager,
    RunLease,
    acquire_lease,
    require_capacity,
)
from app.store.batch import StoreBatch
from app.store.repositories import Store
from app.store.tasks.operations import OperationStart
from app.usage import Spender

NO_CONVERSATION = "There is no such conversation"
RECENT_LINES = 60  # lines among which the last message is looked for
BUSY = "This conversation is still being answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLease:
    """A request that is ours to run, with what it holds and its conversation as it stood. `policy` and
    `budgets` are the tenant's, the latter only if there is a model.
    """

    call: ChatCall
    run_lease: RunLease
    task_id: str
    conversation: Conversation
    policy: Policy
    budgets: Budgets | None = None

    @property
    def spender(self) -> Spender:
        return Spender(
            tenant=self.call.principal.tenant,
            user=self.call.principal.user,
            session_id=self.call.thread_id,
            task_id=self.task_id,
            trace_id=self.call.trace_id,
            request_id=self.call.request_id,
            message_id=chat_message_id(self.call, "response"),
        )


@dataclass(frozen=True, slots=True)
class TurnLeases:
    """Takes and returns turns, for one process. `modelled`: calls are paid for; `running`: tasks and turns of
    one tenant at once.
    """

    together: StoreBatch
    leases: LeaseManager
    running: int = RUNNING_TASKS
    modelled: bool = False

    async def begin(self, call: ChatCall) -> TurnLease | OperationStart:
        """Claim the request and its conversation, and keep what was said; what is known of it when it runs
        elsewhere or is done. Raises `NotFound` for another's, `TaskBusy`, `TooManyTasks`,
        `HitlNotPending` or `RequestIdReused`.
        """
        return await self.together(lambda store: self._take(store, call))

    async def _take(self, store: Store, call: ChatCall) -> TurnLease | OperationStart:
        tenant, task_id = call.principal.tenant, chat_task_id(call.principal.tenant, call.thread_id)
        key, held = f"chat:{call.request_id}", None
        begun = await store.operations.begin(
            tenant, key, fingerprint=call.body_hash, task_id=task_id, ttl_s=CLAIM_TTL_S
        )
        if begun.state != "new":
            return begun
        begun.refuse_lost()
        try:
            found = await store.conversations.find(tenant, call.thread_id)
            if found is not None and found.user != call.principal.user:
                raise NotFound(NO_CONVERSATION)
            if found is None and isinstance(call.content, Answer):
                raise HitlNotPending
            held = await acquire_lease(store, begun, tenant, key)
            if held is None:
                raise TaskBusy(BUSY)
            call, replaced = await _resolve_replacement(store, call, found)
            await require_capacity(store, tenant, task_id, most=self.running)
            conversation = await _save_message(store, call, found, task_id)
            if replaced:
                await store.conversations.supersede(tenant, call.thread_id, replaced)
                gone = (*conversation.superseded, replaced)
                conversation = conversation.model_copy(update={"superseded": gone})
            policy = await store.policies.get(tenant)
            budgets = await store.budgets.get(tenant) if self.modelled else None
        except TabwrightError:
            if held is not None:
                await store.leases.release(held.lease)
            await store.operations.abandon(tenant, key, claim=begun.claim)
            raise
        return TurnLease(
            call=call,
            run_lease=held,
            task_id=task_id,
            conversation=conversation,
            policy=policy,
            budgets=budgets,
        )

    async def complete(
        self,
        turn: TurnLease,
        event: dict[str, Any],
        lines: Sequence[ChatLine],
        documents: Sequence[DocumentRef],
        *,
        title: str | None = None,
        left: Submission | None = None,
    ) -> None:
        """Store the lines and the answer for a repeat, and release the conversation; raises `RunLost`, with
        nothing stored, if the turn is lost. `title` renames the conversation, unless the person has
        meanwhile. `left` is the record that the review queue could not take.
        """
        tenant, thread_id, held = turn.call.principal.tenant, turn.call.thread_id, turn.run_lease

        async def write(store: Store) -> None:
            if left is not None:
                await store.outbox.add(left)
            await store.conversations.say(tenant, thread_id, lines, at=datetime.now(UTC))
            was = turn.conversation.title
            if title is not None and title != was:
                await store.conversations.rename(tenant, thread_id, title, instead_of=was)
            if tuple(documents) != turn.conversation.documents:
                await store.conversations.settle(tenant, thread_id, documents)
            await store.operations.complete(tenant, held.key, event, claim=held.claim)

        await self.leases.finish(held, write)


async def _resolve_replacement(
    store: Store, call: ChatCall, found: Conversation | None
) -> tuple[ChatCall, str | None]:
    """The request with what it says, and the turn that it replaces, if any: only the last one. The same
    request comes here again if its process died. Raises `NotFound`, or `Invalid` for an earlier one.
    """
    said = call.content
    if not isinstance(said, Message) or said.replaces is None:
        return call, None
    lines = await store.conversations.lines(
        call.principal.tenant, call.thread_id, limit=RECENT_LINES
    )
    asked = [one for one in lines if (one.role, one.kind) == ("user", "message")]
    old = next((one for one in asked if one.message_id == said.replaces), None)
    if found is None or old is None:
        raise NotFound("There is no such message")
    others = [one for one in asked if one.turn_id != call.request_id]
    if old not in (*current_lines(found, others)[-1:], *others[-1:]):
        raise Invalid("replaces: only the last message can be said anew")
    if not said.text.strip() and not said.mentions:
        call = replace(call, content=message_from_line(old))
    return call, old.turn_id


async def _save_message(
    store: Store, call: ChatCall, found: Conversation | None, task_id: str
) -> Conversation:
    """The conversation, created if need be, with the message. An answer is stored once it is taken."""
    now = datetime.now(UTC)
    if isinstance(call.content, Answer):
        assert found is not None
        return found
    conversation = found or await store.conversations.begin(
        Conversation(
            thread_id=call.thread_id,
            tenant=call.principal.tenant,
            user=call.principal.user,
            task_id=task_id,
            title=conversation_title(call.content.text, call.content.mentions),
            created_at=now,
            updated_at=now,
        )
    )
    if conversation.user != call.principal.user:  # begun by another since it was looked for
        raise NotFound(NO_CONVERSATION)
    await store.conversations.say(
        call.principal.tenant, call.thread_id, [message_line(call, call.content, now)], at=now
    )
    return conversation
