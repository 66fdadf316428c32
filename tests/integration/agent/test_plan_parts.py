"""Parts of a goal are done when they gave what they were to give; else they are opened once more."""

from typing import Any

from tests.fakes.calls import Call
from tests.fakes.scripted import asks_for
from tests.integration.agent.test_model_plans import GOAL, INVOICE, LIST, MENU, PAYMENT, node
from tests.integration.desk import BACK, OPENING, SENT, Desk, Screen, Trip, doing, opening

AGAIN = ["context_analysis", *OPENING[1:]]
LISTED = Screen(
    (*MENU, node(11, "link", "INV-0042", g="row: Ann Lee")),
    url="https://crm.example/invoices",
    title="Invoices",
)
FOUND = "Find the number of Ann's invoice"


def parts(**more: str) -> Any:
    """The opening of a goal in two parts, of which the second needs what the first gives."""

    def said(call: Call) -> dict[str, Any]:
        first = {"goal": FOUND, "gives": "number"}
        second = {"goal": "Record the payment", "needs": "number"} | more
        return opening("click(10)", step="Open the invoice", parts=[first, second])

    return said


def opens(*calls: str, number: str = "") -> dict[str, Any]:
    """The opening of a part, with what the part before gives."""
    outputs = [f"number={number}"] if number else []
    return opening(*calls, steps=[{"text": "Go there"}, {"text": "Do it"}], outputs=outputs)


def states(trip: Trip) -> list[str]:
    return [part["status"] for part in trip.answer["plan"]["subTasks"]]


async def test_a_part_that_did_not_give_its_value_is_opened_once_more(desk: Desk) -> None:
    desk.gemini.script(
        parts(), opens("click(2)", number="INV-9999"),
        opening("click(1)", step="Look it up in the list"),
        opens("click(2)", number="INV-0042"),
    )  # fmt: skip
    first = await desk.begin(LIST, GOAL)
    second = await desk.go_on(first, INVOICE)
    assert second.nodes == [*BACK, *AGAIN, *SENT]
    assert second.actions == ['click("1")']
    assert (states(second), len(second.calls)) == (["current", "pending"], 2)
    assert second.answer["verification"]["subTaskCompleted"] is False
    assert "again: it was to give number" in second.calls[1].prompt
    assert "Done so far" not in second.calls[1].prompt

    third = await desk.go_on(second, LISTED)
    assert (states(third), third.actions) == (["completed", "current"], ['click("2")'])
    assert third.answer["verification"]["subTaskCompleted"] is True
    assert (await desk.state(third))["background"].subtask_outputs == {"number": "INV-0042"}


async def test_a_part_that_fails_twice_fails_the_task_by_its_name(desk: Desk) -> None:
    desk.gemini.script(
        parts(), opens("click(2)"), opening("click(1)", step="Look it up"), opens("click(2)")
    )
    first = await desk.begin(LIST, GOAL)
    second = await desk.go_on(first, INVOICE)
    third = await desk.go_on(second, LISTED)
    assert third.ended == ("done", "failed")
    assert states(third) == ["failed", "pending"]
    assert f"Part 1 of 2 ('{FOUND}') was not done" in third.answer["result"]
    assert "it was to give number" in third.answer["result"]
    assert third.answer["verification"]["subTaskCompleted"] is False


async def test_what_no_other_part_needs_is_not_waited_for(desk: Desk) -> None:
    desk.gemini.script(parts(needs=""), opens("click(2)"))
    second = await desk.go_on(await desk.begin(LIST, GOAL), INVOICE)
    assert second.nodes == [*BACK, *OPENING[1:], *SENT]
    assert states(second) == ["completed", "current"]


async def test_any_failure_names_the_part_it_came_in(desk: Desk) -> None:
    no_way = doing('fail("There is no payment form")')
    desk.gemini.script(parts(), opens("click(2)", number="INV-0042"), no_way, {"ok": True})
    second = await desk.go_on(await desk.begin(LIST, GOAL), INVOICE)
    third = await desk.go_on(second, Screen(MENU, url=PAYMENT.url, title="Payments"))
    assert third.ended == ("done", "failed")
    assert states(third) == ["completed", "failed"]
    assert third.answer["result"].startswith("Part 2 of 2 ('Record the payment') was not done.")
    assert "There is no payment form" in third.answer["result"]


async def test_the_timeline_tells_where_the_plan_was_made_anew(desk: Desk) -> None:
    desk.gemini.when(asks_for("wanted"), {"effect": "saves", "wanted": True}, always=True)
    steps = [{"text": "Open the invoice of Ann"}, {"text": "Have it sent to her"}]
    new = doing("click(21)", steps=[{"text": "Print it out as she would like it"}])
    desk.gemini.script(opening("click(10)", steps=steps), new)
    second = await desk.go_on(await desk.begin(LIST, GOAL), INVOICE)
    told = second.answer["rePlanning"]
    assert (told["triggered"], told["decision"]) == (True, "regenerate")
    assert 0 < told["similarity"] < 1
    assert "give new steps if the plan no longer fits" in second.calls[0].prompt
    found = await desk.client.get(f"/api/task/{second.answer['taskId']}")
    assert [one["rePlanning"] for one in found.json()["actions"]] == [None, told]
