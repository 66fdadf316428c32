"""The ways of a step that a model chose, over the wire: the nodes visited, the calls made."""

import base64

import pytest

from tests.fakes.scripted import asks_for
from tests.fakes.steps import status
from tests.fakes.tavily import found
from tests.integration.desk import (
    BACK,
    FORM,
    GOAL,
    OPENING,
    SENT,
    TYPED,
    TYPES,
    ZIP,
    Desk,
    Screen,
    Trip,
    doing,
    node,
    opening,
)

JPEG = b"\xff\xd8\xff\xe0" + b"a picture of the page" * 40
MARKUP = '<form><input data-llm-id="3" aria-label="Phone" title="mobile"><b>Call first</b></form>'
FORMS = {
    "semantic": {"dom": MARKUP},
    "skeleton": {"skeletonDom": MARKUP},
    "hybrid": {"skeletonDom": MARKUP, "screenshot": base64.b64encode(JPEG).decode()},
    "full": {"dom": MARKUP},
}


@pytest.mark.parametrize("mode", FORMS)
async def test_other_views_are_asked_for_and_read(desk: Desk, mode: str) -> None:
    desk.gemini.script(opening(mode=mode, ends=False))
    looks = await desk.begin(FORM, GOAL)
    assert looks.nodes == OPENING
    assert (looks.answer["requestedDomMode"], looks.actions, len(looks.calls)) == (mode, [], 1)

    other = "hybrid" if mode == "full" else "full"
    desk.gemini.script(doing(mode=other, ends=False))
    again = await desk.go_on(looks, FORM, domMode=mode, **FORMS[mode])
    assert again.nodes == ["look", "step_refinement"]
    assert (again.answer["requestedDomMode"], again.actions) == (other, [])
    assert "title" in again.calls[0].prompt
    assert again.calls[0].images == ((JPEG,) if mode == "hybrid" else ())

    desk.gemini.script(doing(TYPES))
    trip = await desk.go_on(again, FORM, domMode=other, **FORMS[other])
    assert trip.nodes == ["look", "step_refinement", *SENT]
    assert (trip.answer["requestedDomMode"], trip.actions) == (None, TYPED)


async def test_what_only_the_person_knows_is_asked_for_within_a_step(desk: Desk) -> None:
    desk.gemini.script(opening('setValue(3, "MISSING_INFO: phone of Jas")'))
    asked = await desk.begin(FORM, "Jas moved; see to it that we can ring")
    assert asked.nodes == [*OPENING, "put_question"]
    assert asked.ended == ("interrupt", "awaiting_user")
    assert asked.answer["fields"] == ["phone of Jas"]
    desk.gemini.script(doing(TYPES))
    trip = await desk.reply(asked, FORM, "555 1234")
    assert trip.nodes == ["missing_info_gate", "take_answer", "step_refinement", *SENT]
    assert (trip.actions, len(trip.calls)) == (TYPED, 1)
    assert "The person answered: 555 1234" in trip.calls[0].prompt
    assert trip.answer["actions"][0]["provenance"]["origin"] == "answer"


async def test_a_fact_of_the_world_is_searched_for_within_a_step(desk: Desk) -> None:
    desk.gemini.when(asks_for("solved"), {"solved": True, "answer": "69002"})
    missing = 'setValue(4, "MISSING_INFO: zip code of the Lyon post office")'
    desk.gemini.script(opening(missing), doing('setValue(4, "69002")'))
    desk.tavily.script(found(ZIP))
    trip = await desk.begin(FORM, "Jas lives at the post office of Lyon now")
    again = ["web_search", "step_refinement"]
    assert trip.nodes == [*OPENING, *again, *SENT]
    assert len(trip.calls) == 3  # opening, weighing, acting
    assert trip.actions == ['setValue("4", "69002")']
    source = trip.answer["actions"][0]["provenance"]
    assert (source["origin"], source["ref"]) == ("search", ZIP[1])
    story = (await desk.client.get(f"/api/task/{trip.answer['taskId']}")).json()
    assert story["webSearchResult"]["solved"]


async def test_a_search_is_judged_and_made_better_three_times_at_most(desk: Desk) -> None:
    better = iter(["Lyon post zip", "La Poste Lyon zip", "69002 Lyon", "never sent"])
    desk.gemini.when(
        asks_for("solved"), lambda _: {"solved": False, "query": next(better)}, always=True
    )
    question = "zip code of the Lyon post office"
    desk.gemini.script(opening(search=question), opening(search=question))
    own = ("Help", "https://help.hubspot.com/zip", "Nothing of the kind")
    desk.tavily.always(found(own, ZIP))
    page = Screen(FORM.nodes, url="https://app.hubspot.com/contacts/7")
    trip = await desk.begin(page, "Jas lives at the post office of Lyon now")
    assert desk.tavily.queries[0] == question
    assert len(desk.tavily.queries) == 3
    assert desk.tavily.calls[0].body["include_domains"] == ["hubspot.com"]
    assert "include_domains" not in desk.tavily.calls[-1].body
    assert trip.nodes == [*OPENING[:2], "web_search", "context_analysis", "put_question"]
    assert trip.answer["fields"] == [question]  # what nobody found is asked for


async def test_a_search_and_a_reading_are_done_here(desk: Desk) -> None:
    desk.gemini.when(asks_for("solved"), {"solved": True, "answer": "69002"})
    desk.gemini.when(asks_for("found"), {"found": True, "answer": "Customer 7"})
    desk.gemini.script(
        opening('googleSearch("zip of the Lyon post office")'),
        doing('extract("who this customer is")'),
        doing(TYPES),
    )
    desk.tavily.script(found(ZIP))
    trip = await desk.begin(FORM, GOAL)
    looked_up = ["web_search", "step_refinement", "reading", "step_refinement"]
    assert trip.nodes == [*OPENING, *looked_up, *SENT]
    assert len(trip.calls) == 5
    assert trip.actions == TYPED
    assert desk.tavily.queries == ["zip of the Lyon post office"]
    assert "Customer 7" in trip.calls[-1].prompt


async def test_an_action_that_the_model_is_less_sure_of_is_sent_as_chosen(desk: Desk) -> None:
    desk.gemini.script(opening(TYPES, sure=0.75))
    trip = await desk.begin(FORM, GOAL)
    assert (trip.nodes, trip.actions, len(trip.calls)) == ([*OPENING, *SENT], TYPED, 1)


async def test_one_call_a_round_trip_prediction_included(desk: Desk) -> None:
    desk.gemini.script(opening(TYPES, ends=False), doing('setValue(4, "1234")', see=["1234"]))
    first = await desk.begin(FORM, GOAL)
    filled = FORM.with_value(3, "555 1234")
    second = await desk.go_on(first, filled)
    assert second.nodes == [*BACK, "step_refinement", *SENT]
    assert len(second.calls) == 1
    assert second.answer["verification"]["actionSucceeded"]


ROWS = Screen((node(9, "btn", "Next"), node(8, "btn", "Sort", s=["collapsed"])))
SORTED = Screen((node(9, "btn", "Next"), node(8, "btn", "Sort", s=["expanded"])))


async def unconfirmed(desk: Desk, *then: object) -> Trip:
    """The last step was done, and the page does not show whether the goal is reached."""
    desk.gemini.script(opening("click(8)", step="Look at the order"), *then)
    first = await desk.begin(ROWS, "Who has been with us for the longest time?")
    assert first.actions == ['click("8")']
    return await desk.go_on(first, SORTED)


async def test_an_end_that_nothing_shows_is_no_success(desk: Desk) -> None:
    claims = doing('finish("That is Ann Lee.")')
    trip = await unconfirmed(desk, claims, claims, claims)
    assert trip.ended == ("done", "failed")
    assert "Quote the text" in trip.answer["result"]
    told = ["Quote the text on the page" in call.prompt for call in trip.thinking]
    assert told == [False, True, True]


async def entered(desk: Desk, *then: object, effect: str = "fills") -> Trip:
    """The end that quotes nothing but what the run typed itself."""
    ends = doing('finish("It is kept.")', quote="555 1234")
    desk.gemini.script(opening(TYPES, ends=False, effect=effect), ends, *then)
    first = await desk.begin(FORM, GOAL)
    return await desk.go_on(first, FORM.with_value(3, "555 1234"))


async def test_the_critic_may_refuse_an_end_that_only_what_was_typed_shows(desk: Desk) -> None:
    desk.gemini.when(asks_for("ok"), {"ok": False, "why": "It was not saved."}, always=True)
    trip = await entered(desk, doing("click(5)"))
    assert trip.nodes == [*BACK, "step_refinement", "critic", "step_refinement", *SENT]
    assert "It was not saved." in trip.thinking[-1].prompt


async def test_what_is_to_be_saved_is_not_reached_by_typing_it(desk: Desk) -> None:
    trip = await entered(desk, doing("click(5)"), effect="saves")
    assert trip.nodes == [*BACK, "step_refinement", "step_refinement", *SENT]
    assert "'Save' was not pressed" in trip.thinking[-1].prompt


async def test_the_critic_fails_open(desk: Desk) -> None:
    desk.gemini.when(asks_for("ok"), status(503), always=True)
    trip = await entered(desk)
    assert trip.nodes == [*BACK, "step_refinement", "critic", "finalize"]
    assert trip.ended == ("done", "completed")


SINCE = Screen((*SORTED.nodes, node(10, "link", "Ann Lee, since 1999")))


async def test_an_end_with_a_quote_that_stands_there_is_not_looked_at_twice(desk: Desk) -> None:
    ends = doing('finish("That is Ann Lee.")', quote="Ann Lee, since 1999")
    desk.gemini.script(opening("click(8)", step="Look at the order"), ends)
    first = await desk.begin(ROWS, "Who has been with us for the longest time?")
    trip = await desk.go_on(first, SINCE)
    assert trip.nodes == [*BACK, "step_refinement", "finalize"]
    assert (*trip.ended, len(trip.calls)) == ("done", "completed", 1)


async def test_a_quote_that_stands_nowhere_ends_nothing(desk: Desk) -> None:
    invents = doing('finish("That is Bob.")', quote="Bob, since 1990")
    right = doing('finish("That is Ann Lee.")', quote="Ann Lee, since 1999")
    desk.gemini.script(opening("click(8)", step="Look at the order"), invents, right)
    first = await desk.begin(ROWS, "Who has been with us for the longest time?")
    trip = await desk.go_on(first, SINCE)
    assert trip.answer["result"] == "That is Ann Lee."
    assert "'Bob, since 1990' is neither on the page" in trip.calls[1].prompt


async def test_a_text_that_stood_there_before_ends_nothing(desk: Desk) -> None:
    old = doing('finish("It is sorted.")', quote="Next")
    new = doing('finish("It is sorted.")', quote="Sort expanded")
    trip = await unconfirmed(desk, old, new)
    assert trip.ended == ("done", "completed")
    assert "'Next' was there before anything was done" in trip.calls[-1].prompt


async def test_after_the_last_step_the_model_may_go_on(desk: Desk) -> None:
    desk.gemini.when(asks_for("wanted"), {"effect": "reads", "wanted": True}, always=True)
    trip = await unconfirmed(desk, doing("click(9)"))
    assert trip.nodes == [*BACK, "step_refinement", *SENT]
    assert trip.actions == ['click("9")']


async def test_after_the_last_step_rules_alone_end_honestly(desk: Desk) -> None:
    trip = await unconfirmed(desk, status(503), status(503), status(503))
    assert trip.ended == ("done", "failed")
    assert "does not confirm" in trip.answer["result"]
    assert "did not answer" in trip.answer["notice"]


async def test_the_critic_sees_the_values_that_a_press_hands_in(desk: Desk) -> None:
    desk.gemini.when(asks_for("wanted"), {"effect": "saves", "wanted": True}, always=True)
    desk.gemini.script(opening(TYPES, "click(5)", effect="sends"))
    trip = await desk.begin(FORM, "Let us ring Jas at 555 1234")
    (examined,) = [call for call in trip.calls if asks_for("wanted")(call)]
    assert "Phone: 555 1234" in examined.prompt
    assert trip.actions == [*TYPED, 'click("5")']


SENDING = Screen((*FORM.nodes[:3], node(5, "btn", "Send to all", g="form: Customer")))


async def test_what_the_critic_calls_a_save_goes_with_what_is_typed(desk: Desk) -> None:
    desk.gemini.when(asks_for("wanted"), {"effect": "saves", "wanted": True}, always=True)
    desk.gemini.script(opening(TYPES, "click(5)", effect="saves"))
    trip = await desk.begin(SENDING, GOAL)
    assert trip.actions == [*TYPED, 'click("5")']


async def test_what_a_person_is_asked_about_waits_for_what_is_typed(desk: Desk) -> None:
    desk.gemini.when(asks_for("wanted"), {"effect": "sends", "wanted": True}, always=True)
    desk.gemini.script(opening(TYPES, "click(5)", effect="saves"), doing("click(5)"))
    first = await desk.begin(SENDING, GOAL)
    assert first.actions == TYPED
    asked = await desk.go_on(first, SENDING.with_value(3, "555 1234"))
    assert "Not sent" in asked.calls[0].prompt
    assert asked.ended == ("interrupt", "awaiting_user")
    assert asked.answer["message"].startswith("Press 'Send to all' in 'Customer'?")
    assert "Phone: 555 1234" in asked.answer["message"]
