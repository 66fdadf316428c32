"""Goals that need a model, through the real extension and server; the model is the Gemini fake."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.office import REFERENCE
from tests.browser.reasoned import (
    Reasoned,
    Talk,
    doing,
    opening,
    reasoned_browser,
    served_reasoning,
    talk_at,
)
from tests.browser.world import Worlds
from tests.fakes.calls import Call
from tests.fakes.scripted import asks_for
from tests.fakes.steps import Gate, held, status

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

CUSTOMER = {
    "name": "Jas Patel", "email": "jas@a.example", "phone": "555 1234",
    "city": "Lyon", "country": "France",
}  # fmt: skip
WON = (
    "We have won somebody new: Jas Patel of Lyon, which is in France, "
    "reachable at jas@a.example and 555 1234. Take care that we find her among our customers"
)
NEWCOMER = "Somebody new is at the desk and is called Jas; take care that our list knows about her"
UNSAID = "Take care that Jas Patel, who is new, is among our customers and can be called"


@pytest.fixture(scope="module")
def shared(store_uri: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reasoned]:
    with served_reasoning(store_uri, tmp_path_factory.mktemp("backend")) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def worlds(shared: Reasoned) -> AsyncIterator[Worlds]:
    async with reasoned_browser(shared) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def talk(shared: Reasoned, worlds: Worlds) -> Talk:
    return await talk_at(shared, worlds)


def receptionist(call: Call) -> dict[str, Any]:
    """Whatever the clinic shows: the menu, its item, or the form."""
    if '"Save patient"' in call.prompt:
        does = [
            f'setValue({call.id_of("Name", role="inp")}, "Jas")',
            f"click({call.id_of('Save patient')})",
        ]
        made = doing(*does, see=["Jas was created"])
    elif 'menu "New"' in call.prompt:
        made = doing(f"click({call.id_of('New')})", see=["New patient"])
    else:
        made = doing(f"click({call.id_of('Patient')})", ends=False, see=["New"])
    if not call.asks_for("intent"):
        return made
    steps = [{"text": "Get to the form for somebody new"}, {"text": "Fill it in and save it"}]
    return {"intent": "operation", "steps": steps} | made


async def test_the_clinics_task_in_words_that_only_a_model_understands(talk: Talk) -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        (await client.post(f"{talk.clinic.url}/api/reset")).raise_for_status()
    await talk.at(talk.clinic.url)
    talk.gemini.always(receptionist)
    await talk.ask(NEWCOMER)
    await talk.completes()
    assert (await talk.stored("Jas"), await talk.posts()) == (1, 1)
    told = (await talk.task())["metrics"]
    assert 1 <= told["modelCalls"] == len(talk.gemini.calls) <= told["roundTrips"]


def typed(call: Call, **values: str) -> list[str]:
    return [f'setValue({call.id_of(name)}, "{value}")' for name, value in values.items()]


def five_fields(call: Call) -> dict[str, Any]:
    values = {name.capitalize(): value for name, value in CUSTOMER.items() if name != "country"}
    does = [*typed(call, **values), f'selectOption({call.id_of("Country")}, "France")']
    save = f"click({call.id_of('Save customer')})"
    return opening(*does, save, step="Fill in the form and save it", see=["The customer was saved"])


async def test_five_fields_cost_one_call_and_one_post(talk: Talk) -> None:
    talk.gemini.script(five_fields)
    await talk.ask(WON)
    await talk.completes()
    assert talk.office.customers == [CUSTOMER]
    assert len(talk.gemini.calls) <= 2
    assert talk.gemini.input_tokens <= 2_500
    told = await talk.task()
    assert told["metrics"]["roundTrips"] <= 3
    assert len({one["stepIndex"] for one in told["actions"]}) == 1  # one chain
    (call,) = talk.gemini.calls
    spent = f"{call.input_tokens + call.output_tokens:,} tokens"
    await expect(talk.panel.get_by_test_id("usage")).to_contain_text(spent)
    await expect(talk.panel.get_by_test_id("usage")).to_contain_text(call.model)


FOUND = f"Parcel {REFERENCE} is on its way"
PARTS = [
    {"goal": "Read the tracking number of the order", "gives": "number"},
    {"goal": "Look the parcel up by that number", "needs": "number"},
]


def to_the_order(call: Call) -> dict[str, Any]:
    order = f"click({call.id_of('Orders')})"
    return opening(order, parts=PARTS, step="Open the order", see=["Order 17"])


def to_the_parcels(call: Call) -> dict[str, Any]:
    """Reads the value of the first page, and leaves it."""
    steps = [{"text": "Get to the parcels"}, {"text": "Look the number up", "shows": "on its way"}]
    parcels = f"click({call.id_of('Parcels')})"
    return opening(parcels, steps=steps, outputs=[f"number={REFERENCE}"], see=["Tracking number"])


def look_up(call: Call) -> dict[str, Any]:
    """Types the number, looks it up, and says what was found."""
    if 'txt "Parcel' in call.prompt:
        return doing(f'finish("{FOUND}")', quote="is on its way")
    does = [] if f'="{REFERENCE}"' in call.prompt else typed(call, **{"Tracking number": REFERENCE})
    return doing(*does, f"click({call.id_of('Look up')})", see=["is on its way"], effect="reads")


async def test_what_one_part_read_on_a_page_is_typed_by_the_next_on_another(talk: Talk) -> None:
    """And the panel shows the parts: done ones as a line, the current one above its steps."""
    gate = Gate()
    talk.gemini.when(asks_for("ok"), {"ok": True}, always=True)
    talk.gemini.when(asks_for("wanted"), {"effect": "reads", "wanted": True}, always=True)
    talk.gemini.when(asks_for("intent"), to_the_order, to_the_parcels)
    talk.gemini.when(asks_for("do"), held(gate, look_up), look_up, always=True)
    await talk.ask("Where is the lamp that was ordered? Whoever sent it has a page for parcels")
    await talk.gemini.called(3)
    plan = talk.panel.locator("#plan > li")
    await expect(plan).to_have_count(2)
    await expect(plan.nth(0)).to_have_attribute("data-status", "completed")
    await expect(plan.nth(0).locator("ol")).to_have_count(0)
    await expect(plan.nth(1)).to_contain_text("Look the parcel up by that number")
    await expect(plan.nth(1).locator("[aria-current=step]")).to_have_text("Get to the parcels")
    gate.set()
    await talk.completes()
    assert talk.office.lookups == [REFERENCE]
    assert await talk.result() == FOUND
    await expect(talk.panel.locator("#plan > li[data-status=completed]")).to_have_count(2)
    (typing,) = [one for one in (await talk.task())["actions"] if "setValue" in one["action"]]
    assert typing["provenance"]["origin"] == "subtask"


async def test_what_only_the_person_knows_is_asked_and_answered_by_keyboard(talk: Talk) -> None:
    asks = opening(ask=["Phone number of Jas Patel", "The city she lives in"])

    def filled(call: Call) -> dict[str, Any]:
        does = typed(call, Name="Jas Patel", Phone="555 1234")
        return opening(
            *does, f"click({call.id_of('Save customer')})", see=["The customer was saved"]
        )

    talk.gemini.script(asks, filled)
    await talk.ask(UNSAID)
    await talk.becomes("waiting")
    asked = talk.panel.get_by_test_id("assist")
    await expect(asked.get_by_role("listitem")).to_have_text(
        ["Phone number of Jas Patel", "The city she lives in"]
    )
    await expect(talk.panel.get_by_test_id("assist-input")).to_be_focused()
    await talk.panel.keyboard.type("555 1234, and I do not know the city")
    await talk.panel.keyboard.press("Enter")
    await talk.completes()
    assert [(one["name"], one["phone"]) for one in talk.office.customers] == [
        ("Jas Patel", "555 1234")
    ]
    assert "555 1234, and I do not know the city" in talk.gemini.calls[-1].prompt
    origins = {one["action"]: one["provenance"] for one in (await talk.task())["actions"]}
    assert [told["origin"] for told in origins.values() if told] == ["goal", "answer"]


async def test_a_question_that_is_cancelled_ends_the_run_and_nothing_was_done(talk: Talk) -> None:
    talk.gemini.script(opening(ask=["Phone number of Jas Patel"]))
    await talk.ask(UNSAID)
    await talk.becomes("waiting")
    await talk.panel.get_by_test_id("assist-cancel").press("Enter")
    await talk.becomes("interrupted")
    assert "nothing more was done" in await talk.result()
    await expect(talk.panel.get_by_test_id("assist")).to_be_hidden()
    assert (talk.office.customers, len(talk.gemini.calls)) == ([], 1)
    assert await talk.page.get_by_label("Name").input_value() == ""


@pytest.mark.parametrize("mode", ["skeleton", "hybrid"])
async def test_a_model_that_wants_another_view_of_the_page_gets_it(talk: Talk, mode: str) -> None:
    def seen(call: Call) -> dict[str, Any]:
        assert "<form" in call.prompt
        assert [image[:3] for image in call.images] == (
            [b"\xff\xd8\xff"] if mode == "hybrid" else []
        )
        return doing(f"click({call.id_of('Parcels')})", see=["Tracking number"])

    gate = Gate()
    asks = opening(mode=mode, ends=False, step="Get to the place for parcels")
    talk.gemini.script(held(gate, asks), seen)
    await talk.ask("Bring me to where somebody would find out about what was sent")
    await talk.gemini.called(1)
    await talk.in_front()  # Chrome takes pictures of no other tab
    gate.set()
    await talk.completes()
    assert talk.page.url == f"{talk.office.url}/parcels"
    assert len(talk.gemini.calls) == 2


async def test_a_stop_ends_the_models_call_and_what_was_stopped_goes_on_later(talk: Talk) -> None:
    talk.gemini.script(held(Gate(), five_fields))
    await talk.ask(WON)
    await talk.gemini.called(1)
    await talk.panel.keyboard.press("Escape")
    await talk.becomes("interrupted")
    await expect(talk.panel.get_by_test_id("notice")).to_contain_text("Stopped")
    async with asyncio.timeout(30):
        while not talk.gemini.calls[0].abandoned:
            await asyncio.sleep(0.02)
    assert talk.office.customers == []
    talk.gemini.script(five_fields)
    await talk.panel.get_by_role("button", name="Continue").click()
    status = talk.panel.get_by_test_id("status")
    await expect(status).not_to_have_attribute("data-state", "interrupted")
    await talk.completes()
    assert talk.office.customers == [CUSTOMER]
    assert len(talk.gemini.calls) == 2


async def test_what_is_not_understood_is_saved_to_memory_from_the_panel(talk: Talk) -> None:
    talk.gemini.script(opening(ask=["intent_unclear"]))
    await talk.ask("The yellow folder holds the contracts of this year")
    panel = talk.panel
    await expect(panel.locator("#question")).to_contain_text("I did not understand")
    await expect(panel.get_by_test_id("assist-input")).to_be_focused()
    await panel.get_by_role("button", name="Save to memory").click()
    await talk.completes()
    await expect(panel.get_by_test_id("result")).to_contain_text("Saved to memory")


async def test_rules_finish_what_a_model_began_when_it_goes_away(talk: Talk) -> None:
    """The last test of this file: the server leaves a model alone that failed so often."""
    steps = [
        {"text": "Open the form"},
        {"text": "Type 'Jas Patel' into Name"},
        {"text": "Click 'Save customer'", "shows": "The customer was saved"},
    ]
    await talk.at(f"{talk.office.url}/parcels")
    talk.gemini.when(
        asks_for("intent"), lambda call: opening(f"click({call.id_of('Customers')})", steps=steps)
    )
    talk.gemini.always(status(503))
    await talk.ask(UNSAID)
    await talk.completes()
    assert [one["name"] for one in talk.office.customers] == ["Jas Patel"]
    notice = talk.panel.get_by_test_id("notice")
    await expect(notice).to_contain_text("The model did not answer")
    await expect(notice).to_contain_text("going on by rules")
