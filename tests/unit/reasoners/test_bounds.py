"""What holds for every model, and what comes of the other calls of the port."""

from app.domain.action import ActionRecord, action
from app.domain.plan import Decision
from app.domain.reasoner import WebResult, WebSearch
from app.domain.verdict import Critique
from app.errors import ModelReplyInvalid
from app.reasoners.commands import parse
from tests.unit.reasoners.scripted import click
from tests.unit.reasoners.world import AWAY, NODES, at, router, rules, worded


async def test_what_the_person_forbade_no_model_does():
    routed, _ = router(refine=[click("4")])
    found = await routed.refine(at("Tidy up, but do not click Delete patient", plan=_forbidding()))
    assert found.outcome == "missing"
    assert "You asked not to" in found.reason


def _forbidding():
    read = parse("Click Save but do not click 'Delete patient'")
    return worded("Tidy it all up", instruction=read)


SAVED = ActionRecord(
    action=action("click", "1"),
    signature=NODES[0].signature,
    status="unknown",
    description="Press Save",
)


async def test_what_may_have_gone_through_is_not_handed_in_again_whoever_says_so():
    waits = [
        ActionRecord(action=action("wait", n), purpose="correct", status="success")
        for n in (1000, 3000, 8000)
    ]
    situation = at("Click Save", plan=worded("Save it"), records=(SAVED, *waits))
    for again in (click("1"), click("1", outcome="act", strategy="retry")):
        routed, model = router(correct=[again])
        found = await routed.correct(situation, "It cannot be told")
        assert model.asked == ["correct"]
        assert (found.outcome, found.proposals) == ("missing", ())


async def test_after_a_submit_of_unknown_outcome_rules_wait_first():
    routed, model = router()
    found = await routed.correct(at("Click Save", plan=worded("Save it"), records=(SAVED,)), "?")
    assert ([p.action.name for p in found.proposals], model.asked) == (["wait"], [])


async def test_one_mechanical_correction_goes_before_the_models():
    failed = ActionRecord(
        action=action("click", "3"), signature=NODES[2].signature, status="failure"
    )
    waited = ActionRecord(action=action("wait", 1000), purpose="correct", status="success")
    again = failed.model_copy(update={"purpose": "correct"})
    routed, model = router(correct=[click("3")])
    first = await routed.correct(at("Open Patients", records=(failed,)), "Nothing happened")
    assert (first.strategy, model.asked) == ("wait and retry", [])
    await routed.correct(at("Open Patients", records=(failed, waited, again)), "Nothing happened")
    assert model.asked == ["correct"]


async def test_nothing_takes_the_place_of_what_a_model_chose():
    failed = ActionRecord(
        action=action("click", "3"), signature=NODES[2].signature, status="failure"
    )
    routed, model = router(correct=[click("3")])
    situation = at("Open Patients", plan=worded("Open the patients"), records=(failed,))
    await routed.correct(situation, "link Patients is covered by div Offer")
    assert model.asked == ["correct"]


async def test_what_a_model_did_is_waited_for_once():
    drawn = ActionRecord(action=action("drag", 1, 1, 9, 9), status="unknown")
    waited = ActionRecord(action=action("wait", 1000), purpose="correct", status="success")
    plan = worded("Draw a line")
    for records, asked in (((drawn,), []), ((drawn, waited), ["correct"])):
        routed, model = router(correct=[click("3")])
        await routed.correct(at("Draw", plan=plan, records=records), "It cannot be told")
        assert model.asked == asked


async def test_a_correction_without_the_model_is_the_rules():
    failed = ActionRecord(
        action=action("click", "3"), signature=NODES[2].signature, status="failure"
    )
    waited = ActionRecord(action=action("wait", 1000), purpose="correct", status="success")
    again = failed.model_copy(update={"purpose": "correct"})
    routed, _ = router(correct=[AWAY])
    situation = at("Open Patients", records=(failed, waited, again))
    found = await routed.correct(situation, "Nothing happened")
    alone = await rules().correct(situation, "Nothing happened")
    assert found == alone.model_copy(update={"notice": found.notice})
    assert "too busy" in found.notice


async def test_the_critic_is_the_model_and_fails_open():
    routed, _ = router(criticise=[Critique(sensible=False, reason="wrong field"), AWAY])
    assert not (await routed.criticise(at("x"), click("1"))).sensible
    assert (await routed.criticise(at("x"), click("1"))).sensible


async def test_an_answer_that_stands_on_the_page_costs_nothing():
    routed, model = router(answer=["7 December", ModelReplyInvalid()])
    situation = at("x", summary="Phone: 555 1234")
    assert await routed.answer(situation, "What is the phone?") == "Phone: 555 1234"
    assert model.asked == []
    assert await routed.answer(situation, "When is the next visit?") == "7 December"
    assert await routed.answer(situation, "When is the next visit?") is None


async def test_results_are_weighed_by_the_model_alone():
    found = WebResult(
        title="Codes", url="https://b.example", text="Hi. The dialling code of Peru is 51."
    )
    search = WebSearch(need="dialling code of Peru", results=(found,))
    solved = search.model_copy(update={"solved": True, "answer": "51"})
    routed, _ = router(weigh=[solved, AWAY])
    assert (await routed.weigh(search)).answer == "51"
    assert not (await routed.weigh(search)).solved


async def test_reading_a_goal_and_predicting_cost_no_call():
    routed, model = router()
    situation = at("Click Save")
    await routed.understand("Click Save", situation.page)
    await routed.predict(situation, click("1").proposals)
    assert model.asked == []


async def test_a_plan_is_asked_for_once_the_goal_is_not_understood():
    routed, model = router(plan=[worded("Look", "Save"), AWAY])
    assert (await routed.plan(at("Click Save"))).maker == "rules"
    assert model.asked == []
    made = await routed.plan(at("Make it good"))
    assert ([s.description for s in made.steps], made.maker) == (["Look", "Save"], "model")
    assert (await routed.plan(at("Make it good"))).maker == "rules"


async def test_an_exhausted_plan_without_the_model_is_concluded_by_rules():
    routed, _ = router(refine=[AWAY])
    found = await routed.refine(at("Click Save", plan=worded("Click Save", current=1)))
    assert isinstance(found, Decision)
    assert found.outcome == "done"
