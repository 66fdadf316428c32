"""Every wait for a person has its gate, and every answer a node that goes on with it."""

from datetime import UTC, datetime
from typing import get_args

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from app.agent import routing
from app.agent.graph import build_graph
from app.agent.state import new_state
from app.chat.graph import ROUTES as OF_CHATS
from app.chat.graph import TABLE, build_chat
from app.domain.action import Chain
from app.domain.hitl import CHAT_SOURCES, HitlResult, Question, QuestionSource, ReturnTo
from app.domain.plan import Outcome, Plan, PlanStep

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TASKS = [source for source in get_args(QuestionSource) if source not in CHAT_SOURCES]
PLACES = [place for place in get_args(ReturnTo) if place not in TABLE]
PLAN = Plan(steps=(PlanStep(id="1", description="Press it"),))


def answered(return_to="planning/replan", decision="answered", **more):
    reply = HitlResult(hitl_id="h", decision=decision, return_to=return_to, at=NOW)
    return new_state("g", request_id="r", trace_id="t") | {"reply": reply, "plan": PLAN} | more


@pytest.mark.parametrize("source", TASKS)
def test_whoever_asks_has_a_gate_which_only_waits(source):
    asked = Question(text="?", source=source)
    gate = routing.gate_of(new_state("g", request_id="r", trace_id="t") | {"question": asked})
    assert gate in build_graph(InMemorySaver()).nodes


@pytest.mark.parametrize("return_to", PLACES)
def test_wherever_a_question_says_that_the_run_goes_on_is_a_node(return_to):
    found = routing.after_answer(answered(return_to, chain=Chain()))
    assert found in build_graph(InMemorySaver()).nodes
    assert routing.RESUME_ROUTER.nodes <= set(build_graph(InMemorySaver()).nodes)


def test_what_the_chat_asks_comes_back_to_a_node_of_the_chat():
    graph = build_chat(InMemorySaver())
    assert set(TABLE) | set(PLACES) == set(get_args(ReturnTo))
    for place in TABLE:
        for decision in ("answered", "refused"):
            reply = answered(place, decision)["reply"]
            assert OF_CHATS.destination(reply) == place.partition("/")[0]
    assert OF_CHATS.nodes <= set(graph.nodes)


def test_where_nobody_registered_nothing_goes_on():
    with pytest.raises(KeyError):
        routing.RESUME_ROUTER.destination(answered("chat/nowhere")["reply"])


@pytest.mark.parametrize("return_to", [place for place in PLACES if place != "execution/approved"])
def test_a_no_is_a_fact_for_planning_wherever_it_was_said(return_to):
    state = answered(return_to, "refused", chain=None)
    assert routing.after_answer(state) == "context_analysis"


def test_after_a_no_to_an_act_the_rest_of_the_plan_goes_on():
    state = answered("execution/approved", "refused", chain=None)
    assert routing.after_answer(state) == "step_refinement"
    assert routing.after_answer(state | {"plan": Plan()}) == "context_analysis"


@pytest.mark.parametrize("decision", ["cancelled", "expired"])
def test_what_was_ended_goes_nowhere(decision):
    ended = Outcome(status="interrupted", message="")
    assert (
        routing.after_answer(answered("execution/approved", decision, outcome=ended)) == "finalize"
    )


def test_what_was_agreed_to_and_is_gone_is_chosen_anew():
    assert routing.after_answer(answered("execution/approved", "approved")) == "step_refinement"
