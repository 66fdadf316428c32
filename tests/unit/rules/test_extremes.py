"""The thing with the least or greatest number, where no control is called so."""

import pytest

from app.reasoners.rules.parse import parse
from tests.unit.rules.pages import Page, node, run

KETTLES = [
    ("a", "Copper kettle", "$49.00"),
    ("b", "Steel kettle", "$18.50"),
    ("c", "Toaster", "$9.90"),
]


def shop() -> Page:
    nodes = [
        each
        for at, name, price in KETTLES
        for each in (
            node(at, "link", name, group=f"item: {name} {price}"),
            node(f"add-{at}", "btn", "Add to cart", group=f"item: {name} {price}"),
        )
    ]
    return Page([node("home", "link", "Home", group="nav"), *nodes])


@pytest.mark.parametrize(
    ("goal", "found"),
    [
        ("Open the cheapest kettle", "b"),
        ("Click the kettle with the highest price", "a"),
        ("Open the most expensive product", "a"),
        ("Click on the product with the lowest price", "c"),
    ],
)
def test_prices_are_compared(goal: str, found: str) -> None:
    assert run(shop(), *parse(goal).directives).calls == [f'click("{found}")']


def test_two_of_the_same_price_are_not_guessed_between() -> None:
    page = Page([node("1", "link", "Room A, $80"), node("2", "link", "Room B, $80")])
    done = run(page, *parse("Open the cheapest room").directives)
    assert done.last.outcome != "act"


def test_what_is_called_so_comes_first() -> None:
    page = Page([node("t", "btn", "Cheapest"), node("1", "link", "$3"), node("2", "link", "$2")])
    assert run(page, *parse("Click Cheapest").directives).calls == ['click("t")']


def test_numbers_on_cards_are_compared() -> None:
    page = Page([node(str(n), "row", f"Tile {n}") for n in (4, 11, 7)])
    done = run(page, *parse("Choose the card with the largest number").directives)
    assert done.calls == ['click("11")']
