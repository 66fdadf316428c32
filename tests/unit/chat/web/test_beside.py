"""What the web says stands apart, and only where it is wanted and needed."""

from dataclasses import dataclass, field

import pytest

from app.chat.inquiring import inquire
from app.chat.tools import Asked
from app.chat.web import Web, beside, sought
from app.chat.web.beside import query_of
from app.domain.background import WebResult
from app.domain.chat import DocumentRef, Turned
from app.errors import SearchUnavailable
from tests.supported import assert_supported
from tests.unit.chat.inquiring.given import LEAVE, asked, tools

LAW = WebResult(
    title="Leave law",
    url="https://law.example/leave",
    text="The law grants employees at least 20 days of paid leave a year. It was passed in 1963.",
)
QUESTION = "How many days of paid leave does the law grant employees?"


@dataclass
class Searching:
    results: tuple[WebResult, ...] = (LAW,)
    available: str | None = None
    error: Exception | None = None
    queries: list[str] = field(default_factory=list)

    async def find(
        self, query: str, *, domains: tuple[str, ...] = (), limit: int = 5
    ) -> tuple[WebResult, ...]:
        self.queries.append(query)
        if self.error:
            raise self.error
        return self.results


async def test_nothing_is_searched_unless_it_is_wanted_and_needed() -> None:
    search = Searching()
    with_search = tools(search=search)
    weak, sure = asked(QUESTION, LEAVE, score=0.6), asked(QUESTION, LEAVE, score=0.95)
    assert await sought("inquire", weak, with_search, wanted=False) == Web()
    assert (await sought("inquire", sure, with_search, wanted=True)).notice
    assert (await sought("compare", weak, with_search, wanted=True, explicit=True)).notice
    assert (await sought("inquire", weak, tools(), wanted=True)).notice
    assert not search.queries
    assert (await sought("inquire", weak, with_search, wanted=True)).found
    assert (await sought("inquire", sure, with_search, wanted=True, explicit=True)).found
    assert len(search.queries) == 2


async def test_a_search_that_is_away_is_said_and_no_error() -> None:
    away = Searching(error=SearchUnavailable("It did not answer."))
    web = await sought("inquire", asked(QUESTION, score=0.0), tools(search=away), wanted=True)
    assert web.notice == "The web could not be searched: It did not answer."
    closed = Searching(available="no key is set")
    web = await sought("inquire", asked(QUESTION, score=0.0), tools(search=closed), wanted=True)
    assert "no key is set" in (web.notice or "")
    assert not closed.queries


async def test_the_web_is_cited_apart_after_the_documents() -> None:
    question = asked(QUESTION, LEAVE, score=0.6)
    box = tools(search=Searching())
    web = await sought("inquire", question, box, wanted=True)
    reply = await beside(await inquire(question, box), web, question, box)
    own, _, of_web = reply.text.partition("**From the web**")
    assert "[1]" in own
    assert "20 days" in of_web
    assert [one.marker for one in reply.citations] == list(range(1, len(reply.citations) + 1))
    assert reply.citations[-1].kind == "web"
    assert reply.citations[-1].url == LAW.url
    assert_supported(reply, {"c1": LEAVE, LAW.url: LAW.text})


async def test_results_that_answer_nothing_are_not_shown() -> None:
    question = asked(QUESTION, LEAVE, score=0.6)
    box = tools(
        search=Searching((LAW.model_copy(update={"text": "Buy cheap shoes in our shop now."}),))
    )
    web = await sought("inquire", question, box, wanted=True)
    before = await inquire(question, box)
    reply = await beside(before, web, question, box)
    assert reply.text == before.text
    assert reply.notices


@pytest.mark.parametrize(
    ("message", "gone"),
    [
        ("What does ann@corp.example have to pay for the plan?", "ann@corp.example"),
        ("Why does my password is hunter2secret fail at the portal?", "hunter2secret"),
        ("Is +44 20 7946 0958 the support number of the vendor?", "7946"),
        ("Can the card 4111 1111 1111 1111 be used for the plan?", "4111"),
    ],
)
def test_what_is_private_stays_here(message: str, gone: str) -> None:
    query = query_of(asked(message))
    assert query
    assert gone not in query


def test_the_query_leans_on_what_was_asked_before_and_on_a_short_title() -> None:
    earlier = (Turned(message_id="m", role="user", text="What does the Pro plan cost?"),)
    assert "Pro plan" in query_of(asked("And for students?", earlier=earlier))
    named = Asked(
        message="Is it new?",
        plain="Is it new?",
        documents=(DocumentRef(id="d", title="Team plan"),),
    )
    assert "Team plan" in query_of(named)
