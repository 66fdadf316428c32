"""The ways of a goal that a model works on: which nodes it visits, and what is known where."""

from datetime import UTC, datetime

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from app.agent.context import AgentContext
from app.agent.graph import build_graph
from app.agent.nodes.step_refinement import MOST_LOOKUPS
from app.agent.resume import thread_config
from app.agent.state import AgentState, new_state
from app.api.routes.interact.request import InteractRequest
from app.domain.action import ClientReport, action
from app.domain.hitl import Question
from app.domain.plan import Analysis, SubTask
from app.domain.reasoner import WebResult, WebSearch
from app.hitl.answers import HitlAnswer, result_of
from app.provenance.enforcement import NO_SOURCE
from tests.fakes.clinic import ClinicPage
from tests.unit.agent.reasoning import Scripted, act, chosen, plan

GOAL = "Register Jas, as the front desk would"
OPENING = ["complexity_check", "context_analysis", "planning", "step_refinement"]
SENT = ["outcome_prediction", "__interrupt__"]
ASKED = ["put_question", "__interrupt__"]
ANSWERED = ["planner_gate", "take_answer"]
BACK = ["execution", "verification"]


class Web:
    """A search of the web that finds what it was given."""

    available = None

    def __init__(self, *found):
        self.found, self.asked = found, []

    async def find(self, query, *, domains=(), limit=5):
        self.asked.append(query)
        return self.found


class Run:
    """One goal on one thread."""

    def __init__(self, reasoner, page=None, search=None):
        self.graph = build_graph(InMemorySaver())
        self.page, self.reasoner, self.search = page or ClinicPage(), reasoner, search
        self.requests = 0

    async def begin(self, goal=GOAL):
        return await self._visit(new_state(goal, request_id="r0", trace_id="t", tenant="one"))

    async def go_on(self, *done, **report):
        """Do these in the page, and look again."""
        for one in done:
            assert self.page.do(one)
        self.requests += 1
        return await self._visit(Command(resume=f"r{self.requests}"), **report)

    async def say(self, text):
        self.requests += 1
        question = (await self.graph.aget_state(thread_config("t"))).values["question"]
        kind = "cancel" if text is None else question.interrupt_type
        reply = result_of(
            question,
            HitlAnswer(hitl_id=question.hitl_id, kind=kind, text=text),
            by="ann",
            via="interact",
            key="said",
            now=datetime.now(UTC),
        )
        return await self._visit(Command(resume={"request_id": "said", "reply": reply}))

    async def _visit(self, given, **report):
        looked = InteractRequest.model_validate({**self.page.observation(), "query": "x"})
        context = AgentContext(
            reasoner=self.reasoner,
            page=looked.observation(),
            report=ClientReport(**report),
            request_id=f"r{self.requests}",
            max_steps=50,
            search=self.search,
            has_model=True,
        )
        stream = self.graph.astream(
            given, thread_config("t"), context=context, stream_mode="updates"
        )
        return [node async for update in stream for node in update]

    async def state(self):
        return (await self.graph.aget_state(thread_config("t"))).values


async def test_analysis_plan_and_first_action_are_one_call():
    reasoner = Scripted(
        ("analyse", Analysis(plan=plan("Open the form", "Save"), first=act("click(2)")))
    )
    run = Run(reasoner)
    assert await run.begin() == [*OPENING, *SENT]
    assert reasoner.left == []
    state = await run.state()
    assert [planned.action.text for planned in state["chain"].actions] == ['click("2")']


async def test_what_the_opening_did_not_give_is_asked_for():
    reasoner = Scripted(
        ("analyse", Analysis()), ("plan", plan("Open it")), ("refine", act("click(2)"))
    )
    assert await Run(reasoner).begin() == [*OPENING, *SENT]


async def test_other_views_are_asked_for_until_enough_was_looked_up():
    looks = [("refine", chosen("look", mode="full"))] * MOST_LOOKUPS
    reasoner = Scripted(
        ("analyse", Analysis(plan=plan("Open it"), first=chosen("look", mode="skeleton"))),
        *looks,
        ("refine", act("click(2)")),
    )
    run = Run(reasoner)
    assert await run.begin() == [*OPENING, "__interrupt__"]
    for _ in looks[1:]:
        assert await run.go_on() == ["look", "step_refinement", "__interrupt__"]
    assert await run.go_on() == ["look", "step_refinement", "step_refinement", *SENT]
    assert "Enough" in reasoner.heard[-1][1].refused


async def test_what_is_looked_up_together_is_answered_together():
    asked = (action("find", "Save"), action("find", "Unheard of"))
    reasoner = Scripted(
        ("analyse", Analysis(plan=plan("Open it"), first=chosen("read", lookups=asked))),
        ("refine", act("click(2)")),
    )
    await Run(reasoner).begin()
    told = reasoner.heard[-1][1].looked_up
    assert told.startswith('find("Save"):\n')
    assert told.endswith("'Unheard of' is nowhere on the page.")


async def test_a_search_of_the_analysis_is_known_to_the_next():
    web = Web(WebResult(title="Codes", url="https://x.example", text="The code is 972."))
    solved = WebSearch(need="x", results=web.found, solved=True, answer="The code is 972.")
    reasoner = Scripted(
        ("analyse", Analysis(search="country code of Israel")),
        ("weigh", solved),
        ("analyse", Analysis(plan=plan("Open it"), first=act("click(2)"))),
    )
    run = Run(reasoner, search=web)
    way = ["complexity_check", "context_analysis", "web_search", *OPENING[1:], *SENT]
    assert await run.begin() == way
    assert web.asked == ["country code of Israel"]
    assert reasoner.heard[-1][1].background.searches[0].answer.startswith("The code is 972.")


async def test_a_search_without_a_key_is_told_and_then_asked_for():
    reasoner = Scripted(
        ("analyse", Analysis(search="the opening hours")),
        ("analyse", Analysis(search="the opening hours")),
    )
    run = Run(reasoner)
    way = [
        "complexity_check",
        "context_analysis",
        "web_search",
        "context_analysis",
        *ASKED,
    ]
    assert await run.begin() == way
    question = (await run.state())["question"]
    assert "the opening hours" in question.fields


async def test_a_search_and_a_reading_within_a_step_lead_back_to_it():
    reasoner = Scripted(
        ("analyse", Analysis(plan=plan("Open it"), first=chosen("search", query="opening hours"))),
        ("refine", chosen("read", query="the name")),
        ("answer", None),
        ("refine", act("click(2)")),
    )
    run = Run(reasoner)
    way = [*OPENING, "web_search", "step_refinement", "reading", "step_refinement", *SENT]
    assert await run.begin() == way
    background = reasoner.heard[-1][1].background
    assert background.searches[0].unavailable
    assert background.extracts == {"the name": "The page does not say."}


async def test_looking_things_up_has_an_end():
    endless = [("refine", chosen("search", query=f"thing {n}")) for n in range(6)]
    reasoner = Scripted(("analyse", Analysis(plan=plan("Open it"))), *endless)
    run = Run(reasoner)
    visited = await run.begin()
    assert visited.count("web_search") == 3
    assert visited[-1] == "finalize"
    assert (await run.state())["outcome"].status == "failed"


async def test_a_question_waits_and_its_answer_makes_the_plan():
    asking = Analysis(question=Question(text="I need to know:", fields=("Phone",)))
    found = Analysis(plan=plan("Open it"), first=act("click(2)"))
    reasoner = Scripted(("analyse", asking), ("analyse", found))
    run = Run(reasoner)
    assert await run.begin() == ["complexity_check", "context_analysis", *ASKED]
    question = (await run.state())["question"]
    assert question.hitl_id
    assert question.expires_at.endswith("Z")
    assert await run.say("050-1234567") == [*ANSWERED, *OPENING[1:], *SENT]
    (told,) = reasoner.heard[-1][1].background.answers
    assert (told.text, told.hitl_id) == ("050-1234567", question.hitl_id)
    assert "Phone" in told.question


async def test_a_cancelled_question_does_nothing():
    asking = Analysis(question=Question(text="Which phone?"))
    run = Run(Scripted(("analyse", asking)))
    await run.begin()
    assert await run.say(None) == [*ANSWERED, "finalize"]
    assert (await run.state())["outcome"].status == "interrupted"


async def test_a_value_from_nowhere_is_not_typed_and_the_model_is_told_why():
    page = ClinicPage(place="/patients/new")
    reasoner = Scripted(
        ("analyse", Analysis(plan=plan("Fill it in"), first=act('setValue(21, "0501234567")'))),
        ("refine", act("click(2)")),
    )
    run = Run(reasoner, page)
    assert await run.begin() == [*OPENING, "step_refinement", *SENT]
    assert NO_SOURCE in reasoner.heard[-1][1].refused


async def test_what_of_a_chain_is_not_sent_is_told_with_the_next_page():
    page = ClinicPage(place="/patients/new")
    one, other = act('setValue(20, "Jas")'), act('setValue(21, "0501234567")')
    fills = one.model_copy(update={"proposals": (*one.proposals, *other.proposals)})
    reasoner = Scripted(
        ("analyse", Analysis(plan=plan("Fill it in"), first=fills)), ("refine", act("click(2)"))
    )
    run = Run(reasoner, page)
    assert await run.begin() == [*OPENING, *SENT]
    assert len((await run.state())["chain"].actions) == 1
    await run.go_on('setValue("20", "Jas")')
    (unsent,) = reasoner.heard[-1][1].unsent
    assert NO_SOURCE in unsent


async def test_an_end_that_nothing_shows_is_refused_and_the_next_choice_is_sent():
    reasoner = Scripted(
        ("analyse", Analysis(plan=plan("Open it", "Save"), first=act("click(2)"))),
        ("refine", chosen("finish", reason="Done.")),
        ("refine", act("click(2)")),
    )
    run = Run(reasoner)
    await run.begin()
    assert (await run.go_on("click(2)"))[-1] == "__interrupt__"
    refused = [told[1].refused for told in reasoner.heard if told[0] == "refine"]
    assert refused == [None, "Quote the text on the page that shows it."]


async def test_an_element_that_is_not_there_is_chosen_anew():
    reasoner = Scripted(
        ("analyse", Analysis(plan=plan("Open it"), first=act("click(999)"))),
        ("refine", act("click(2)")),
    )
    way = [*OPENING, "outcome_prediction", "step_refinement", *SENT]
    assert await Run(reasoner).begin() == way
    assert "999" in reasoner.heard[-1][1].refused


async def test_the_next_sub_task_is_opened_with_a_fresh_context():
    parts = (
        SubTask(id="a", goal="Find out how many there are", outputs=("count",)),
        SubTask(id="b", goal="Open the menu", inputs=("count",)),
    )
    first = plan("Read it", subtasks=parts)
    second = Analysis(plan=plan("Open it"), first=act("click(2)"), outputs={"count": "Patients"})
    reasoner = Scripted(
        (
            "analyse",
            Analysis(
                plan=first, first=chosen("finish", reason="There are Patients.", quote="Patients")
            ),
        ),
        ("analyse", second),
    )
    run = Run(reasoner)
    assert await run.begin() == [*OPENING, *OPENING[1:], *SENT]
    state = await run.state()
    assert state["plan"].subtask == 1
    assert state["plan"].subtasks[0].status == "completed"
    assert state["background"].subtask_outputs == {"count": "Patients"}
    assert reasoner.heard[-1][1].goal == "Open the menu"
    assert reasoner.heard[-1][1].records == ()


async def test_a_step_that_goes_on_takes_one_call_a_round_trip():
    more = act("click(10)")
    reasoner = Scripted(
        ("analyse", Analysis(plan=plan("Open the menu", "Choose New"), first=act("click(2)"))),
        ("refine", more),
    )
    run = Run(reasoner)
    await run.begin()
    assert await run.go_on('click("2")') == [*BACK, "replanning", "step_refinement", *SENT]
    assert reasoner.left == []
    assert reasoner.heard[-1][1].verdict.succeeded


async def test_a_model_that_is_away_is_told():
    opening = Analysis(plan=plan("Open it"), first=act("click(2)"), notice="The model is away.")
    run = Run(Scripted(("analyse", opening)))
    await run.begin()
    assert (await run.state())["notice"] == "The model is away."


async def test_all_of_a_thread_comes_back_as_it_was_left():
    asking = Analysis(question=Question(text="Which phone?", fields=("Phone",)))
    reasoner = Scripted(
        ("analyse", asking),
        ("analyse", Analysis(plan=plan("Open it"), first=chosen("read", query="the name"))),
        ("answer", "Jas"),
        ("refine", act("click(2)")),
    )
    run = Run(reasoner)
    await run.begin()
    await run.say("050")
    state = await run.state()
    assert state.keys() == AgentState.__annotations__.keys()
    assert state["background"].extracts == {"the name": "Jas"}
    assert type(state["background"].answers[0]).__name__ == "GivenAnswer"
    assert type(state["analysis"].plan.steps[0]).__name__ == "PlanStep"


async def test_a_third_choice_that_the_page_cannot_carry_out_ends_with_its_code():
    wrong = act("click(999)")
    opening = Analysis(plan=plan("Open it", "Save"), first=wrong)
    run = Run(Scripted(("analyse", opening), ("refine", wrong), ("refine", wrong)))
    await run.begin()
    outcome = (await run.state())["outcome"]
    assert (outcome.status, outcome.code) == ("failed", "INVALID_ACTION")
    assert "999" in outcome.message
