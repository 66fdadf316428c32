"""The node in its graph: visited on another page, once, and told in the answer."""

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from app.agent.context import AgentContext
from app.agent.graph import build_graph
from app.agent.persistence.response import render_event
from app.agent.state import new_state
from app.domain.action import ClientReport
from app.domain.plan import Analysis
from app.reasoners.model import prompts
from app.reasoners.model.writer import Writer
from app.reasoners.rules import RuleReasoner
from app.runs.graph import thread_config
from tests.unit.agent.reasoning import Scripted, act, plan
from tests.unit.recovery.replanning.stages import HOME, LIST, LOGIN, NEW, SEEN, dialog, situation

HELD = ["execution", "verification", "replanning", "step_refinement"]
SENT = ["outcome_prediction", "__interrupt__"]
GOAL = "See to it that Jas is known here"


class Run:
    """One goal on one thread; each look at the page is given."""

    def __init__(self, reasoner=None):
        self.modelled = reasoner is not None
        self.reasoner = reasoner or RuleReasoner()
        self.graph = build_graph(InMemorySaver())

    async def begin(self, page, goal=GOAL):
        return await self._visit(new_state(goal, request_id="r0", trace_id="t"), page)

    async def see(self, page, report=None):
        return await self._visit(Command(resume="r1"), page, report)

    async def _visit(self, given, page, report=None):
        context = AgentContext(
            reasoner=self.reasoner, page=page, report=report or ClientReport(), request_id="r", max_steps=50,
            has_model=self.modelled,
        )  # fmt: skip
        stream = self.graph.astream(
            given, thread_config("t"), context=context, stream_mode="updates"
        )
        return [node async for update in stream for node in update]

    async def state(self):
        return (await self.graph.aget_state(thread_config("t"))).values

    async def sent(self):
        return [one.action.text for one in (await self.state())["chain"].actions]

    async def told(self):
        answer = render_event(await self.state(), task_id="t", session_id="s", server_ms=1.0)
        return answer["rePlanning"]


async def test_on_a_page_that_is_as_it_was_nothing_is_held_against_it():
    run = Run(Scripted(("analyse", Analysis(plan=plan("One", "Two"), first=act("click(1)")))))
    await run.begin(LIST)
    assert (await run.told()) == {"triggered": False}


async def test_rules_clear_a_dialog_away_that_nobody_foresaw():
    run = Run()
    await run.begin(HOME, "Click Patients, then click New patient")
    over = dialog("No thanks", of=LIST)
    assert await run.see(over) == [*HELD, *SENT]
    assert (await run.told())["decision"] == "continue"
    await run.see(
        over, ClientReport(status="failure", error_code="NOT_INTERACTABLE", executed_index=-1)
    )
    assert await run.sent() == ['click("90")']
    assert (await run.see(LIST))[-2:] == SENT
    assert await run.sent() == ['click("10")']


async def test_a_sign_in_page_ends_the_run_with_the_true_reason():
    run = Run()
    await run.begin(HOME, "Open Patients, then click New patient")
    visited = await run.see(LOGIN)
    outcome = (await run.state())["outcome"]
    assert visited[-1] == "finalize"
    assert "sign in" in outcome.message


async def test_a_model_is_asked_once_and_its_new_steps_are_the_new_plan():
    new = act("click(20)", plan=plan("Fill the form in", "Save it"))
    reasoner = Scripted(
        ("analyse", Analysis(plan=plan("Open the list", "Choose Jas"), first=act("click(2)"))),
        ("refine", new),
    )
    run = Run(reasoner)
    await run.begin(HOME)
    assert await run.see(NEW) == [*HELD, *SENT]
    assert reasoner.left == []
    assert reasoner.heard[-1][1].replanning.reason == "The address is another"
    told = await run.told()
    assert told["decision"] == "regenerate"
    assert 0 < told["similarity"] < 1


async def test_a_model_that_gives_no_new_steps_goes_on():
    reasoner = Scripted(
        ("analyse", Analysis(plan=plan("Open the list", "Choose Ann"), first=act("click(2)"))),
        ("refine", act("click(11)")),
    )
    run = Run(reasoner)
    await run.begin(HOME)
    await run.see(LIST)
    assert (await run.told())["decision"] == "continue"


async def test_the_same_page_is_held_against_the_plan_once():
    reasoner = Scripted(
        ("analyse", Analysis(plan=plan("Go", "On", "And on", "So"), first=act("click(2)"))),
        ("refine", act("click(1)")), ("refine", act("click(2)")), ("refine", act("click(11)")),
    )  # fmt: skip
    run = Run(reasoner)
    await run.begin(HOME)
    await run.see(LIST)
    await run.see(HOME)
    assert (await run.told())["triggered"]
    await run.see(LIST)
    assert not (await run.told())["triggered"]
    assert reasoner.heard[-1][1].replanning is None
    assert len((await run.state())["reconsidered"]) == 2


def test_a_model_is_told_in_a_line_of_our_own():
    write = Writer("0123abcd")
    request = prompts.acting_call(situation(GOAL, LIST, replanning=SEEN), write)
    assert (
        "The address is another (similarity 0.40): give new steps if the plan no longer fits."
        in request.prompt
    )
    plain = prompts.acting_call(situation(GOAL, LIST), Writer("0123abcd"))
    assert "similarity" not in plain.prompt
