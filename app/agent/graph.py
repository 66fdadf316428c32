"""The flow of the agent on one screen."""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from app.agent import routing
from app.agent.budget import with_budget
from app.agent.context import AgentContext
from app.agent.nodes.complexity_check import complexity_check
from app.agent.nodes.context_analysis import context_analysis
from app.agent.nodes.correction import correction
from app.agent.nodes.critic import critic
from app.agent.nodes.direct_action import direct_action
from app.agent.nodes.finalize import finalize
from app.agent.nodes.outcome_prediction import outcome_prediction
from app.agent.nodes.planning import planning
from app.agent.nodes.reading import reading
from app.agent.nodes.replanning import replanning
from app.agent.nodes.step_refinement import step_refinement
from app.agent.nodes.verification import verification
from app.agent.nodes.waits import await_person, execution, look, put_question, take_answer
from app.agent.nodes.web_search import web_search
from app.agent.state import AgentState

AgentGraph = CompiledStateGraph[AgentState, AgentContext, AgentState, AgentState]


def build_graph(checkpointer: BaseCheckpointSaver[Any]) -> AgentGraph:
    """Understand, plan, then act and verify in a loop.

    `execution` and `look` wait for the browser, the gates for the answer to a question.
    """
    graph = StateGraph(AgentState, context_schema=AgentContext)
    graph.add_node(complexity_check)
    graph.add_node(direct_action)
    graph.add_node(with_budget(context_analysis))
    graph.add_node(with_budget(web_search))
    graph.add_node(put_question)
    graph.add_node(take_answer)
    graph.add_node(with_budget(planning))
    graph.add_node(with_budget(step_refinement))
    graph.add_node(with_budget(reading))
    graph.add_node(look)
    graph.add_node(with_budget(critic))
    graph.add_node(outcome_prediction)
    graph.add_node(execution)
    graph.add_node(with_budget(verification))
    graph.add_node(with_budget(replanning))
    graph.add_node(with_budget(correction))
    graph.add_node(finalize)

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
