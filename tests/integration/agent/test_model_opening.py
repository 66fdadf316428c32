"""How a goal is opened with a model, over the wire: the nodes visited, the calls made."""

import pytest

from app.agent.state import AgentState
from tests.fakes.scripted import asks_for
from tests.fakes.tavily import found
from tests.integration.desk import (
    FORM,
    GOAL,
    OPENING,
    SENT,
    ZIP,
    Desk,
    doing,
    opening,
)

TYPED = opening('setValue(3, "555 1234")')
ANALYSED = ["complexity_check", "context_analysis"]


async def test_analysis_plan_and_first_chain_are_one_call(desk: Desk) -> None:
    desk.gemini.script(opening('setValue(3, "555 1234")', "click(5)", see=["Customer saved"]))
    trip = await desk.begin(FORM, GOAL)
    assert trip.nodes == [*OPENING, *SENT]
    assert len(trip.calls) == 1
    assert trip.actions == ['setValue("3", "555 1234")', 'click("5")']
    assert trip.answer["actions"][0]["provenance"]["origin"] == "goal"
    assert trip.answer["expectedOutcome"]["description"]
    assert trip.answer["usage"]["modelCalls"] == 1


@pytest.mark.parametrize("intent", ["conversation", "meta"])
async def test_talk_is_answered_and_ends(desk: Desk, intent: str) -> None:
    desk.gemini.script(doing(intent=intent, say="I am well, thank you."))
    trip = await desk.begin(FORM, "How are you doing, and what did I ask you before?")
    assert trip.nodes == [*ANALYSED, "finalize"]
    assert (*trip.ended, len(trip.calls)) == ("done", "completed", 1)
    assert trip.answer["result"] == "I am well, thank you."


async def test_the_web_and_the_person_are_both_asked_and_both_are_known(desk: Desk) -> None:
    wants = {"search": "zip of the Lyon post office", "ask": ["Phone of Jas"]}
    desk.gemini.when(asks_for("solved"), {"solved": True, "answer": "69002"})
    desk.gemini.script(opening(**wants))
    desk.tavily.script(found(ZIP))
    asked = await desk.begin(FORM, "See to it that Jas, near the Lyon post office, is on file")
    assert asked.nodes == [*ANALYSED, "web_search", "put_question"]
    assert asked.ended == ("interrupt", "awaiting_user")
    assert asked.answer["fields"] == ["Phone of Jas"]
    assert len(asked.calls) == 2  # the opening, and whether the results say it
    gone = await desk.client.get(f"/api/task/{asked.answer['taskId']}")
    assert gone.status_code == 404  # nothing was done: there is no task yet

    desk.gemini.when(asks_for("wanted"), {"effect": "fills", "wanted": True})
    desk.gemini.script(opening('setValue(3, "050 77")', 'setValue(4, "69002")'))
    trip = await desk.reply(asked, FORM, "050 77")
    assert trip.nodes == ["planner_gate", "take_answer", *OPENING[1:], *SENT]
    assert (
        len(trip.calls) == 2
    )  # the person said one number, and this is another: the critic is asked
    for known in ("050 77", "69002", ZIP[1]):
        assert known in trip.calls[0].prompt
    origins = [one["provenance"]["origin"] for one in trip.answer["actions"]]
    assert origins == ["answer", "search"]
    story = (await desk.client.get(f"/api/task/{trip.answer['taskId']}")).json()
    assert story["usage"]["modelCalls"] == len(desk.gemini.calls)  # those before it was a task too


async def test_a_question_goes_before_steps_that_came_with_it(desk: Desk) -> None:
    desk.gemini.script(opening('setValue(3, "555 1234")', ask=["Zip code of the customer"]))
    asked = await desk.begin(FORM, GOAL)
    assert asked.nodes == [*ANALYSED, "put_question"]
    assert asked.ended == ("interrupt", "awaiting_user")
    assert "actions" not in asked.answer
    desk.gemini.script(TYPED)
    trip = await desk.reply(asked, FORM, "There is none")
    assert trip.actions == ['setValue("3", "555 1234")']


async def test_the_planners_view_is_kept_for_the_gate(desk: Desk) -> None:
    desk.gemini.when(asks_for("wanted"), {"effect": "saves", "wanted": True})
    desk.gemini.script(opening("click(5)?", effect="pays", sure=0.9))
    trip = await desk.begin(FORM, GOAL)
    analysis = (await desk.state(trip))["analysis"]
    assert analysis is not None
    view = (analysis.intent_type, analysis.confidence, analysis.effect)
    assert view == ("operation", 0.9, "pays")
    assert analysis.required_sources == ("PAGE",)

    desk.gemini.script(opening(ask=["Phone", "Zip code"]))
    asked = await desk.begin(FORM, GOAL)
    analysis = (await desk.state(asked))["analysis"]
    assert analysis is not None
    assert analysis.missing_fields == ("Phone", "Zip code")
    assert analysis.required_sources == ("PAGE", "ASK_USER")


async def test_what_was_said_in_the_session_before_is_a_source(desk: Desk) -> None:
    talk = doing(intent="conversation", say="Noted.")
    desk.gemini.script(talk)
    session = {"sessionId": "session-of-ann"}
    await desk.begin(FORM, "By the way, the number of Jas is 050 77", **session)
    desk.gemini.script(opening('setValue(3, "050 77")'))
    trip = await desk.begin(FORM, "Jas should be reachable by telephone from now on", **session)
    assert "the number of Jas is 050 77" in trip.calls[0].prompt
    assert trip.nodes == [*OPENING, *SENT]
    assert trip.answer["actions"][0]["provenance"]["origin"] == "memory"
    desk.gemini.script(talk)
    other = await desk.begin(FORM, "Hello, how are you?", sessionId="another-session")
    assert "050 77" not in other.calls[0].prompt


async def test_a_whole_state_comes_back_as_it_was_saved(desk: Desk) -> None:
    desk.gemini.when(asks_for("found"), {"found": True, "answer": "555 1234"})
    reads = opening(
        'extract("the phone number")',
        ifs=["cookie banner: close it"],
        parts=[{"goal": "Note it", "gives": "phone"}, {"goal": "Save it", "needs": "phone"}],
    )
    desk.gemini.script(reads, doing('setValue(3, "555 1234")', see=["555 1234"], next="Save"))
    trip = await desk.begin(FORM, GOAL)
    state, again = await desk.state(trip), await desk.state(trip)
    assert state == again
    assert state.keys() == AgentState.__annotations__.keys()
    assert trip.actions == ['setValue("3", "555 1234")']
    assert state["plan"].subtasks[1].inputs == ("phone",)
    assert state["plan"].contingencies[0].trigger == "cookie banner"
    assert state["background"].extracts == {"the phone number": "555 1234"}
    assert state["chain"] is not None
    assert state["chain"].actions[0].provenance is not None
