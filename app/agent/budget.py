"""Asks a person before a model call would exceed the budget."""

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
    """A node that reasons."""

    async def __call__(self, state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
        """What it changes."""
        ...


def with_budget(name: str, node: Node) -> Node:
    """The node, which asks the person where a call may not leave any more. It is done again after the
    answer: a node changes nothing before it returns.
    """

    @wraps(node)
    async def within(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
        allowance, known = runtime.context.allowance, state["spending"]
        if known.without_model:
            rules = replace(runtime.context, has_model=False, search=None)
            return await node(state, runtime.override(context=rules))
        if allowance is None:
            return await node(state, runtime)
        allowance.spending = known
        try:
            patch = await node(state, runtime)
        except BudgetReached:
            patch = _ask_for_budget(allowance, runtime.context, name)
        return patch | _record_estimate(allowance, known, runtime.context)

    return within


def _ask_for_budget(allowance: Allowance, context: AgentContext, node: str) -> Patch:
    """The question whether to spend more; the node named goes on with the answer."""
    stop = allowance.stopped
    assert stop is not None
    asked = create_budget_question(
        stop, allowance, node=node, operator=context.who.has_scope("operator")
    )
    log.warning(
        "budget reached", scope=stop.bound.scope, spentNanoUsd=stop.spent, limitNanoUsd=stop.limit
    )
    return {"question": create_question(asked, context.request_id)}


def _record_estimate(allowance: Allowance, known: TaskBudget, context: AgentContext) -> Patch:
    """The estimate, and what the person is warned of, once for each limit."""
    estimate = known.estimate or allowance.estimate
    near = [one for one in allowance.statuses() if one.state != "ok"]
    new = tuple(one for one in near if one.scope not in known.warned)
    if not new and estimate is known.estimate:
        return {}
    for one in new if allowance.stopped is None else ():  # a question says it itself
        allowance.warnings.append(budget_warning(one))
        log.warning("budget nearly reached", scope=one.scope, taskId=context.task_id)
    warned = (*known.warned, *(one.scope for one in new))
    return {"spending": known.model_copy(update={"estimate": estimate, "warned": warned})}
