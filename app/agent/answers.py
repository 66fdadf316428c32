"""What was said to the question that a thread waits with, whichever door it came through."""

from datetime import UTC, datetime

from app.agent.leases import RequestLease
from app.agent.state import AgentState
from app.agent.updates.replies import question_row_on
from app.agent.updates.takeover import drop_moot_question
from app.domain.hitl import HitlResult, HitlStatus, PendingHitl
from app.errors import HitlExpired, HitlNotPending
from app.hitl.answers import HitlAnswer, refuse_unentitled, result_of
from app.hitl.inbox import Inbox, ended, only_answer, refuse_stranger


async def resolve_answer(
    inbox: Inbox, claim: RequestLease, state: AgentState, *, waits: bool
) -> HitlResult | None:
    """The answer that this request brings or that another inbox recorded; None when there is none. One
    that is `expired` says that nobody answered in time.

    Another goal ends the question. Raises `HitlExpired` for a late answer, `HitlNotPending` where no
    question waits or another answer came first, `Invalid` for one that the question does not take,
    `NotFound` for whoever is not asked.
    """
    call, question = claim.call, state["question"] if waits else None
    answer = call.answer
    if answer is not None and (question is None or question.hitl_id != answer.hitl_id):
        await _reject_answer(inbox, claim, answer)
    if question is None:
        return None
    refuse_stranger(call.principal, state["user"])
    row = question_row_on(state, claim.task_id, call.page.url)
    if answer is None:
        return await _recorded_answer(inbox, claim, state, row)
    now = datetime.now(UTC)
    result = result_of(
        question, answer, by=call.principal.user, via="interact", key=call.request_id, now=now
    )
    status: HitlStatus = "cancelled" if result.decision == "cancelled" else "answered"
    refuse_unentitled(call.principal, question, result)
    # The rows of the pass tell of it, in one write with what was then done: see `records`.
    stands = await inbox.conclude(row.tenant, status, result, asked=row, tells=False)
    if call.cancels_task and stands.status != "pending":
        return result  # the run ends, whatever was answered and is not yet taken up
    return only_answer(stands, result).result


async def _recorded_answer(
    inbox: Inbox, claim: RequestLease, state: AgentState, asked: PendingHitl
) -> HitlResult | None:
    """What another inbox recorded, unless this request brings another goal."""
    call, now = claim.call, datetime.now(UTC)
    row = await inbox.find(asked.tenant, asked.hitl_id) or asked
    changed = call.query is not None and call.query != state["goal"]
    if (
        call.hand_back is not None
        and drop_moot_question(state, call.page, call.hand_back) is not None
    ):
        moot = ended(row, "cancelled", by=call.principal.user, now=now)
        stands = await inbox.conclude(row.tenant, "cancelled", moot, asked=asked)
        return stands.result if stands.status == "answered" else None
    if row.status == "pending" and row.status_at(now) == "expired":
        late = ended(row, "expired", now=now)
        row = await inbox.conclude(row.tenant, "expired", late, asked=asked)
    elif row.status == "pending" and changed:
        cancelled = ended(row, "cancelled", by=call.principal.user, now=now)
        await inbox.conclude(row.tenant, "cancelled", cancelled, asked=asked)
    return None if changed else row.result


async def _reject_answer(inbox: Inbox, claim: RequestLease, answer: HitlAnswer) -> None:
    """An answer to a question that does not wait: too late, or to none."""
    found = await inbox.find(claim.call.principal.tenant, answer.hitl_id)
    if found is not None and found.task_id == claim.task_id:
        refuse_stranger(claim.call.principal, found.user)
        if found.status_at(datetime.now(UTC)) == "expired":
            raise HitlExpired
    raise HitlNotPending
