"""What to do now: each kind of reply, and what becomes of it."""

from dataclasses import replace

import pytest

from app.domain.action import DIRECTIONS, ActionRecord, action
from app.domain.page import Node, Tree
from app.domain.plan import Plan
from app.domain.reasoner import Background, WebSearch
from app.domain.verdict import Verdict
from tests.unit.reasoners.model.scripted import (
    acting,
    customer_form,
    node,
    plan,
    reasoner,
    standing,
)


async def refined(*calls: str, situation=None, **more):
    ask, _ = reasoner(acting(*calls, **more))
    return await ask.refine(situation or standing())


async def test_actions_become_proposals_with_what_to_expect():
    found = await refined(
        "setValue(20, 'Jas')", "click(5)?", ends=False, see=["Saved", ""], next="Orders", must=True
    )
    assert (found.outcome, found.maker, found.completes_step) == ("act", "model", False)
    assert [one.action for one in found.proposals] == [
        action("setValue", "20", "Jas"),
        action("click", "5"),
    ]
    assert [one.can_fail for one in found.proposals] == [False, True]
    assert found.expected.elements == ("Saved",)
    assert (found.expected.next_goal.text, found.expected.next_goal.required) == ("Orders", True)


async def test_nothing_said_of_what_follows_is_nothing_expected():
    assert (await refined("click(25)")).expected is None


@pytest.mark.parametrize(
    ("call", "outcome", "said"),
    [
        ('finish("Jas was added.")', "finish", {"reason": "Jas was added."}),
        ('fail("There is no form.")', "fail", {"reason": "There is no form."}),
        ('googleSearch("zip code of Lyon")', "search", {"query": "zip code of Lyon"}),
        ('extract("the order number")', "read", {"query": "the order number"}),
    ],
)
async def test_what_is_not_for_the_browser_is_an_outcome(call, outcome, said):
    found = await refined(call)
    assert found.outcome == outcome
    assert found.proposals == ()
    for key, value in said.items():
        assert getattr(found, key) == value


async def test_what_comes_after_an_action_waits_for_a_look():
    found = await refined("click(25)", 'finish("Saved.")')
    assert [one.action.name for one in found.proposals] == ["click"]
    assert (found.outcome, found.completes_step) == ("act", True)
    found = await refined("click(25)", 'extract("the number")')
    assert [one.action.name for one in found.proposals] == ["click"]
    assert not found.completes_step


async def test_a_step_that_holds_already_is_done():
    assert (await refined(thought="It says so.")).outcome == "done"


async def test_a_look_in_another_mode():
    found = await refined(ends=False, mode="skeleton")
    assert (found.outcome, found.mode) == ("look", "skeleton")


async def test_asking_the_person_goes_before_acting():
    found = await refined("click(25)", ask=["The street", "The zip code"])
    assert found.outcome == "ask"
    assert found.question.fields == ("The street", "The zip code")
    assert found.question.return_to == "planning/replan"
    assert found.proposals == ()


async def test_a_new_plan_keeps_what_was_done():
    before = plan("Open the form", "Fill it in", "Save", current=1)
    steps = [{"text": "Close the banner"}, {"text": "Fill it in", "after": [1]}]
    found = await refined("click(25)", situation=standing(plan=before), steps=steps)
    assert [(s.description, s.status) for s in found.plan.steps] == [
        ("Open the form", "completed"),
        ("Close the banner", "current"),
        ("Fill it in", "pending"),
    ]
    assert found.plan.current == 1
    assert len({step.id for step in found.plan.steps}) == 3


async def test_outputs_are_read_from_their_names():
    found = await refined('finish("ok")', outputs=["number=A=7", "nothing", "=x", "y="])
    assert found.outputs == {"number": "A=7"}


@pytest.mark.parametrize(("sure", "confidence"), [(0.4, 0.4), (90, 0.9), (-1, 0), (1e9, 1)])
async def test_confidence_is_a_share(sure, confidence):
    assert (await refined("click(25)", sure=sure)).confidence == confidence


async def test_another_language_is_as_good():
    found = await refined("click(25)", thought="אני שומר את הטופס", see=["נשמר"])
    assert (found.outcome, found.thought) == ("act", "אני שומר את הטופס")


async def test_null_is_nothing():
    found = await refined("click(25)", mode=None, steps=None, next=None, outputs=None)
    assert found.outcome == "act"


async def test_no_step_left_wants_an_end_or_an_action():
    over = standing(
        plan=plan("Save", current=1), verdict=Verdict(succeeded=True, reason="the form is gone")
    )
    ask, model = reasoner(acting(), acting('finish("Saved.")'))
    assert (await ask.refine(over)).outcome == "finish"
    assert model.asked[0].prompt.endswith(
        "finish when the page shows that it is reached, else act or fail."
    )
    assert "no step is left" in model.asked[1].prompt
    assert "Fields with a star are needed." in model.asked[0].prompt


async def test_a_search_that_was_made_is_not_made_again():
    known = Background(
        searches=(WebSearch(need="zip", query="zip of Lyon", solved=True, answer="69000"),)
    )
    found = await refined(
        'googleSearch("zip of Lyon")', "click(25)", situation=standing(background=known)
    )
    assert [one.action.name for one in found.proposals] == ["click"]


async def test_coordinates_need_no_picture():
    map_page = replace(
        customer_form(),
        tree=Tree((node(100, id="1", role="img", name="Map"), Node(id="2", role="btn"))),
    )
    found = await refined("clickAt(50, 110)", situation=standing(page=map_page))
    assert found.proposals[0].description == "Click at 50, 110"
    found = await refined("clickAt(500, 500)", situation=standing(page=map_page))
    assert found.proposals[0].description == "Click at 500, 500"


async def test_a_picture_goes_with_the_lines():
    seen = replace(customer_form(), mode="hybrid", screenshot=b"\xff\xd8jpeg")
    ask, model = reasoner(acting("clickAt(500, 500)"))
    found = await ask.refine(standing(page=seen))
    assert model.asked[0].images == (b"\xff\xd8jpeg",)
    assert '20 @40,88 64x16 inp "Name"' in model.asked[0].prompt
    assert found.proposals[0].action == action("clickAt", 625, 625)  # 1,024 px of 1,280


async def test_the_directions_of_scrolling_are_told():
    ask, model = reasoner(acting("click(25)"))
    await ask.refine(standing())
    told = model.asked[0].system.partition("scroll(id, ")[2].partition(")")[0]
    assert set(told.split("/")) == DIRECTIONS


@pytest.mark.parametrize(
    "call", ['selectText("page", "Name")', 'wait("page", "Saved", 900)', 'scroll("page", "down")']
)
async def test_some_actions_are_about_the_whole_page(call):
    assert (await refined(call)).proposals[0].action.text == call


async def test_the_whole_page_may_be_read():
    found = await refined('read("page")')
    assert (found.outcome, found.lookups) == ("read", (action("read", "page"),))


async def test_what_is_looked_up_in_one_reply_is_answered_together():
    found = await refined('find("Jas")', 'read("20")', "click(25)", 'find("Kim")')
    assert found.lookups == (action("find", "Jas"), action("read", "20"))
    assert found.proposals == ()


async def test_an_action_may_wait_for_what_the_page_will_show():
    found = await refined('wait("20", "Go", 5000)', 'click("25")')
    assert [one.action.name for one in found.proposals] == ["wait", "click"]
    assert found.proposals[0].description == "Wait until the 'Name' field shows 'Go'"


async def test_points_in_a_picture_become_points_of_the_window():
    seen = replace(customer_form(), mode="hybrid", screenshot=b"x", viewport=(2048.0, 900.0))
    calls = ("draw([[10, 20], [30, 41]])", 'dragTo("20", 100, 50)', 'scroll("page", 0, 300)')
    ask, _ = reasoner(acting(*calls))
    found = await ask.refine(standing(page=seen))
    assert [one.action.args for one in found.proposals] == [
        {"points": ((20, 40), (60, 82))},
        {"id": "20", "x": 200, "y": 100},
        {"id": "page", "x": 0, "y": 300},
    ]


async def test_the_last_ten_actions_are_told_as_they_were_and_older_ones_in_a_sentence():
    records = tuple(
        ActionRecord(action=action("click", str(at)), description=f"Press {at}", status="success")
        for at in range(13)
    )
    failed = ActionRecord(
        action=action("setValue", "20", "Jas"),
        signature=("inp", "Name", ""),
        status="failure",
        note="the field kept its old value",
    )
    ask, model = reasoner(acting("click(25)"))
    await ask.refine(standing(records=(*records, failed)))
    prompt = model.asked[0].prompt
    assert "before that 4 actions, 4 worked: Press 0; Press 1; Press 2; Press 3" in prompt
    assert 'click("3")' not in prompt
    assert 'click("4") done' in prompt
    assert 'setValue("20", "Jas") on inp \'Name\' failed: the field kept its old value' in prompt


async def test_a_refused_proposal_is_told_with_its_reason():
    ask, model = reasoner(acting("click(25)"))
    await ask.refine(standing(refused="the page does not show that it was saved"))
    assert "Your last proposal was not sent:" in model.asked[0].prompt
    assert "the page does not show that it was saved" in model.asked[0].prompt


async def test_a_correction_names_its_strategy_and_counts_as_one():
    ask, model = reasoner(acting("click(25)", strategy="other element"))
    found = await ask.correct(standing(), "the button did nothing")
    assert found.strategy == "other element"
    assert [one.purpose for one in found.proposals] == ["correct"]
    assert "the button did nothing" in model.asked[0].prompt
    assert model.asked[0].purpose == "correcting"


async def test_a_plan_without_steps_is_acted_on_all_the_same():
    assert (await refined("click(25)", situation=standing(plan=Plan()))).outcome == "act"


async def test_what_was_pressed_in_a_row_is_told_with_the_row():
    group = "section: Requests > row: Ann Lee, 3 May"
    record = ActionRecord(
        action=action("click", "5"), signature=("btn", "Approve", group), status="success"
    )
    ask, model = reasoner(acting("click(25)"))
    await ask.refine(standing(records=(record,)))
    assert "click(\"5\") on btn 'Approve' in 'Ann Lee, 3 May' done" in model.asked[0].prompt


async def test_making_a_file_is_told_only_where_one_is_taken():
    for takes in (True, False):
        ask, model = reasoner(acting("click(5)"))
        here = standing()
        nodes = (
            *here.page.tree,
            *([node(60, id="60", role="file", name="Notes")] if takes else []),
        )
        await ask.refine(replace(here, page=replace(here.page, tree=Tree.of(nodes))))
        assert ("uploadFile(id, name, text)" in model.asked[-1].prompt) is takes
