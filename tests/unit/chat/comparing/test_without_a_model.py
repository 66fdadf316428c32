"""Documents compared by code alone, as a person reads the table."""

import dataclasses

from app.chat.comparing import compare
from tests.unit.chat.comparing.given import (
    NORTH,
    PLANS_NOW,
    PLANS_THEN,
    SOUTH,
    Documents,
    asked,
    parts,
    run,
    table,
    tools,
)


def compared(plain="compare them", *names, **kept):
    return run(compare(asked(plain, *(names or kept)), tools(Documents(**kept))))


def row(reply, words):
    return next(cells for cells in table(reply) if words in " ".join(cells))


def test_other_numbers_denials_and_names_differ() -> None:
    reply = compared(north=NORTH, south=SOUTH)
    assert row(reply, "return a product")[-1] == "Differ: 30 days / 14 days"
    assert row(reply, "interest")[-1] == "Differ: 5% / 9%"
    assert row(reply, "refundable")[-1].startswith("Differ")
    assert row(reply, "laws of")[-1] == "Differ: England / Portugal"


def test_the_same_in_other_words_and_units_agrees() -> None:
    reply = compared(north=NORTH, south=SOUTH)
    assert row(reply, "warranty")[-1] == "Agree"
    assert row(reply, "nvoices")[-1] == "Agree"


def test_what_one_alone_states_is_a_gap_and_comes_last() -> None:
    reply = compared(north=NORTH, south=SOUTH)
    gap = row(reply, "Gift cards")
    assert gap[2:] == ["not stated", "Only in North"]
    verdicts = [cells[-1].split(" ")[0].strip(":") for cells in table(reply)]
    assert verdicts == sorted(verdicts, key=["Differ", "Agree", "Only"].index)
    assert "differ" in reply.text.splitlines()[-1]


def test_every_cell_stands_in_its_own_document() -> None:
    reply = compared(north=NORTH, south=SOUTH)
    cited = {one.marker: one for one in reply.citations}
    for cells in table(reply):
        for cell, name in zip(cells[1:3], ("north", "south"), strict=True):
            if cell != "not stated":
                marker = int(cell.rpartition("[")[2].rstrip("]"))
                assert cited[marker].document_id == name
                assert cited[marker].quote.split(" …")[0] in " ".join((NORTH + SOUTH).split())


def test_a_topic_in_the_message_restricts_the_themes() -> None:
    reply = compared("compare the warranty of north and south", north=NORTH, south=SOUTH)
    assert [cells[-1] for cells in table(reply)] == ["Agree", "Only in North"]
    assert "Leeds" in table(reply)[1][1]


def test_a_topic_that_is_in_neither_is_told_of() -> None:
    reply = compared("compare the parking rules", north=NORTH, south=SOUTH)
    assert "Nothing on the topic" in reply.notices[0]
    assert len(table(reply)) > 3


def test_rows_of_tables_are_compared_row_by_row() -> None:
    reply = compared(then=PLANS_THEN, now=PLANS_NOW)
    assert row(reply, "Pro")[-1] == "Differ: \\$25 / \\$29"
    assert row(reply, "Basic")[-1] == "Agree"


def test_three_documents_have_a_column_each() -> None:
    east = "# East\n\n## Interest\n\nLate payments bear interest of 5% a year.\n"
    reply = compared(north=NORTH, south=SOUTH, east=east)
    interest = row(reply, "interest")
    assert len(interest) == 5
    assert interest[-1] == "Differ: 5% / 9%"
    assert row(reply, "laws of")[-1] == "Differ: England / Portugal (not in East)"


def test_identical_documents_are_said_to_be() -> None:
    reply = compared(one=NORTH, two=NORTH)
    assert reply.text.startswith("The documents hold the same text.")
    assert all(cells[-1] == "Agree" for cells in table(reply))


def test_one_that_was_deleted_or_is_empty_is_told_of() -> None:
    reply = compared(
        "compare", "north", "south", "gone", "blank", north=NORTH, south=SOUTH, blank=""
    )
    assert any("Gone" in one and "not there any more" in one for one in reply.notices)
    assert any("Blank" in one and "no text" in one for one in reply.notices)
    assert len(table(reply)[0]) == 4


def test_with_one_left_there_is_nothing_to_compare() -> None:
    reply = compared("compare", "north", "gone", north=NORTH)
    assert "not two documents" in reply.text
    assert reply.confidence == "low"
    assert not reply.citations


def test_of_seven_documents_six_are_taken_and_named() -> None:
    kept = {f"d{number}": f"The deposit is {number} euros in all cases." for number in range(7)}
    reply = compared(**kept)
    assert "first 6" in reply.notices[0]
    assert "D5" in reply.notices[0]
    assert "D6" not in reply.notices[0]


def test_in_another_language_nothing_is_claimed_to_be_missing() -> None:
    german = parts(
        "south", "# Recht\n\nDer Vertrag unterliegt deutschem Recht und ist bindend.", "de"
    )
    reply = compared("compare", "north", "south", north=NORTH, south=german)
    assert "Only in" not in reply.text
    assert any("German" in one for one in reply.notices)


def test_passages_that_were_superseded_are_not_compared() -> None:

    old = [dataclasses.replace(one, superseded_by="x") for one in parts("south", SOUTH)]
    reply = compared("compare", "north", "south", north=NORTH, south=old)
    assert "not two documents" in reply.text


def test_titles_and_texts_cannot_break_the_table() -> None:
    evil = "# T\n\nThe fee is <img src=x onerror=alert(1)> 10 euros | and [a](javascript:alert(1)) more."
    fine = "# T\n\nThe fee is 12 euros and more."
    reply = compared(**{"one": evil, "two": fine})
    assert "<img" not in reply.text
    assert "](javascript" not in reply.text
    assert all(line.count(" | ") == 3 for line in reply.text.splitlines() if line.startswith("| "))


def test_that_one_alone_speaks_of_a_thing_is_not_said_where_the_other_begins_with_it() -> None:
    there = Documents(
        a="Smoking is allowed only in the courtyard behind the main building.",
        b="Smoking: prohibited anywhere at all times.\n\nFlights are booked through the portal.",
    )
    only = [row[-1] for row in table(run(compare(asked("compare", "a", "b"), tools(there))))]
    assert only == ["Only in B"]
