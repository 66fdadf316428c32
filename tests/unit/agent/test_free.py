"""With a model there, what rules are sure of still costs no call: the clinic task, to its end."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from app.agent.context import AgentContext
from app.agent.graph import build_graph
from app.agent.state import new_state
from app.api.routes.interact.request import InteractRequest
from app.domain.action import ClientReport
from app.reasoners.router import Router
from app.reasoners.rules import RuleReasoner
from app.runs.graph import thread_config
from tests.fakes.clinic import ClinicPage
from tests.unit.reasoners.scripted import ScriptedReasoner

TRIPS = 10


@pytest.mark.parametrize(
    ("goal", "saved"),
    [
        (
            "Open the Patient menu, click New, enter 'Jas' in Name and click Save",
            ["Jas"],
        ),
        ("Open the Patient menu and click New", []),
    ],
)
async def test_the_model_is_never_asked(goal, saved):
    model, page, graph = ScriptedReasoner(), ClinicPage(), build_graph(InMemorySaver())
    router = Router(RuleReasoner(), model)
    given = new_state(goal, request_id="r", trace_id="t")
    for trip in range(TRIPS):
        look = InteractRequest.model_validate({**page.observation(), "query": "x"}).observation()
        context = AgentContext(
            reasoner=router, page=look, report=ClientReport(), request_id=f"r{trip}", max_steps=50,
            has_model=True,
        )  # fmt: skip
        await graph.ainvoke(given, thread_config("t"), context=context)
        state = (await graph.aget_state(thread_config("t"))).values
        if state["outcome"]:
            break
        assert all(page.do(planned.action.text) for planned in state["chain"].actions)
        given = Command(resume=f"r{trip + 1}")
    assert page.saved == saved
    assert model.asked == []
    assert state["outcome"].status == "completed"
