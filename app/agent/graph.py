"""The whole interact flow on one screen."""

from collections.abc import Mapping
from dataclasses import replace
from functools import wraps
from types import MappingProxyType
from typing import Any, Protocol

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from app.agent import routing
from app.agent.context import AgentContext, log
from app.agent.nodes.context_analysis import complexity_check, context_analysis, planning
from app.agent.nodes.correction import correction
from app.agent.nodes.finalize import finalize
from app.agent.nodes.lookup import reading, web_search
from app.agent.nodes.outcome_prediction import outcome_prediction
from app.agent.nodes.questions import await_person, put_question, take_answer
from app.agent.nodes.step_refinement import critic, direct_action, step_refinement
from app.agent.nodes.verification import execution, look, replanning, verification
from app.agent.state import AgentState, Patch
from app.domain.metrics.usage import TaskBudget
from app.errors import BudgetReached
from app.hitl import create_question
from app.usage import Allowance, budget_warning, create_budget_question

AgentGraph = CompiledStateGraph[AgentState, AgentContext, AgentState, AgentState]


def build_graph(checkpointer: BaseCheckpointSaver[Any]) -> AgentGraph:
    """Understand, plan, then act and check in a loop.

    `execution` and `look` wait for the browser, the gates for a person, whom `put_question` asked.
    """
    graph = StateGraph(AgentState, context_schema=AgentContext)
    graph.add_node("complexity_check", complexity_check)
    graph.add_node("direct_action", direct_action)
    graph.add_node("context_analysis", with_budget("context_analysis", context_analysis))
    graph.add_node("web_search", with_budget("web_search", web_search))
    graph.add_node("put_question", put_question)
    graph.add_node("take_answer", take_answer)
    graph.add_node("planning", with_budget("planning", planning))
    graph.add_node("step_refinement", with_budget("step_refinement", step_refinement))
    graph.add_node("reading", with_budget("reading", reading))
    graph.add_node("look", look)
    graph.add_node("critic", with_budget("critic", critic))
    graph.add_node("outcome_prediction", outcome_prediction)
    graph.add_node("execution", execution)
    graph.add_node("verification", with_budget("verification", verification))
    graph.add_node("replanning", with_budget("replanning", replanning))
    graph.add_node("correction", with_budget("correction", correction))
    graph.add_node("finalize", finalize)

    graph.add_edge(START, "complexity_check")
    graph.add_conditional_edges("complexity_check", routing.after_complexity_check)
    graph.add_conditional_edges("direct_action", routing.after_direct_action)
    graph.add_conditional_edges("context_analysis", routing.after_context_analysis)
    graph.add_conditional_edges("web_search", routing.after_web_search)
    graph.add_conditional_edges("put_question", routing.gate_of)
    for gate in routing.GATES.values():
        graph.add_node(gate, await_person)
        graph.add_edge(gate, "take_answer")
    graph.add_conditional_edges("take_answer", routing.after_answer)
    graph.add_conditional_edges("planning", routing.after_planning)
    graph.add_conditional_edges("step_refinement", routing.after_decision)
    graph.add_conditional_edges("reading", routing.after_reading)
    graph.add_edge("look", "step_refinement")
    graph.add_conditional_edges("critic", routing.after_decision)
    graph.add_conditional_edges("outcome_prediction", routing.after_outcome_prediction)
    graph.add_edge("execution", "verification")
    graph.add_conditional_edges("verification", routing.after_verification)
    graph.add_conditional_edges("replanning", routing.after_replanning)
    graph.add_conditional_edges("correction", routing.after_decision)
    graph.add_edge("finalize", END)
    return graph.compile(checkpointer=checkpointer)


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


STARTED, KNOWLEDGE, ADVICE = "start", "knowledge", "advice"
NODE_STATUS_MAP: Mapping[str, str] = MappingProxyType(
    {
        STARTED: "Reading the page…",
        KNOWLEDGE: "Looked in your documents",
        "complexity_check": "Read the instruction",
        "direct_action": "Looked for the element",
        "context_analysis": "Checked what is needed",
        "web_search": "Searched the web",
        "put_question": "Prepared a question",
        "planner_gate": "Got an answer",
        "missing_info_gate": "Got what was missing",
        "selection_gate": "Got a choice",
        "risk_gate": "Got a decision",
        "budget_gate": "Got a decision on the budget",
        "take_answer": "Read the answer",
        "planning": "Made a plan",
        "step_refinement": "Chose the next action",
        "reading": "Read the page",
        "look": "Got another view of the page",
        "critic": "Double-checked the choice",
        "outcome_prediction": "Predicted the outcome",
        "execution": "Waiting for the page…",
        "verification": "Checked what changed",
        "replanning": "Compared the plan with the page",
        "correction": "Looked for another way",
        "finalize": "Finishing",
    }
)


def start_event(task_id: str) -> dict[str, Any]:
    """The status event of a run that starts; it names the task, so that it can be cancelled."""
    return {
        "type": "status",
        "node": STARTED,
        "message": NODE_STATUS_MAP[STARTED],
        "taskId": task_id,
    }


def status_event(node: str, patch: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The status event of a node that ended with this patch, with what it searched, found or chose."""
    return {
        "type": "status",
        "node": node,
        "message": NODE_STATUS_MAP[node],
        **_details(patch or {}),
    }


def _details(patch: Mapping[str, Any]) -> dict[str, Any]:
    more: dict[str, Any] = {}
    background, chain = patch.get("background"), patch.get("chain")
    if background is not None and "lookups" in patch and background.searches:
        more["webQuery"] = background.searches[-1].query
    if background is not None and "known" in patch and background.knowledge:
        found = {one.document_id or one.title: one.title for one in background.knowledge}
        more["docsFound"] = [{"id": id_, "title": title} for id_, title in found.items()]
    if chain is not None and chain.actions and chain.actions[0].element:
        more["element"] = chain.actions[0].element
    return more
