"""Asks a person before a model call of a node would exceed the budget."""

from dataclasses import replace
from functools import wraps
from typing import Protocol

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, log
from app.agent.state import AgentState, Patch
from app.domain.metrics.usage import TaskBudget
from app.errors import BudgetReached
from app.hitl import create_question
from app.usage import Allowance, budget_warning, create_budget_question


class Node(Protocol):
    """A node that may call a model."""

    __name__: str

    async def __call__(self, state: AgentState, runtime: Runtime[AgentContext]) -> Patch: ...


def with_budget(node: Node) -> Node:
    """Wrap a node so that it asks the person before a model call would exceed the budget.

    The node reruns after the answer, so it must not have side effects before it returns.
    """

    @wraps(node)
    async def run_within_budget(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
        context, allowance, spending = runtime.context, runtime.context.allowance, state["spending"]
        if spending.without_model:
            rules_only = replace(context, has_model=False, search=None)
            return await node(state, runtime.override(context=rules_only))
        if allowance is None:
            return await node(state, runtime)
        allowance.spending = spending
        try:
            patch = await node(state, runtime)
        except BudgetReached:
            patch = _ask_for_budget(allowance, context, node.__name__)
        return patch | _record_estimate(allowance, spending, context)

    return run_within_budget


def _ask_for_budget(allowance: Allowance, context: AgentContext, node: str) -> Patch:
    """Ask whether to spend more; the run continues at `node` after the answer."""
    stop = allowance.stopped
    assert stop is not None
    is_operator = context.who.has_scope("operator")
    question = create_budget_question(stop, allowance, node=node, operator=is_operator)
    log.warning(
        "budget reached", scope=stop.bound.scope, spentNanoUsd=stop.spent, limitNanoUsd=stop.limit
    )
    return {"question": create_question(question, context.request_id)}


def _record_estimate(allowance: Allowance, known: TaskBudget, context: AgentContext) -> Patch:
    """Store the estimate, and warn the person once of each limit that is near."""
    estimate = known.estimate or allowance.estimate
    near = [
        one for one in allowance.statuses() if one.state != "ok" and one.scope not in known.warned
    ]
    if not near and estimate is known.estimate:
        return {}
    for status in near if allowance.stopped is None else ():  # a budget question says it already
        allowance.warnings.append(budget_warning(status))
        log.warning("budget nearly reached", scope=status.scope, taskId=context.task_id)
    warned = (*known.warned, *(status.scope for status in near))
    return {"spending": known.model_copy(update={"estimate": estimate, "warned": warned})}
