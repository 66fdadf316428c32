"""Who is asked what: rules where they are sure, the model where not, rules where it is away."""

import pytest

from app.domain.action import ActionRecord, Chain, action
from app.domain.hitl import ChosenOption, Option
from app.domain.page import ElementRef
from app.domain.plan import Analysis, Plan, SubTask
from app.domain.reasoner import Background, GivenAnswer, Transition, WebSearch
from app.domain.verdict import ModelOpinion, Verdict
from app.errors import ModelMisconfigured, ModelRefused, ModelReplyInvalid
from app.provenance import enforce_sources
from app.reasoners.commands import parse
from tests.unit.reasoners.commands.pages import node
from tests.unit.reasoners.scripted import click
from tests.unit.reasoners.world import AWAY, at, router, worded

PLANNED = Analysis(plan=worded("Fill in the form and save it"), first=click("1"))


async def test_what_a_model_looked_up_it_is_told_before_its_step_is_done():
    situation = at("Open Patients", plan=worded("Open Patients"), looked_up='find("Jas"):\nrow Jas')
    routed, model = router(refine=[click("3")])
    await routed.refine(situation)
    assert model.asked == ["refine"]


@pytest.mark.parametrize(
    ("goal", "calls"),
    [
        ("Click Save", []),
        ("Enter 'Jas' in Name and click Save", []),
        ("What is the phone?", []),
        ("What is the age?", ["analyse"]),  # the page does not say
        ("Click Edit", []),  # there are two, and a model could only guess
        ("Make sure that the paperwork is in order", ["analyse"]),  # read as: is that text there?
        ("Sort out whatever is wrong with the paperwork of the new people", ["analyse"]),
        ("hello", ["analyse"]),
        ("הוסף מטופל חדש בשם דנה", ["analyse"]),
    ],
)
async def test_a_goal_that_rules_understand_and_can_begin_costs_no_call(goal, calls):
    routed, model = router(analyse=[PLANNED])
    found = await routed.analyse(at(goal, planned=False, summary="Phone: 555 1234"))
    assert model.asked == calls
    assert found.plan.maker == ("model" if calls else "rules")
    assert found.first is not None


async def test_without_a_control_to_be_seen_the_model_may_ask_for_another_look():
    routed, model = router(analyse=[PLANNED])
    await routed.analyse(at("Click Save", planned=False, nodes=()))
    assert model.asked == ["analyse"]


@pytest.mark.parametrize(
    "known",
    [
        Background(answers=(GivenAnswer(question="Which?", text="the first"),)),
        Background(searches=(WebSearch(need="the code"),)),
    ],
)
async def test_what_was_answered_or_found_is_for_the_model_to_use(known):
    routed, model = router(analyse=[PLANNED])
    await routed.analyse(at("Click Save", planned=False, background=known))
    assert model.asked == ["analyse"]


async def test_a_sub_task_is_opened_by_the_model_that_made_it():
    parts = (SubTask(id="1", goal="Click Save"), SubTask(id="2", goal="Click Patients"))
    plan = Plan(maker="model", subtasks=parts, subtask=1)
    routed, model = router(analyse=[PLANNED])
    await routed.analyse(at("Click Patients", plan=plan))
    assert model.asked == ["analyse"]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (AWAY, "did not answer"),
        (ModelRefused("no"), "would not do this"),
        (ModelReplyInvalid("half a JSON"), "gave nothing usable"),
        (ModelMisconfigured("the key was refused"), "see `tabwright doctor`"),
    ],
)
async def test_when_the_model_fails_rules_go_on_and_say_so(error, said):
    routed, model = router(analyse=[error])
    read = parse("Click Save").model_copy(update={"confidence": 0.5})
    found = await routed.analyse(at("Click Save", planned=False, instruction=read))
    assert f"{said} ({error.detail}); going on by rules." in found.notice
    assert found.plan.maker == "rules"
    assert found.first.proposals[0].action.text == 'click("1")'
    assert model.asked == ["analyse"]  # and not once more for the plan or its first step


async def test_what_rules_cannot_read_without_a_model_ends_honestly():
    routed, _ = router(analyse=[AWAY])
    found = await routed.analyse(at("הוסף מטופל חדש בשם דנה", planned=False))
    assert "I did not understand" in found.missing
    assert "too busy" in found.notice


async def test_a_sub_task_without_its_model_is_read_by_rules():
    parts = (SubTask(id="1", goal="Look"), SubTask(id="2", goal="Click Patients"))
    routed, _ = router(analyse=[AWAY])
    plan = Plan(maker="model", subtasks=parts, subtask=1)
    found = await routed.analyse(at("Click Patients", plan=plan, instruction=parse("do it all")))
    assert found.plan.subtasks == parts
    assert found.first.proposals[0].action.text == 'click("3")'


@pytest.mark.parametrize(
    ("goal", "calls"),
    [
        ("Click Save", []),
        ("Enter 'Jas' in Name", []),
        ("Click Edit", []),  # there are two, and a model could only guess
        ("Click Archive", ["refine"]),  # there is none, and nothing to look behind
    ],
)
async def test_a_step_of_the_rules_is_refined_by_rules_while_they_are_sure(goal, calls):
    routed, model = router(refine=[click("5")])
    found = await routed.refine(at(goal))
    assert model.asked == calls
    assert found.maker == ("model" if calls else "rules")


async def test_nobody_is_asked_where_only_rules_are_wanted():
    routed, model = router()
    found = await routed.refine(at("Click Edit", rules_only=True))
    assert (found.outcome, model.asked) == ("ambiguous", [])


async def test_where_to_look_for_what_is_hidden_is_a_models_to_say():
    nodes = (
        node("1", "btn", "Archives", "haspopup", "collapsed"),
        node("2", "btn", "Tools", "haspopup"),
    )
    routed, model = router(refine=[click("2")])
    await routed.refine(at("Click 'Archive list'", nodes=nodes))
    assert model.asked == ["refine"]


@pytest.mark.parametrize(
    ("words", "calls"),
    [
        ("Click Save", []),
        ("Open Patients", []),
        ("Go back", []),
        ("Click the Save button of the Patient form", []),
        ("Click Edit", ["refine"]),
        ("Click Delete patient", ["refine"]),  # hard to undo
        ("Fill in the form and save it", ["refine"]),
        ("Enter 'Bob' in Name", ["refine"]),  # a value is a model's to account for
        ("Open the record that fits best", ["refine"]),
        ("Check that the patient is listed", ["refine"]),
    ],
)
async def test_a_step_of_the_model_is_pressed_by_rules_where_it_is_plain(words, calls):
    routed, model = router(refine=[click("1")])
    await routed.refine(at("Add the patient", plan=worded(words)))
    assert model.asked == calls


async def test_what_was_pressed_with_the_step_before_is_not_pressed_again():
    ahead = ActionRecord(action=action("click", "1"), status="success", step=0)
    routed, model = router(refine=[click("1")])
    later = worded("Open the form", "Click Save", current=1)
    await routed.refine(at("Save", plan=later, records=(ahead,)))
    assert model.asked == ["refine"]


async def test_whether_a_submenu_is_pressed_or_pointed_at_is_a_models_to_say():
    routed, model = router(refine=[click("1")])
    menu = (node("1", "menu", "Export", "haspopup"), node("2", "menu", "Print"))
    await routed.refine(at("As PDF", nodes=menu, plan=worded("Open 'Export'")))
    assert model.asked == ["refine"]
    await routed.refine(at("Print it", nodes=menu, plan=worded("Click 'Print'")))
    assert model.asked == ["refine"]


async def test_a_step_that_was_begun_is_gone_on_with_by_the_model():
    begun = ActionRecord(action=action("click", "9"), status="success", step=0)
    routed, model = router(refine=[click("1")])
    await routed.refine(at("Save", plan=worded("Click Save"), records=(begun,)))
    assert model.asked == ["refine"]


@pytest.mark.parametrize(
    "changes", [{"refused": "It is not what was meant"}, {"plan": worded("Click Save", current=1)}]
)
async def test_what_was_refused_and_what_comes_after_the_last_step_is_for_the_model(changes):
    routed, model = router(refine=[click("1")])
    await routed.refine(at("Click Save", **changes))
    assert model.asked == ["refine"]


async def test_a_model_that_is_away_leaves_its_steps_to_the_rules():
    routed, _ = router(refine=[AWAY])
    found = await routed.refine(
        at("Type Jas as the name and save", plan=worded("Enter 'Jas' in Name and click Save"))
    )
    assert [p.action.text for p in found.proposals] == ['setValue("2", "Jas")']
    assert [step.description for step in found.plan.steps] == [
        "Enter 'Jas' into 'Name'",
        "Click 'Save'",
    ]
    assert "going on by rules" in found.notice


async def test_nothing_is_typed_that_only_the_model_said():
    routed, _ = router(refine=[AWAY])
    situation = at("Add a patient", plan=worded("Enter 'Bob' in Name"))
    found = enforce_sources(await routed.refine(situation), situation)
    assert found.proposals == ()
    assert "its value is in no goal" in found.unsent[0]


def look(doing):
    found = Verdict(succeeded=None)
    return Transition(before=doing.page, chain=Chain(), found=found, tier=2, last_step=True)


async def test_a_model_judges_what_tier_1_leaves_open():
    said = ModelOpinion(succeeded=True, confidence=0.9, tier=2)
    route, model = router(judge=[said])
    doing = at("click Save")
    assert await route.judge(doing, look(doing)) == said
    assert model.asked == ["judge"]


async def test_nobody_judges_while_the_model_is_away():
    route, _ = router(judge=[AWAY])
    doing = at("click Save")
    opinion = await route.judge(doing, look(doing))
    assert (opinion.tier, opinion.succeeded, opinion.completed) == (1, None, None)
    assert opinion.notice.startswith("The model did not answer")


async def test_what_a_person_chose_is_not_asked_of_a_model():
    """Though the model made the plan, and what was chosen is hard to undo."""
    nodes = [node(str(n), "btn", "Delete", group=f"row: Jas {n}") for n in (1, 2)]
    options = [
        Option(id=one.id, label=one.group, element_id=one.id, element=ElementRef.of(one.signature))
        for one in nodes
    ]
    step = worded("Click Delete").step.model_copy(
        update={"chosen": ChosenOption(option=options[1], others=(options[0],))}
    )
    routed, model = router(refine=[click("1")])
    found = await routed.refine(
        at("Delete Jas", plan=Plan(steps=(step,), maker="model"), nodes=(nodes[1],))
    )
    assert (model.asked, found.proposals[0].action.target) == ([], "2")
