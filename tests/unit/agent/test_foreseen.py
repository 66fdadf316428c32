"""What a model's plan foresaw is cleared away by rules, in the graph and without another call."""

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from app.agent.context import AgentContext
from app.agent.graph import build_graph
from app.agent.state import new_state
from app.domain.action import ClientReport
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Analysis, Contingency, Plan, PlanStep
from app.errors import ModelUnavailable
from app.reasoners.router import Router
from app.reasoners.rules import RuleReasoner
from app.runs.graph import thread_config
from tests.unit.reasoners.scripted import ScriptedReasoner, click

GOAL = "Make sure that the paperwork of the new people is in order"
LIST = Observation(
    url="https://a.example/",
    tree=Tree.of([Node(id="1", role="link", name="Papers", group="nav: Main")]),
)
FORM = [
    Node(id="2", role="chk", name="In order", group="form: Papers"),
    Node(id="3", role="btn", name="Save", group="form: Papers"),
]
BANNER = Node(id="9", role="btn", name="Decline cookies", group="dialog: Cookies")
PLAN = Plan(
    maker="model",
    steps=(
        PlanStep(id="1", description="Open Papers"),
        PlanStep(id="2", description="Put them in order"),
    ),
    contingencies=(
        Contingency(trigger="A cookie banner appears", steps=("Click Decline cookies",)),
    ),
)


class Desk:
    """A run of the graph with rules and a scripted model."""

    def __init__(self, **says):
        self.model = ScriptedReasoner(says)
        self.graph = build_graph(InMemorySaver())
        self.router = Router(RuleReasoner(), self.model)

    async def visit(self, given, page):
        context = AgentContext(
            reasoner=self.router, page=page, report=ClientReport(), request_id="r", max_steps=50,
            has_model=True,
        )  # fmt: skip
        stream = self.graph.astream(
            given, thread_config("t"), context=context, stream_mode="updates"
        )
        return [node async for update in stream for node in update]

    async def state(self):
        return (await self.graph.aget_state(thread_config("t"))).values

    async def sent(self):
        return [planned.action.text for planned in (await self.state())["chain"].actions]


def seen(*nodes):
    return Observation(url="https://a.example/papers", tree=Tree.of(nodes), title="Papers")


async def test_a_dialog_that_was_foreseen_is_cleared_away_before_the_next_step():
    desk = Desk(analyse=[Analysis(plan=PLAN, first=click("1"))], refine=[click("3")])
    await desk.visit(new_state(GOAL, request_id="r", trace_id="t"), LIST)
    assert await desk.sent() == ['click("1")']
    visited = await desk.visit(Command(resume="r2"), seen(*FORM, BANNER))
    assert visited == [
        "execution", "verification", "replanning", "step_refinement", "step_refinement",
        "outcome_prediction",
        "__interrupt__",
    ]  # fmt: skip
    assert await desk.sent() == ['click("9")']
    assert desk.model.asked == ["analyse"]
    await desk.visit(Command(resume="r3"), seen(*FORM))
    assert await desk.sent() == ['click("3")']
    assert desk.model.asked == ["analyse", "refine"]
    plan = (await desk.state())["plan"]
    assert [step.status for step in plan.steps[:2]] == ["completed", "completed"]
    assert plan.step.description == "Put them in order"


async def test_what_was_foreseen_and_cannot_be_done_is_left_out():
    notice = Node(id="9", role="txt", name="We use cookies", group="dialog: Cookies")
    gone = PLAN.model_copy(
        update={"contingencies": (Contingency(trigger="cookies", steps=("Click Agree",)),)}
    )
    desk = Desk(
        analyse=[Analysis(plan=gone, first=click("1"))], refine=[ModelUnavailable(), click("3")]
    )
    await desk.visit(new_state(GOAL, request_id="r", trace_id="t"), LIST)
    await desk.visit(Command(resume="r2"), seen(*FORM, notice))
    assert await desk.sent() == ['click("3")']
    assert [s.status for s in (await desk.state())["plan"].steps][:2] == ["completed", "skipped"]
