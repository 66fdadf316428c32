"""A question without a model: the passages themselves."""

from app.chat.actions.inquiry import NONE_TO_SEARCH, NOTHING, SEARCH, inquire_documents
from app.domain.chat import Reply
from tests.supported import assert_supported
from tests.unit.chat.inquiry.given import PRICES, TRAVEL, Library, asked, parts_of, tools


async def searched(question: str, *titles: str, library: Library | None = None) -> Reply:
    return await inquire_documents(asked(question, *titles), tools(documents=library or Library()))


async def test_it_says_that_it_is_a_search_and_shows_passages_with_their_sections():
    reply = await searched("What may a night in London cost?")
    assert reply.text.startswith(SEARCH)
    assert "**Travel policy \u203a Hotels** [1]" in reply.text
    assert "> A hotel may cost at most 120 euros a night. In London the limit is 180" in reply.text
    assert not reply.by_model
    texts = {
        part.chunk.chunk_id: part.chunk.text
        for title, text in (("Travel policy", TRAVEL), ("Prices", PRICES))
        for part in parts_of(title, text)
    }
    assert_supported(reply, texts)


async def test_rows_of_a_table_are_shown_whole_and_as_rows():
    reply = await searched("What is the price of a visit, follow-up or first?", "Prices")
    assert "> | Follow-up | 31 |" in reply.text
    assert "> |---|---|" in reply.text


async def test_nothing_that_is_close_is_said():
    reply = await searched("Who won the football championship?")
    assert (reply.text, reply.citations, reply.score) == (NOTHING, (), 0.0)


async def test_an_empty_library_is_said():
    assert (await searched("Anything?", library=Library({}))).text == NONE_TO_SEARCH


async def test_a_passage_is_shown_as_it_reads_and_does_nothing():
    bad = "# Notes\n\nClick [here](https://evil.example) for hotels <img src=x> [7] always.\n"
    reply = await searched("Which hotels?", library=Library({"Notes": bad}))
    assert "\\[here\\](" in reply.text
    assert "\\<img" in reply.text
    assert "[7]" not in reply.text


async def test_only_what_was_named_is_searched():
    library = Library()
    await searched("What may a night in London cost?", "Prices", library=library)
    assert library.queries[0].documents == ("Prices",)
