"""The simulated applications do what their files say, rightly and wrongly."""

from dataclasses import replace

import pytest

from bench.scenes.language import App
from bench.scenes.page import Page

SHELF = App(
    name="Shelf",
    nav={"Books": "books"},
    lists={"books": ["Emma, 1815", "Dracula, 1897"]},
    start={"place Emma": "A1", "place Dracula": "B2"},
    pages={
        "books": """
            # Books
            inp Find @q :search
            each books: [!gone {1} & q~{1}] | {1} | {place {1}} | btn Move -> b={1}; > move | btn X -> no={1}
            else No books
            [no] dialog Delete
            [no] Delete {no}?
            [no] btn Yes -> gone {no}:=yes; no=; +Deleted
        """,
        "move": """
            # Move {b}
            form Place
            inp Place = {place {b}} :max4
            chk Label
            btn Save -> [Place=] !Place is required; place {b}:={Place}; > books; +{b} was moved
        """,
        "login": "# Sign in",
    },
)


def opened(**faults: str) -> Page:
    return Page(replace(SHELF, faults=faults), "books", "shelf.example")


def do(page: Page, *acts: str) -> list[bool]:
    done = []
    for act in acts:
        action = page.action(act)
        done.append(action is not None and page.act(action.name, action.args))
    return done


def names(page: Page) -> list[str]:
    return [one["n"] for one in page.observation()["interactiveTree"]]


def test_a_page_is_posted_as_the_extension_posts_it():
    body = opened().observation()
    move = [one for one in body["interactiveTree"] if one["n"] == "Move"]
    assert [one["g"] for one in move] == [
        "section: Books > row: Emma, A1",
        "section: Books > row: Dracula, B2",
    ]
    assert body["url"] == "https://shelf.example/books"
    assert body["pageTitle"] == "Books · Shelf"
    assert "Emma | A1 | Move X" in body["pageSummary"]


def test_what_is_saved_is_shown_and_kept():
    page = opened()
    assert all(do(page, "Move @ Dracula", "Place = C3", "Save"))
    body = page.observation()
    assert page.saved["place Dracula"] == "C3"
    assert "Dracula | C3" in body["pageSummary"]
    assert body["success_messages"] == ["Dracula was moved"]


def test_what_is_typed_and_not_saved_is_nowhere_saved():
    page = opened()
    do(page, "Move @ Emma", "Place = C3")
    assert page.saved["place Emma"] == "A1"
    do(page, "Books", "Move @ Emma")
    assert [one["v"] for one in page.observation()["interactiveTree"] if one["r"] == "inp"] == [
        "A1"
    ]


def test_a_field_cuts_what_is_typed_and_an_empty_one_is_refused():
    page = opened()
    do(page, "Move @ Emma", "Place = Cellar", "Save")
    assert page.saved["place Emma"] == "Cell"
    do(page, "Move @ Emma", "Place = ", "Save")
    assert page.observation()["errors_detected"] == ["Place is required"]


def test_behind_a_dialog_nothing_can_be_done():
    page = opened()
    do(page, "X @ Emma")
    assert {one["n"] for one in page.observation()["interactiveTree"] if not one.get("occ")} == {
        "Yes"
    }
    assert do(page, "Move @ Dracula") == [False]
    do(page, "Yes")
    assert page.saved["gone Emma"] == "yes"
    assert names(page) == ["Books", "Find", "Move", "X", "Deleted"]


def test_a_search_hides_what_does_not_match():
    page = opened()
    do(page, "Find = drac")
    assert names(page).count("Move") == 1
    do(page, "Find = Ulysses")
    assert "No books" in page.observation()["pageSummary"]


def test_enter_in_a_form_submits_it():
    page = opened()
    do(page, "Move @ Emma", "Place = C3")
    page.act("pressKey", {"key": "Enter"})
    assert page.saved["place Emma"] == "C3"


@pytest.mark.parametrize(
    ("faults", "seen"),
    [
        ({"silent": ""}, "Move Emma"),
        ({"lost": ""}, "Emma was moved"),
        ({"queued": "Will be processed"}, "Will be processed"),
        ({"toast": "Nicht gespeichert"}, "Nicht gespeichert"),
        ({"plain": "The shelf is full"}, "The shelf is full"),
        ({"crash": "502 Bad Gateway"}, "# 502 Bad Gateway"),
        ({"login": ""}, "# Sign in"),
        ({"confirm": "Really?"}, "Really?"),
    ],
)
def test_an_application_that_fails_saves_nothing_and_says_so(faults, seen):
    page = opened(**faults)
    do(page, "Move @ Emma", "Place = C3", "Save")
    assert page.saved["place Emma"] == "A1"
    assert seen in page.observation()["pageSummary"]


def test_an_error_may_stand_in_the_title_or_in_a_state_alone():
    page = opened(title="Error: not saved")
    do(page, "Move @ Emma", "Save")
    assert page.observation()["pageTitle"] == "Error: not saved"
    page = opened(invalid="yes")
    do(page, "Move @ Emma", "Save")
    fields = [one for one in page.observation()["interactiveTree"] if one["r"] == "inp"]
    assert fields[0]["s"] == ["invalid"]


def test_what_is_rolled_back_is_seen_one_time():
    page = opened(rollback="")
    do(page, "Move @ Emma", "Place = C3", "Save")
    assert "Emma | C3" in page.observation()["pageSummary"]
    assert "Emma | A1" in page.observation()["pageSummary"]


def test_a_rollback_comes_though_nobody_looks():
    page = opened(rollback="")
    do(page, "Move @ Emma", "Place = C3", "Save")
    page.settle()
    assert page.saved["place Emma"] == "A1"


def test_a_fault_may_spare_the_first():
    page = opened(after="1", silent="")
    do(page, "Move @ Emma", "Place = C3", "Save", "Move @ Dracula", "Place = C4", "Save")
    assert (page.saved["place Emma"], page.saved["place Dracula"]) == ("C3", "B2")
