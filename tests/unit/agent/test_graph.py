"""Which nodes a goal visits, and what the thread keeps."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from app.agent.context import AgentContext
from app.agent.graph import build_graph
from app.agent.state import new_state
from app.api.routes.interact.request import InteractRequest
from app.domain.action import ClientReport
from app.reasoners.rules import RuleReasoner
from app.runs.graph import thread_config
from tests.fakes.clinic import ClinicPage

GOAL = "Add a new patient with name 'Jas'"


def seen(page, **report):
    looked = InteractRequest.model_validate({**page.observation(), "query": "x"})
    return AgentContext(
        reasoner=RuleReasoner(),
        page=looked.observation(),
        report=ClientReport(**report),
        request_id="r",
        max_steps=50,
    )


async def visit(graph, given, context, name="t"):
    stream = graph.astream(given, thread_config(name), context=context, stream_mode="updates")
    return [node async for update in stream for node in update]


def begun(goal):
    return new_state(goal, request_id="r", trace_id="t")


@pytest.mark.parametrize(
    ("goal", "path"),
    [
        ("Click Home", ["complexity_check", "direct_action", "outcome_prediction", "__interrupt__"]),
        (
            GOAL,
            ["complexity_check", "context_analysis", "planning", "step_refinement",
             "outcome_prediction", "__interrupt__"],
        ),
        ("hello", ["complexity_check", "context_analysis", "finalize"]),
    ],
)  # fmt: skip
async def test_the_way_in(goal, path):
    graph = build_graph(InMemorySaver())
    assert await visit(graph, begun(goal), seen(ClinicPage())) == path


async def test_a_continuation_verifies_and_takes_the_next_step():
    graph, page = build_graph(InMemorySaver()), ClinicPage()
    await visit(graph, begun(GOAL), seen(page))
    page.do('click("2")')
    visited = await visit(graph, Command(resume="r2"), seen(page))
    assert visited == [
        "execution", "verification", "replanning", "step_refinement", "outcome_prediction",
        "__interrupt__",
    ]  # fmt: skip


async def test_a_failure_is_corrected_or_ended():
    graph, page = build_graph(InMemorySaver()), ClinicPage()
    await visit(graph, begun("Click Home"), seen(page))
    failed = seen(page, status="failure", error_code="NOT_INTERACTABLE", error_message="covered")
    visited = await visit(graph, Command(resume="r2"), failed)
    assert visited[:3] == ["execution", "verification", "correction"]


async def test_the_page_is_not_in_the_thread_and_what_is_comes_back_equal():
    saver = InMemorySaver()
    graph, page = build_graph(saver), ClinicPage(noise=50)
    await visit(graph, begun(GOAL), seen(page))
    kept = (await graph.aget_state(thread_config("t"))).values
    assert "Record 7" not in str(
        {key: value for key, value in kept.items() if key != "page_before"}
    )
    assert kept["chain"].actions[0].action.text == 'click("2")'
    assert kept["plan"].steps[0].directive is not None
    assert kept["instruction"].text == GOAL


async def test_the_step_limit_ends_a_task():
    graph, page = build_graph(InMemorySaver()), ClinicPage()
    context = seen(page)
    state = begun(GOAL) | {"steps": 50}
    assert (await visit(graph, state, context))[-1] == "finalize"
    outcome = (await graph.aget_state(thread_config("t"))).values["outcome"]
    assert (outcome.status, outcome.code) == ("failed", "MAX_STEPS_EXCEEDED")
