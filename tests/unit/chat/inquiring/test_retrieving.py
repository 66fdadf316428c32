"""What the documents are searched with, and what comes of it."""

import pytest

from app.chat.inquiring import retrieved
from app.chat.tools import Asked
from app.domain.chat import DocumentRef, Turned
from app.domain.knowledge import Titled
from tests.unit.chat.inquiring.given import LEAVE, NOW, Library, asked, found, tools

BEFORE = Turned(message_id="m", role="user", text="How many days of leave do employees get?")
ANSWER = Turned(message_id="n", role="assistant", text="It is 25 days.")


async def searched(question: Asked) -> str:
    library = Library((found(LEAVE),))
    await retrieved(question, tools(documents=library))
    (query,) = library.queries
    assert query.limit == 8
    return query.text


@pytest.mark.parametrize(
    "message",
    [
        "And for part-timers?",
        "Why?",
        "How much is it?",
        "What about interns?",
        "and when do they expire?",
    ],
)
async def test_a_question_that_leans_is_searched_with_the_one_before(message: str) -> None:
    text = await searched(asked(message, earlier=(BEFORE, ANSWER)))
    assert text == f"{BEFORE.text} {message}"


@pytest.mark.parametrize(
    "message",
    [
        "How long is parental leave?",
        "Which plan has priority support?",
        "Who approves travel expenses?",
    ],
)
async def test_one_that_stands_by_itself_is_not(message: str) -> None:
    assert await searched(asked(message, earlier=(BEFORE, ANSWER))) == message


async def test_a_chain_goes_back_to_what_it_began_with() -> None:
    between = Turned(message_id="o", role="user", text="And for part-timers?")
    text = await searched(asked("Why?", earlier=(BEFORE, ANSWER, between)))
    assert text == f"{BEFORE.text} {between.text} Why?"


async def test_a_very_long_message_is_cut_to_its_question() -> None:
    text = await searched(
        asked("Lorem ipsum dolor sit amet. " * 5_000 + "How long is parental leave?")
    )
    assert text == "How long is parental leave?"
    assert 0 < len(await searched(asked("word " * 40_000))) <= 620


async def test_documents_come_before_sets() -> None:
    library = Library((found(LEAVE),))
    named = (DocumentRef(id="d1", title="A"), DocumentRef(id="d1", title="A"))
    await retrieved(asked("How long?", documents=named, sets=("hr",)), tools(documents=library))
    await retrieved(asked("How long?", sets=("hr",)), tools(documents=library))
    first, second = library.queries
    assert (first.documents, first.sets) == (("d1",), ())
    assert (second.documents, second.sets) == ((), ("hr",))
    assert first.url == ""


async def test_how_well_it_was_found() -> None:
    sure = await retrieved(asked("How long?"), tools(documents=Library((found(LEAVE, 0.9),))))
    assert (sure.score, sure.confidence, sure.weak) == (0.9, "high", False)
    assert sure.passages[0].ref == "P1"
    near = await retrieved(asked("How long?"), tools(documents=Library((found(LEAVE, 0.3),))))
    assert near.weak


async def test_nothing_to_search_is_told_from_nothing_found() -> None:
    empty = await retrieved(asked("How long?"), tools(documents=Library()))
    assert empty.nothing_to_search
    assert empty.weak
    titled = Titled(document_id="d", title="Handbook", set_name="hr", ingested_at=NOW)
    there = Library(named=(titled,))
    assert not (await retrieved(asked("How long?"), tools(documents=there))).nothing_to_search
    assert (
        await retrieved(asked("How long?", sets=("it",)), tools(documents=there))
    ).nothing_to_search
