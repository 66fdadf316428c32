"""The turns of a conversation: claimed in the ledger and held under the lease of its thread."""

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
BUSY = "This conversation is still being answered"
RECENT_LINES = 60  # lines in which the last message is looked up


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLease:
    """A claimed request, with its conversation as of the claim. `policy` and `budgets` are the tenant's;
    `budgets` is None without a model.
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
    """Claims and completes the turns of one process. `running` limits the tasks and turns of a tenant;
    `modelled`: model calls are paid for.
    """

    together: StoreBatch
    leases: LeaseManager
    running: int = RUNNING_TASKS
    modelled: bool = False

    async def begin(self, call: ChatCall) -> TurnLease | OperationStart:
        """Claim the request and its conversation, and store the message; returns the operation if the request
        runs elsewhere or has ended. Raises `NotFound` for a conversation of another user, `TaskBusy`,
        `TooManyTasks`, `HitlNotPending` or `RequestIdReused`.
        """
        return await self.together(lambda store: self._claim(store, call))

    async def _claim(self, store: Store, call: ChatCall) -> TurnLease | OperationStart:
        tenant, task_id = call.principal.tenant, chat_task_id(call.principal.tenant, call.thread_id)
        key, run_lease = f"chat:{call.request_id}", None
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
            run_lease = await acquire_lease(store, begun, tenant, key)
            if run_lease is None:
                raise TaskBusy(BUSY)
            call, replaced = await _resolve_replacement(store, call, found)
            await require_capacity(store, tenant, task_id, most=self.running)
            conversation = await _save_message(store, call, found, task_id)
            if replaced:
                await store.conversations.supersede(tenant, call.thread_id, replaced)
                superseded = (*conversation.superseded, replaced)
                conversation = conversation.model_copy(update={"superseded": superseded})
            policy = await store.policies.get(tenant)
            budgets = await store.budgets.get(tenant) if self.modelled else None
        except TabwrightError:
            if run_lease is not None:
                await store.leases.release(run_lease.lease)
            await store.operations.abandon(tenant, key, claim=begun.claim)
            raise
        return TurnLease(
            call=call,
            run_lease=run_lease,
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
        """Store the lines and the event, and release the conversation. Raises `RunLost`, with nothing stored,
        if another run has taken over. `title` renames the conversation, unless the person has renamed it
        meanwhile. `left` is a record that the review queue could not take.
        """
        tenant, thread_id = turn.call.principal.tenant, turn.call.thread_id
        run_lease = turn.run_lease

        async def write(store: Store) -> None:
            if left is not None:
                await store.outbox.add(left)
            await store.conversations.add_lines(tenant, thread_id, lines, at=datetime.now(UTC))
            old_title = turn.conversation.title
            if title is not None and title != old_title:
                await store.conversations.rename(tenant, thread_id, title, instead_of=old_title)
            if tuple(documents) != turn.conversation.documents:
                await store.conversations.set_documents(tenant, thread_id, documents)
            await store.operations.complete(tenant, run_lease.key, event, claim=run_lease.claim)

        await self.leases.finish(run_lease, write)


async def _resolve_replacement(
    store: Store, call: ChatCall, found: Conversation | None
) -> tuple[ChatCall, str | None]:
    """The call with the text of its message, and the turn that it replaces, if any; only the last turn can be
    replaced. A request whose process died comes here again. Raises `NotFound` or `Invalid`.
    """
    message = call.content
    if not isinstance(message, Message) or message.replaces is None:
        return call, None
    lines = await store.conversations.lines(
        call.principal.tenant, call.thread_id, limit=RECENT_LINES
    )
    messages = [line for line in lines if (line.role, line.kind) == ("user", "message")]
    old = next((line for line in messages if line.message_id == message.replaces), None)
    if found is None or old is None:
        raise NotFound("There is no such message")
    others = [line for line in messages if line.turn_id != call.request_id]
    if old not in (*current_lines(found, others)[-1:], *others[-1:]):
        raise Invalid("replaces: only the last message can be replaced")
    if not message.text.strip() and not message.mentions:
        call = replace(call, content=message_from_line(old))
    return call, old.turn_id


async def _save_message(
    store: Store, call: ChatCall, found: Conversation | None, task_id: str
) -> Conversation:
    """Store the message, in a new conversation if needed. Answers are stored once they are accepted."""
    now = datetime.now(UTC)
    if isinstance(call.content, Answer):
        assert found is not None
        return found
    conversation = found or await store.conversations.create(
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
    if conversation.user != call.principal.user:  # created by another user since the lookup
        raise NotFound(NO_CONVERSATION)
    await store.conversations.add_lines(
        call.principal.tenant, call.thread_id, [message_line(call, call.content, now)], at=now
    )
    return conversation
