"""Nothing is concluded from what is not on a page that the client says is still being loaded."""

from dataclasses import dataclass, replace

import pytest

from app.api.routes.interact.request import InteractRequest
from app.domain.directive import Directive, Target
from app.domain.page import ClientObservations, Observation
from tests.unit.reasoners.commands.pages import Page, node, run

WAITS = ["wait(1000)", "wait(3000)"]
HEADER = [node("1", "link", "Orders"), node("2", "link", "Contacts")]
ROW = "row: Bob Tanner"
DELETE = node("9", "btn", "Delete", group=ROW)
NO_ORDER = Directive(verb="delete", target=Target(phrase="order", within="Bob Tanner"))


@dataclass
class Skeleton(Page):
    """Shows placeholders for so many looks, and what they stand for after them."""

    looks: int = 99
    comes: tuple = ()

    def observe(self) -> Observation:
        if self.looks == 0:
            self.nodes = [*self.nodes, *self.comes]
        self.looks -= 1
        return replace(super().observe(), client=ClientObservations(still_loading=self.looks >= 0))


@pytest.mark.parametrize("looks", [1, 2])
def test_what_comes_late_is_acted_on_and_nothing_is_opened_meanwhile(looks):
    done = run(Skeleton(HEADER, looks=looks, comes=(DELETE,)), NO_ORDER)
    assert done.calls == [*WAITS[:looks], 'click("9")']
    assert done.last.reason == "'order' in Bob Tanner is still on the page."


def test_an_ornament_that_never_goes_costs_two_waits_and_changes_no_end():
    plain = run(Page(HEADER), NO_ORDER)
    held = run(Skeleton(HEADER), NO_ORDER)
    assert held.calls == [*WAITS, *plain.calls]
    assert (held.last.outcome, held.last.reason) == (plain.last.outcome, plain.last.reason)
    assert held.last.outcome == "missing"


@pytest.mark.parametrize(
    "directive",
    [
        Directive(verb="click", target=Target(phrase="Orders")),
        Directive(verb="find", target=Target(phrase="Contacts")),
    ],
)
def test_what_is_surely_there_is_not_waited_for(directive):
    assert not set(run(Skeleton(HEADER), directive).calls) & set(WAITS)


@pytest.mark.parametrize(
    "directive",
    [
        Directive(verb="find", target=Target(phrase="Bob Tanner")),
        Directive(verb="click", target=Target(phrase="Approve", all=True)),
    ],
)
def test_nothing_is_denied_nor_counted_before_all_has_come(directive):
    rows = [node(str(n), "row", f"Order {n}", group="table: Orders") for n in (5, 6)]
    assert run(Skeleton([*HEADER, *rows]), directive).calls[:2] == WAITS


def test_which_of_two_is_asked_when_the_page_is_whole():
    two = [replace(DELETE, id=str(n), group=f"row: {name}") for n, name in ((5, "Bo"), (6, "Al"))]
    press = Directive(verb="click", target=Target(phrase="Delete"))
    asked = run(Skeleton(two), press)
    assert (asked.calls, asked.last.outcome) == (WAITS, "ambiguous")


@pytest.mark.parametrize(
    ("told", "still"), [({"stillLoading": True}, True), ({}, False), (None, False)]
)
def test_the_client_says_so_in_its_request(told, still):
    body = {"url": "https://shop.example/", "query": "Pay", "interactiveTree": []}
    request = InteractRequest.model_validate({**body, "clientObservations": told})
    assert request.observation().client.still_loading is still
