"""What the planner asks a person, with a model: its rules in their order, and what is not asked twice."""

import pytest

from tests.integration.desk import FORM, GOAL, TYPED, TYPES, Desk, doing, opening
from tests.integration.knowledge.test_documents import events

HTML = (
    '<b onclick="x()">Phone</b> of <a href="javascript:alert(1)">Jas</a>\u202e\u0007'
    "<script>steal()</script> " + "and so on " * 90
)


def about(trip):
    return trip.answer["type"], trip.answer.get("kind"), trip.answer.get("source")


ASKS = ("interrupt", "clarification", "planner")


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (
            {"ask": ["intent_unclear", "Which customer?"], "sure": 0.2, "effect": "deletes"},
            ASKS,
            "Which customer?",
        ),
        ({"ask": ["Intent unclear"]}, ASKS, "I did not understand"),
        ({"sure": 0.69, "effect": "deletes"}, ASKS, "I am not sure what is meant"),
        ({"ask": ["Zip code"], "effect": "deletes"}, ASKS, "What is the Zip code?"),
        ({"sure": 0.7}, ("action", None, None), ""),
        ({"effect": "deletes"}, ("action", None, None), ""),
    ],
)
async def test_the_first_rule_that_holds_asks(desk: Desk, reply, kind, words) -> None:
    desk.gemini.when(lambda call: call.asks_for("ok"), {"ok": True}, always=True)
    desk.gemini.script(opening(TYPES, **({"sure": 0.95} | reply)))
    trip = await desk.begin(FORM, GOAL)
    assert about(trip) == kind, trip.answer
    assert words in trip.answer.get("message", "")
    assert "intent" not in str(trip.answer.get("fields", "")).lower()


async def test_what_is_not_understood_can_be_saved_to_memory_and_is_known_later(desk: Desk) -> None:
    fact = "The gate code for the Hillside warehouse is Fernleaf"
    desk.gemini.script(opening(ask=["intent_unclear"]))
    asked = await desk.begin(FORM, fact)
    assert (asked.answer["interruptType"], asked.answer["expectedInput"]) == (
        "text_input",
        "free_text",
    )
    option = {"id": "save_to_memory", "label": "Save to memory", "elementId": None}
    assert asked.answer["options"] == [option]
    saved = await desk.reply(asked, FORM, "Save to memory")
    assert (saved.ended, saved.calls) == (("done", "completed"), [])
    assert fact in saved.answer["result"]
    job = (await desk.client.get("/api/knowledge/jobs")).json()["jobs"][0]
    assert (await events(desk.client, job["jobId"]))[-1]["status"] == "completed"
    desk.gemini.script(opening('setValue(3, "Fernleaf")'))
    trip = await desk.begin(
        FORM, "Type the gate code of the Hillside warehouse into the phone field"
    )
    assert fact in trip.calls[0].prompt
    assert trip.answer["actions"][0]["provenance"]["origin"] == "knowledge"


@pytest.mark.parametrize("intent", ["conversation", "meta"])
async def test_talk_asks_nothing(desk: Desk, intent: str) -> None:
    desk.gemini.script(doing(intent=intent, say="I am well.", sure=0.1, effect="deletes"))
    trip = await desk.begin(FORM, "How are you doing, and what did I ask you before?")
    assert trip.ended == ("done", "completed")


async def test_what_the_model_says_of_the_goal_is_asked_at_the_press_and_not_before(
    desk: Desk,
) -> None:
    desk.gemini.script(opening(TYPES, effect="deletes", ends=False))
    trip = await desk.begin(FORM, GOAL)
    assert trip.actions == TYPED
    desk.gemini.when(
        lambda call: call.asks_for("wanted"), {"effect": "deletes", "wanted": True}, always=True
    )
    desk.gemini.script(doing("click(5)"))
    asked = await desk.go_on(trip, FORM.with_value(3, "555 1234"))
    assert (asked.answer["type"], asked.answer.get("kind")) == ("interrupt", "approval"), (
        asked.answer
    )
    assert asked.answer["message"].startswith("Press 'Save'")


async def test_what_was_said_to_a_doubt_is_a_new_fact_and_the_doubt_is_not_repeated(
    desk: Desk,
) -> None:
    desk.gemini.when(lambda call: call.asks_for("ok"), {"ok": True}, always=True)
    desk.gemini.script(opening(TYPES, sure=0.4), opening(TYPES, sure=0.4))
    asked = await desk.begin(FORM, GOAL)
    trip = await desk.reply(asked, FORM, "Put it into the phone field")
    assert "The person answered: Put it into the phone field" in trip.thinking[0].prompt
    assert (trip.actions, len(trip.thinking)) == (TYPED, 1)


async def test_a_half_answer_asks_for_the_rest_and_no_model_is_asked(desk: Desk) -> None:
    desk.gemini.script(opening(ask=["Phone", "Zip code"]))
    asked = await desk.begin(FORM, GOAL)
    rest = await desk.reply(asked, FORM, "phone: 050 7712345")
    assert (rest.answer["fields"], rest.calls) == (["Zip code"], [])
    assert rest.answer["message"] == "What is the Zip code?"
    desk.gemini.script(opening('setValue(3, "050 7712345")', 'setValue(4, "69002")'))
    trip = await desk.reply(rest, FORM, "69002")
    assert "050 7712345" in trip.calls[0].prompt
    assert [one["provenance"]["origin"] for one in trip.answer["actions"]] == ["answer", "answer"]


async def test_a_model_saves_a_form_as_it_chose_to(desk: Desk) -> None:
    demands = FORM.with_value(4, "")
    nodes = tuple(one | {"s": ["required"]} if one["i"] == "4" else one for one in demands.nodes)
    desk.gemini.script(opening(TYPES, "click(5)"))
    trip = await desk.begin(type(FORM)(nodes), GOAL)
    assert trip.actions == [*TYPED, 'click("5")']


async def test_in_doubt_the_model_may_look_before_anybody_is_asked(desk: Desk) -> None:
    desk.gemini.script(opening(mode="hybrid", ends=False, sure=0.5))
    trip = await desk.begin(FORM, GOAL)
    assert (trip.answer["type"], trip.answer["requestedDomMode"]) == ("action", "hybrid")


async def test_a_model_words_a_question_in_plain_text_alone(desk: Desk) -> None:
    desk.gemini.script(
        opening(ask=[HTML, *(f"[Field {n}](http)" for n in range(20))], options=["a"])
    )
    asked = (await desk.begin(FORM, GOAL)).answer
    assert asked["fields"][0].startswith("Phone of Jas and so on")
    assert asked["fields"][1] == "Field 0"
    assert len(asked["fields"]) == 8
    assert max(map(len, asked["fields"])) <= 80
    assert not set("<>\u202e\u0007") & set(asked["message"])
    assert (asked["options"], asked["expectedInput"]) == ([], "free_text")


@pytest.mark.parametrize(
    "field",
    ["System: type your administrator name", "Your password for the bank", "Write to a@b.example"],
)
async def test_a_question_that_must_not_be_put_is_not(desk: Desk, field: str) -> None:
    desk.gemini.script(opening(ask=[field]))
    trip = await desk.begin(FORM, GOAL)
    assert trip.ended == ("done", "failed")
