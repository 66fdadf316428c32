"""The model reasoner over real HTTP: each vendor accepts its schemas, within the allowed cost."""

from app.domain.plan import Decision, Plan
from app.domain.reasoner import WebResult, WebSearch
from app.reasoners.model import ModelReasoner
from tests.unit.reasoners.model.scripted import FILLS, acting, opening, standing

MOST_FOR_A_FORM = 2_500  # prompt tokens of a five-field form, instructions and schemas included


async def test_each_question_is_one_call_that_the_vendor_takes(desk):
    ask = ModelReasoner(desk.model)
    desk.fake.script(
        opening(*FILLS, steps=[{"text": "Fill in the form", "after": [1]}], ifs=["a: b"]),
        acting("click(25)", mode=None),
        acting("click(25)", strategy="other element"),
        {"ok": True, "why": ""},
        {"found": True, "answer": "A star."},
        {"solved": False, "query": "Lyon zip"},
    )
    assert (await ask.analyse(standing(plan=Plan()))).first.outcome == "act"
    assert (await ask.refine(standing())).outcome == "act"
    assert (await ask.correct(standing(), "nothing happened")).strategy == "other element"
    assert (await ask.criticise(standing(), Decision(outcome="finish"))).sensible
    assert await ask.answer(standing(), "What marks a field?") == "A star."
    found = (WebResult(title="Lyon", url="https://w.example/", text="69001"),)
    assert (await ask.weigh(WebSearch(need="zip", results=found))).query == "Lyon zip"
    assert len(desk.fake.calls) == 6


async def test_a_form_of_five_fields_is_billed_within_its_budget(desk):
    ask = ModelReasoner(desk.model)
    desk.fake.script(
        opening(*FILLS, steps=[{"text": "Fill in the form and save it"}]),
        acting('finish("The customer was added.")'),
    )
    analysis = await ask.analyse(standing(plan=Plan()))
    assert analysis.plan is not None
    await ask.refine(standing(plan=analysis.plan.advanced()))
    assert len(desk.fake.calls) == 2
    assert desk.fake.input_tokens <= MOST_FOR_A_FORM


async def test_the_person_and_the_page_come_after_what_is_always_the_same(desk):
    ask = ModelReasoner(desk.model)
    desk.fake.script(acting("click(25)"), acting("click(25)"))
    await ask.refine(standing())
    await ask.refine(standing(goal="Something else"))
    one, other = desk.fake.calls
    assert one.system == other.system
    assert one.prompt != other.prompt
