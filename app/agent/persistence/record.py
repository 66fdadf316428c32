"""What a run leaves in the store: the task, its actions and the lines of its session."""

from contextlib import suppress

from app.agent.persistence.audit import answered, told_secrets, trail_of
from app.agent.persistence.repairs import repair_rows, settled_repairs
from app.agent.persistence.rows import (
    action_rows,
    choice_row,
    kept_predictions,
    kept_verdict,
    message_rows,
    session_row,
    task_row,
)
from app.agent.persistence.run_result import Pass
from app.domain.hitl import AuditEntry
from app.errors import NotFound
from app.hitl import trail
from app.store.port import Store


async def record(store: Store, done: Pass) -> None:
    """Write the rows of this pass; a task without any action leaves no row."""
    chain = done.chain
    statuses, sent = done.statuses, action_rows(done, chain) if chain else []
    if chain or done.task:
        await store.tasks.save(task_row(done))
    if statuses or sent:
        verdict, predictions = kept_verdict(done), kept_predictions(done)
        await store.actions.settle(
            done.tenant, statuses, verdict, then=sent, predictions=predictions if statuses else {}
        )
    await store.messages.add(message_rows(done))
    await keep_answers(store, done)
    if done.begins or (chain and done.task is None):
        new_task = chain is not None and done.task is None
        await store.sessions.touch(session_row(done), new_task=new_task)
    if (chosen := choice_row(done)) is not None:
        await store.choices.chose(chosen)
    await keep_repairs(store, done)
    if (ran := recipe_run(done)) is not None:
        recipe_id, worked = ran
        await store.recipes.ran(
            done.tenant, recipe_id, task_id=done.task_id, worked=worked, now=done.now
        )


async def keep_answers(store: Store, done: Pass) -> None:
    """Write what was done with answers; those that are secrets are forgotten where they waited."""
    if entries := [*await _ended(store, done), *trail_of(done)]:
        await store.audit.add(entries)
    for hitl_id, text in told_secrets(done).items():
        await store.hitl.forget(done.tenant, hitl_id, text)


async def _ended(store: Store, done: Pass) -> list[AuditEntry]:
    """That the question was asked and how it ended which this request answered: what a process that
    died did not get to write. What is there already stays as it is.
    """
    answer = done.call.answer
    if answer is None:
        return []
    row = answered(done)
    with suppress(NotFound):
        row = row or await store.hitl.get(done.tenant, answer.hitl_id)
    how = trail.ended(row) if row is not None else None
    return [trail.asked(row), how] if row is not None and how is not None else []


async def keep_repairs(store: Store, done: Pass) -> None:
    """Settle the correction that was tried, and write the one that is being sent."""
    mended = settled_repairs(done.repairing, done.state)
    tries = repair_rows(
        done.state,
        tenant=done.tenant,
        task_id=done.task_id,
        url=done.call.page.url,
        hidden=done.hidden,
        now=done.now,
    )
    if mended or tries:
        await store.corrections.settle(done.tenant, mended, then=tries)


def recipe_run(done: Pass) -> tuple[str, bool] | None:
    """The recipe that the task replayed and whether it worked, once that is known."""
    recipe, outcome = done.state["recipe"], done.state["outcome"]
    if recipe is None or outcome is None or outcome.status == "interrupted":
        return None
    return recipe.recipe_id, outcome.status == "completed"
