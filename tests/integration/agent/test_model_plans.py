"""Plans of a model over the wire: what was foreseen, and parts with values handed on."""

from typing import Any

from tests.fakes.calls import Call
from tests.fakes.scripted import asks_for
from tests.integration.desk import BACK, OPENING, SENT, Desk, Screen, Trip, doing, node, opening

GOAL = "Ann has paid her invoice, see to it that our books say so too"
MENU = (node(1, "link", "Invoices", g="nav: Main"), node(2, "link", "Payments", g="nav: Main"))
LIST = Screen((*MENU, node(10, "link", "Ann Lee", g="row: Ann Lee")))
INVOICE = Screen(
    (*MENU, node(20, "txt", "Invoice INV-0042"), node(21, "btn", "Print")),
    url="https://crm.example/invoices/42",
    title="Invoice INV-0042",
)
PAYMENT = Screen(
    (
        *MENU,
        node(30, "inp", "Invoice", "", g="form: Payment"),
        node(31, "btn", "Save", g="form: Payment"),
    ),
    url="https://crm.example/payments/new",
    title="New payment",
)
RECORDED = Screen(
    (*MENU, node(40, "txt", "Payment recorded", s=["status"])),
    url="https://crm.example/payments",
    title="Payments",
    more={"success_messages": ["Payment recorded"]},
)


async def test_what_was_foreseen_is_cleared_away_and_the_step_goes_on(desk: Desk) -> None:
    desk.gemini.when(asks_for("wanted"), {"effect": "saves", "wanted": True}, always=True)
    steps = [{"text": "Open the invoice of Ann"}, {"text": "Print it out as she would like it"}]
    foreseen = ["cookie banner: click Accept all"]
    desk.gemini.script(opening("click(10)", steps=steps, ifs=foreseen), doing("click(21)"))
    first = await desk.begin(LIST, GOAL)
    assert first.actions == ['click("10")']

    accept = node(90, "btn", "Accept all", g="dialog: Cookie banner", s=["modal"])
    covered = tuple(one | {"occ": True} for one in INVOICE.nodes)
    banner = Screen((accept, *covered), url=INVOICE.url, title=INVOICE.title)
    second = await desk.go_on(first, banner)
    assert second.nodes == [*BACK, "replanning", "step_refinement", "step_refinement", *SENT]
    assert (second.actions, second.calls) == (['click("90")'], [])  # plain: rules press it
    lines = [step["description"] for step in second.answer["plan"]["steps"]]
    assert lines == [steps[0]["text"], "click Accept all", steps[1]["text"]]

    third = await desk.go_on(second, INVOICE)
    assert third.nodes == [*BACK, "step_refinement", *SENT]
    assert (third.actions, sum(call.asks_for("do") for call in third.calls)) == (['click("21")'], 1)


def parts(call: Call) -> dict[str, Any]:
    first = {"goal": "Find the number of Ann's invoice", "gives": "number"}
    second = {"goal": "Record the payment of invoice INV-9999", "needs": "number"}
    return opening("click(10)", step="Open the invoice", parts=[first, second])


async def at_the_payment(desk: Desk, *then: object) -> Trip:
    """The second part is open on its page."""
    handing_on = opening(
        "click(2)", steps=[{"text": "Go to the payments"}, {"text": "Enter the invoice, record it"}],
        outputs=["number=INV-0042", "phone=050 1"],
    )  # fmt: skip
    desk.gemini.script(parts, handing_on, *then)
    first = await desk.begin(LIST, GOAL)
    assert (first.nodes, len(first.calls)) == ([*OPENING, *SENT], 1)
    states = [part["status"] for part in first.answer["plan"]["subTasks"]]
    assert states == ["current", "pending"]

    second = await desk.go_on(first, INVOICE)
    assert second.nodes == [*BACK, *OPENING[1:], *SENT]
    assert len(second.calls) == 1
    assert second.answer["verification"]["subTaskCompleted"]
    assert not second.answer["verification"]["taskCompleted"]
    states = [part["status"] for part in second.answer["plan"]["subTasks"]]
    assert states == ["completed", "current"]
    assert "Done so far" not in second.calls[0].prompt  # a fresh context
    return await desk.go_on(second, PAYMENT)


async def test_a_part_is_done_with_what_the_part_before_handed_on(desk: Desk) -> None:
    desk.gemini.when(asks_for("wanted"), {"effect": "saves", "wanted": True}, always=True)
    typing = doing('setValue(30, "INV-0042")', "click(31)", see=["Payment recorded"])
    third = await at_the_payment(desk, typing)
    assert third.nodes == [*BACK, "replanning", "step_refinement", *SENT]
    assert third.answer["rePlanning"]["decision"] == "continue"
    assert third.actions == ['setValue("30", "INV-0042")', 'click("31")']
    source = third.answer["actions"][0]["provenance"]
    assert source == {
        "origin": "subtask", "excerpt": "INV-0042", "ref": "number", "operation": "",
    }  # fmt: skip
    assert (await desk.state(third))["background"].subtask_outputs == {"number": "INV-0042"}
    done = await desk.go_on(third, RECORDED)
    assert (*done.ended, done.calls) == ("done", "completed", [])


async def test_a_value_in_the_words_of_a_part_is_the_models_own(desk: Desk) -> None:
    """Its own words are no source: it is told so, and chooses again."""
    desk.gemini.when(asks_for("wanted"), {"effect": "saves", "wanted": True}, always=True)
    invents = doing('setValue(30, "INV-9999")', "click(31)")
    trip = await at_the_payment(desk, invents, doing('setValue(30, "INV-0042")', "click(31)"))
    assert trip.actions == ['setValue("30", "INV-0042")', 'click("31")']
    chosen = [call for call in trip.calls if call.asks_for("do")]
    assert "Invoice: its value is in no goal" in chosen[-1].prompt
