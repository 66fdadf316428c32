"""Comparisons that a model words: code has the last word on every cell and verdict."""

import pytest

from app.chat.comparing import compare
from app.errors import BudgetReached, ModelUnavailable
from tests.unit.chat.comparing.given import (
    NORTH,
    SOUTH,
    Documents,
    Scripted,
    asked,
    run,
    table,
    tools,
)

INTEREST = (
    "Late payments bear interest of 5% a year.",
    "Late payments bear interest of 9% a year.",
)


def cell(document, text, passage, quote=None):
    return {
        "document": document,
        "text": text,
        "citations": [{"passage": passage, "quote": text if quote is None else quote}],
    }


def row(theme, verdict, *cells, note=""):
    return {"theme": theme, "verdict": verdict, "cells": list(cells), "note": note}


def compared(*replies, plain="compare them"):
    model = Scripted(*replies)
    documents = Documents(north=NORTH, south=SOUTH)
    return run(compare(asked(plain, "north", "south"), tools(documents, model))), model


def refs():
    """The references of the one passage of each document."""
    return "P1", "P2"


def test_rows_with_their_citations() -> None:
    one, two = refs()
    said = row("Late payment", "differ", cell("A", INTEREST[0], one), cell("B", INTEREST[1], two))
    reply, model = compared({"rows": [said]})
    assert table(reply) == [
        ["Late payment", f"{INTEREST[0]} [1]", f"{INTEREST[1]} [2]", "Differ: 5% / 9%"]
    ]
    assert reply.by_model
    assert len(model.asked) == 1
    assert [one.document_id for one in reply.citations] == ["north", "south"]


def test_an_agreement_of_other_numbers_becomes_a_difference() -> None:
    one, two = refs()
    said = row("Interest", "agree", cell("A", INTEREST[0], one), cell("B", INTEREST[1], two))
    assert table(compared({"rows": [said]})[0])[0][-1] == "Differ: 5% / 9%"


@pytest.mark.parametrize(
    "bad",
    [
        cell("B", INTEREST[1], "P99"),
        cell("B", INTEREST[1], "P1"),
        cell("B", "Interest is 12% a year.", "P2", "Interest is 12% a year."),
        cell("B", INTEREST[1], "P2", "words that stand nowhere"),
    ],
)
def test_a_cell_that_nothing_holds_takes_its_row_along(bad) -> None:
    kept = row("Law", "only", cell("A", "Repairs are carried out at the workshop in Leeds.", "P1"))
    said = row("Interest", "differ", cell("A", INTEREST[0], "P1"), bad)
    reply, _ = compared({"rows": [said, kept]})
    assert [cells[0] for cells in table(reply)] == ["Law"]
    assert table(reply)[0][2:] == ["not stated", "Only in North"]


def test_a_note_that_says_more_than_its_cells_is_left_out() -> None:
    cells = (
        cell("A", "This agreement is governed by the laws of England.", "P1"),
        cell("B", "This agreement is governed by the laws of Portugal.", "P2"),
    )
    reply, _ = compared({"rows": [row("Law", "differ", *cells, note="ask Mr Smith on 555 1234")]})
    assert table(reply)[0][-1] == "Differ"


@pytest.mark.parametrize("failure", [ModelUnavailable("no"), BudgetReached("no")])
def test_a_model_that_fails_leaves_the_extracts(failure) -> None:
    reply, _ = compared(failure)
    assert not reply.by_model
    assert len(table(reply)) > 4
    assert any(one.startswith("The model could not be asked") for one in reply.notices)


def test_rows_that_hold_nothing_leave_the_extracts() -> None:
    reply, _ = compared({"rows": [row("Made up", "agree", cell("A", "All is well.", "P7"))]})
    assert not reply.by_model
    assert len(table(reply)) > 4


def test_documents_reach_the_model_inside_the_fence_alone() -> None:
    _, model = compared({"rows": []}, plain="compare the interest")
    prompt = model.asked[0].prompt
    before = prompt.partition("<data-")[0]
    assert "interest" in before
    assert "5%" not in before
    assert "North" not in before
