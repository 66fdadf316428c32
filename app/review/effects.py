"""Applies a decision to the skill or memory behind the result, and notifies the requester.

| effect         | of a record that                          | what is done, once                          |
|----------------|-------------------------------------------|---------------------------------------------|
| `skill:<id>`   | names skills (`origin.skill_ids`)         | counts as `WEIGHT` uses, good or bad        |
| `episode`      | is of a task                              | the task's memory stores the decision       |
| `recipe`       | is of a recipe's good run, and rejected   | the run counts as a failure                 |
| `history`      | is of a task                              | a line in the requester's session           |
| `trail`        | is of a task                              | an entry in the task's audit trail          |
| `conversation` | is of an answer of the chat               | a line in the requester's conversation      |

MCP clients poll the status of records they submitted. Each effect is idempotent and recorded in a
ledger afterwards: if a process dies in between, `app.review.effects` does the rest later, and nothing
is done twice.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from uuid import NAMESPACE_URL, uuid5

import structlog

from app.domain.chat import ChatLine
from app.domain.hitl import AuditEntry
from app.domain.memory import OperatorJudgement
from app.domain.review import OUTCOMES, ReviewedRecord, ReviewOutcome
from app.domain.task import Message, Task
from app.errors import TabwrightError
from app.store.batch import StoreBatch
from app.store.repositories import Store
from app.store.reviews.port import Reviews
from app.threads import background_task

log = structlog.get_logger(__name__)

# Number of uses that an operator's decision counts as: a skill that helped twice and is rejected is
# not used again.
WEIGHT = 3
# The target of an effect may be written slightly later than the record, or be deleted.
WAITED_FOR = timedelta(hours=1)
SKILL = "skill:"
FIRST_S = 5.0  # delay after startup, which is busy enough
EVERY_S = 60.0
LOOKED_BACK = timedelta(days=30)
OVERLAP = timedelta(hours=2)  # of two scans: clocks differ, and a target may be up to an hour late
PAGE = 100


@dataclass(frozen=True, slots=True)
class DecisionEffects:
    """Carries out the effects of decisions, each exactly once. `notify` wakes a task's listeners."""

    together: StoreBatch
    notify: Callable[[str, str], None] | None = None

    async def __call__(self, reviewed: ReviewedRecord) -> None:
        await self.carry_out([reviewed])

    async def carry_out(self, records: Sequence[ReviewedRecord]) -> int:
        """Process several records of one tenant; returns how many had effects left."""
        if not records:
            return 0

        async def carry_out(store: Store) -> list[ReviewedRecord]:
            ids = [one.id for one in records]
            done = await store.effects.done(records[0].tenant_id, ids)
            handled = []
            for record in records:
                pending = [one for one in effects_of(record) if one not in done.get(record.id, ())]
                if pending:
                    await _carry_out(store, record, pending)
                    handled.append(record)
            return handled

        handled = await self.together(carry_out)
        for record in handled:
            if self.notify is not None and record.issue.task_id:
                self.notify(record.tenant_id, record.issue.task_id)
        return len(handled)


def effects_of(reviewed: ReviewedRecord) -> tuple[str, ...]:
    """The effects of a decision, in order: learning first, then notification."""
    origin, issue = reviewed.origin, reviewed.issue
    if origin.kind == "chat":
        return ("conversation",) if issue.thread_id else ()
    if not issue.task_id:
        return ()
    skills = dict.fromkeys(f"{SKILL}{one}" for one in origin.skill_ids)
    recipe = ("recipe",) if origin.recipe_id and reviewed.review.decision == "rejected" else ()
    return (*skills, "episode", *recipe, "history", "trail")


async def _carry_out(store: Store, record: ReviewedRecord, effects: Sequence[str]) -> None:
    """Carry out and record these effects. If a target stays missing for a while, its effect is dropped."""
    now = datetime.now(UTC)
    is_overdue = now - _decided_at(record) >= WAITED_FOR
    task_id = record.issue.task_id
    task = await store.tasks.find(record.tenant_id, task_id) if task_id else None
    if task is not None and task.user != record.origin.user:
        task = None  # a submitted record may name someone else's
    for effect in effects:
        if await _apply(store, record, task, effect) or is_overdue:
            await store.effects.add(record.tenant_id, record.id, [effect], at=now)


async def _apply(store: Store, record: ReviewedRecord, task: Task | None, effect: str) -> bool:
    """Carry out one effect; False if its target does not exist."""
    if effect == "conversation":
        return await _add_line(store, record)
    if task is None:
        return False
    tenant, judged = record.tenant_id, _judgement(record)
    if effect.startswith(SKILL):
        skill_id = effect.removeprefix(SKILL)
        return await store.skills.judge(tenant, skill_id, judged, weight=WEIGHT)
    if effect == "episode":
        return await store.episodes.judge(tenant, task.task_id, judged)
    if effect == "recipe":  # a failed run was already counted as a failure
        recipe_id = record.origin.recipe_id or ""
        return task.status != "completed" or await store.recipes.count_as_failure(
            tenant, recipe_id, record.id
        )
    if effect == "history":
        message = Message(
            message_id=_effect_id(record, effect),
            tenant=tenant,
            session_id=task.session_id,
            task_id=task.task_id,
            role="assistant",
            content=judged.line,
            created_at=_decided_at(record),
        )
        await store.messages.add([message])
    else:
        review = record.review
        entry = AuditEntry(
            entry_id=_effect_id(record, effect),
            tenant=tenant,
            task_id=task.task_id,
            kind="review_approved" if review.decision == "approved" else "review_rejected",
            by=review.operator.name,
            via="inbox",
            text=f"{review.notes} ({record.id})",
            at=_decided_at(record),
        )
        await store.audit.add([entry])
    return True


def _judgement(record: ReviewedRecord) -> OperatorJudgement:
    review = record.review
    return OperatorJudgement(
        record_id=record.id,
        decision=review.decision,
        notes=review.notes,
        at_ms=review.reviewed_at_ms,
    )


async def _add_line(store: Store, record: ReviewedRecord) -> bool:
    thread_id = record.issue.thread_id or ""
    conversation = await store.conversations.find(record.tenant_id, thread_id)
    if conversation is None or conversation.user != record.origin.user:
        return False
    at = _decided_at(record)
    line = ChatLine(
        message_id=_effect_id(record, "conversation"),
        tenant=record.tenant_id,
        thread_id=thread_id,
        turn_id=record.origin.message_id or record.id,
        role="system",
        kind="decision",
        content=_judgement(record).line,
        metadata={"record_id": record.id, "decision": record.review.decision},
        created_at=at,
    )
    await store.conversations.add_lines(record.tenant_id, thread_id, [line], at=at)
    return True


def _decided_at(record: ReviewedRecord) -> datetime:
    return datetime.fromtimestamp(record.review.reviewed_at_ms / 1000, UTC)


def _effect_id(record: ReviewedRecord, effect: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"{record.id}/{effect}"))


@dataclass(slots=True)
class Follower:
    """Scans decisions, newest first, and carries out pending effects.

    The first scan goes back 30 days; later ones overlap the previous scan.
    """

    reviews: Reviews
    effects: DecisionEffects
    looked: datetime | None = None

    async def scan(self) -> int:
        """Scan once; returns the number of records processed."""
        now = datetime.now(UTC)
        since = now - LOOKED_BACK if self.looked is None else self.looked - OVERLAP
        depths = (await self.reviews.tenants()).items()
        tenants = [tenant for tenant, depth in depths if depth.approved or depth.rejected]
        done = 0
        for tenant, outcome in product(tenants, OUTCOMES):
            async for page in self._pages(tenant, outcome, int(since.timestamp() * 1000)):
                done += await self.effects.carry_out(page)
        self.looked = now
        return done

    async def _pages(
        self, tenant: str, outcome: ReviewOutcome, since_ms: int
    ) -> AsyncIterator[Sequence[ReviewedRecord]]:
        after: tuple[int, str] | None = None
        while True:
            listed = await self.reviews.listed(tenant, outcome, limit=PAGE, after=after)
            page = [one for one in listed if isinstance(one, ReviewedRecord)]
            recent = [one for one in page if one.review.reviewed_at_ms >= since_ms]
            if recent:
                yield recent
            if len(listed) < PAGE or len(recent) < len(page) or not page:
                return
            after = (page[-1].review.reviewed_at_ms, page[-1].id)


@asynccontextmanager
async def run_follower(reviews: Reviews, effects: DecisionEffects) -> AsyncIterator[None]:
    follower = Follower(reviews, effects)

    async def repeat() -> None:
        await asyncio.sleep(FIRST_S)
        while True:
            try:
                await follower.scan()
            except TabwrightError as error:
                log.warning("decisions not followed up", error=error.detail)
            except Exception:
                log.exception("decisions not followed up")
            await asyncio.sleep(EVERY_S)

    async with background_task(repeat()):
        yield
