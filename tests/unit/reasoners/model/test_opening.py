"""The first call: what a goal is and needs, the plan, and its first actions."""

from dataclasses import replace
from datetime import date

import pytest

from app.domain.directive import Instruction
from app.domain.plan import Plan, PlanStep, SubTask
from app.domain.reasoner import Background
from app.errors import ModelReplyInvalid
from tests.unit.reasoners.model.scripted import (
    FILLS,
    GOAL,
    customer_form,
    opening,
    plan,
    reasoner,
    standing,
)

FRESH = standing(plan=Plan(), instruction=Instruction(text=GOAL, confidence=0.4))


async def test_a_form_is_planned_and_filled_in_one_call():
    ask, model = reasoner(
        opening(
            *FILLS,
            thought="The form is open.",
            steps=[{"text": "Fill in the form and save it", "shows": "Customer created"}],
            see=["Customer created"],
            sure=0.95,
        )
    )
    analysis = await ask.analyse(FRESH)
    assert analysis.required_sources == ("PAGE",)
    assert analysis.plan.maker == "model"
    assert analysis.plan.instruction is FRESH.instruction
    assert analysis.plan.step.description == "Fill in the form and save it"
    assert analysis.plan.step.expected == "Customer created"
    first = analysis.first
    assert (first.outcome, first.maker, first.completes_step) == ("act", "model", True)
    assert [one.action.text for one in first.proposals][:2] == [
        'setValue("20", "Jas Patel")',
        'setValue("21", "jas@a.example")',
    ]
    assert first.proposals[0].description == "Enter 'Jas Patel' in the 'Name' field"
    assert first.expected.elements == ("Customer created",)
    assert (first.thought, first.confidence) == ("The form is open.", 0.95)
    assert (model.asked[0].purpose, model.asked[0].tier) == ("opening", "strong")


async def test_steps_keep_their_order_and_contingencies_their_trigger():
    steps = [
        {"text": "Open the customers"},
        {"text": "Add the customer"},
    ]
    ask, _ = reasoner(
        opening("click(2)", steps=steps, ifs=["cookie banner: close it", "no colon", ": nothing"])
    )
    made = (await ask.analyse(FRESH)).plan
    assert [(s.id, s.status) for s in made.steps] == [("1", "current"), ("2", "pending")]
    assert [(c.trigger, c.steps) for c in made.contingencies] == [("cookie banner", ("close it",))]


@pytest.mark.parametrize("intent", ["conversation", "meta"])
async def test_talk_is_answered_without_a_plan(intent):
    ask, _ = reasoner(opening(intent=intent, say="Hello! What shall I do?"))
    analysis = await ask.analyse(FRESH)
    assert (analysis.intent_type, analysis.answer) == (intent, "Hello! What shall I do?")
    assert analysis.plan is None
    assert analysis.first is None


async def test_a_question_the_page_answers_is_answered_at_once():
    ask, model = reasoner(opening(say="A star.", quote="Fields with a star are needed"))
    question = replace(FRESH, goal="What marks a field that is needed?")
    assert (await ask.analyse(question)).answer == "A star."
    assert "Fields with a star are needed." in model.asked[0].prompt


async def test_an_answer_whose_quote_is_nowhere_is_asked_for_once_more():
    guess = opening(say="Bold print.", quote="Bold fields are needed")
    ask, model = reasoner(guess, opening(say="A star.", quote="fields with a star are needed"))
    question = replace(FRESH, goal="What marks a field that is needed?")
    assert (await ask.analyse(question)).answer == "A star."
    assert "quote is no text of the page" in model.asked[1].prompt


async def test_the_page_text_is_told_beside_the_controls_without_what_they_say():
    ask, model = reasoner(opening("click(25)"), opening("click(25)"))
    await ask.analyse(FRESH)
    assert model.asked[0].prompt.count("Fields with a star") == 1
    named = replace(FRESH, page=replace(FRESH.page, summary=f"{FRESH.page.title}\n# Save"))
    await ask.analyse(named)
    assert "text:" not in model.asked[1].prompt


async def test_what_only_the_person_knows_is_asked_for():
    ask, _ = reasoner(
        opening(
            sources=["PAGE", "ASK_USER"], ask=["The customer's street", " "], steps=[], ends=False
        )
    )
    analysis = await ask.analyse(FRESH)
    assert analysis.required_sources == ("PAGE", "ASK_USER")
    assert analysis.question.fields == ("The customer's street",)
    assert analysis.missing_fields == ("The customer's street",)
    assert (analysis.plan, analysis.first, analysis.answer) == (None, None, None)


async def test_a_search_goes_before_the_first_actions():
    ask, _ = reasoner(
        opening(*FILLS, sources=["MEMORY"], search="zip code of Lyon", steps=[{"text": "Fill in"}])
    )
    analysis = await ask.analyse(FRESH)
    assert analysis.required_sources == ("PAGE", "WEB_SEARCH")
    assert analysis.search == "zip code of Lyon"
    assert analysis.plan.steps
    assert analysis.first is None


@pytest.mark.parametrize(
    ("said", "meant"), [("DELETES", "deletes"), ("fills", "fills"), ("critical", None), (3, None)]
)
async def test_a_word_that_is_none_of_those_asked_for_costs_no_second_call(said, meant):
    other = {"effect": said, "intent": "task", "mode": "none", "sources": ["PAGE", "THE WEB"]}
    ask, model = reasoner(opening("click(25)", **other))
    analysis = await ask.analyse(standing(plan=plan()))
    assert (analysis.effect, analysis.intent_type) == (meant, "operation")
    assert analysis.required_sources == ("PAGE",)
    assert analysis.first is not None
    assert analysis.first.outcome == "act"
    assert len(model.asked) == 1


async def test_the_model_is_told_the_day_and_weekday():
    ask, model = reasoner(opening("click(25)"), opening("click(25)"))
    situation = replace(standing(plan=plan()), today=date(2026, 11, 22))
    await ask.analyse(situation)
    await ask.analyse(replace(situation, today=None))
    assert "Today: Sunday 2026-11-22" in model.asked[0].prompt
    assert "2026" not in model.asked[0].system
    assert "Today" not in model.asked[1].prompt


async def test_the_effect_is_told():
    ask, _ = reasoner(opening("click(25)", effect="deletes", sure=85))
    analysis = await ask.analyse(FRESH)
    assert (analysis.effect, analysis.confidence) == ("deletes", 0.85)


async def test_actions_without_a_step_are_one_step():
    ask, _ = reasoner(opening("click(25)"))
    made = (await ask.analyse(FRESH)).plan
    assert [step.description for step in made.steps] == [GOAL]


async def test_a_page_that_must_be_seen_in_another_way_comes_first():
    ask, _ = reasoner(opening(mode="hybrid", steps=[{"text": "Press the gear"}], ends=False))
    analysis = await ask.analyse(FRESH)
    assert (analysis.first.outcome, analysis.first.mode) == ("look", "hybrid")


async def test_a_plan_without_actions_is_refined_later():
    ask, _ = reasoner(opening(steps=[{"text": "Fill in"}], ends=False))
    analysis = await ask.analyse(FRESH)
    assert analysis.plan.steps
    assert analysis.first is None


async def test_a_reply_that_says_nothing_is_asked_for_again():
    ask, model = reasoner(opening(ends=False), opening(ends=False))
    with pytest.raises(ModelReplyInvalid):
        await ask.analyse(FRESH)
    assert "steps and do are empty" in model.asked[1].prompt


async def test_a_large_goal_comes_in_parts():
    parts = [
        {"goal": "Find the order's number", "gives": "order number, date"},
        {"goal": "Write it into the report", "needs": "order number, nothing"},
    ]
    ask, _ = reasoner(opening("click(3)", parts=parts, steps=[{"text": "Open the orders"}]))
    made = (await ask.analyse(FRESH)).plan
    assert [(p.goal, p.inputs, p.outputs) for p in made.subtasks] == [
        ("Find the order's number", (), ("order number", "date")),
        ("Write it into the report", ("order number",), ()),
    ]
    assert made.subtask == 0
    assert [step.description for step in made.steps] == ["Open the orders"]


async def test_the_next_part_is_opened_with_what_the_one_before_hands_on():
    parts = (
        SubTask(id="1", goal="Find the number", outputs=("number",), status="completed"),
        SubTask(id="2", goal="Write it down", inputs=("number",), status="current"),
    )
    ask, model = reasoner(
        opening(
            "click(25)",
            steps=[{"text": "Write it"}],
            parts=[{"goal": "other"}, {"goal": "parts"}],
            outputs=["number=A-7", "password=x", "broken"],
        )
    )
    opened = replace(FRESH, goal="Write it down", plan=Plan(subtasks=parts, subtask=1))
    analysis = await ask.analyse(opened)
    assert analysis.outputs == {"number": "A-7"}
    assert analysis.plan.subtasks == parts
    assert analysis.plan.subtask == 1
    prompt = model.asked[0].prompt
    assert f"Goal: {GOAL}" in prompt
    assert prompt.endswith("Open part 2. outputs: the values that earlier parts give.")


async def test_a_part_that_is_owed_nothing_asks_for_no_outputs():
    parts = (SubTask(id="1", goal="Look", outputs=("n",)), SubTask(id="2", goal="Write"))
    ask, model = reasoner(opening("click(25)", outputs=["n=1"]))
    background = Background(subtask_outputs={"n": "7"})
    opened = replace(FRESH, plan=Plan(subtasks=parts, subtask=1), background=background)
    assert (await ask.analyse(opened)).outputs == {}
    assert model.asked[0].prompt.endswith("Open part 2.")


async def test_plan_alone_is_the_same_call():
    ask, _ = reasoner(opening("click(25)", steps=[{"text": "Save"}]))
    assert [s.description for s in (await ask.plan(FRESH)).steps] == ["Save"]
    ask, _ = reasoner(opening(intent="conversation", say="Hi"))
    assert await ask.plan(FRESH) == Plan(maker="model", instruction=FRESH.instruction)


async def test_understanding_and_predicting_cost_no_call():
    ask, model = reasoner()
    assert (await ask.understand(GOAL, customer_form())).confidence == 0
    step = PlanStep(id="1", description="x")
    expected = await ask.predict(standing(plan=plan("a").model_copy(update={"steps": (step,)})), ())
    assert expected.values == {}
    assert not model.asked
