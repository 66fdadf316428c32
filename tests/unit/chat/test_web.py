"""Web results are kept apart, and searched only if enabled and needed."""

from dataclasses import dataclass, field, replace

import pytest

from app.chat.tools import ActionRequest
from app.chat.web import WebFindings, append_web_results, search_web, web_query
from app.domain.chat import ChatCitation, ChatTurn, DocumentRef, Reply
from app.domain.reasoner import WebResult
from app.errors import SearchUnavailable
from tests.unit.chat.inquiry.given import asked, tools

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


async def test_nothing_is_searched_unless_it_is_wanted() -> None:
    search = Searching()
    with_search = tools(search=search)
    assert await search_web(asked(QUESTION), with_search, enabled=False) == WebFindings()
    assert (await search_web(asked(QUESTION), tools(), enabled=True)).notice
    assert not search.queries
    assert (await search_web(asked(QUESTION), with_search, enabled=True)).found
    assert search.queries == [QUESTION]


async def test_a_search_that_is_away_is_said_and_no_error() -> None:
    away = Searching(error=SearchUnavailable("It did not answer."))
    web = await search_web(asked(QUESTION), tools(search=away), enabled=True)
    assert web.notice == "The web could not be searched: It did not answer."
    closed = Searching(available="no key is set")
    web = await search_web(asked(QUESTION), tools(search=closed), enabled=True)
    assert "no key is set" in (web.notice or "")
    assert not closed.queries


async def test_the_web_is_cited_apart_after_the_documents() -> None:
    web = await search_web(asked(QUESTION), tools(search=Searching()), enabled=True)
    cited = ChatCitation(marker=1, title="Leave", label="Leave", quote="25 days")
    reply = append_web_results(Reply(text="It is 25 days. [1]", citations=(cited,)), web)
    own, _, of_web = reply.text.partition("**law.example, 2026-11-01**")
    assert "[1]" in own
    assert "20 days of paid leave a year. It was passed in 1963. [2]" in of_web
    assert [one.marker for one in reply.citations] == [1, 2]
    assert (reply.citations[-1].kind, reply.citations[-1].url) == ("web", LAW.url)


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
    query = web_query(asked(message))
    assert query
    assert gone not in query


def test_the_query_is_helped_by_a_short_title() -> None:
    named = ActionRequest(
        message="Is @Team plan new?",
        plain="Is new?",
        documents=(DocumentRef(id="d", title="Team plan"),),
    )
    assert "Team plan" in web_query(named)
    assert "Team plan" not in web_query(replace(named, message="Is it new?"))


def test_a_text_to_audit_is_not_sent() -> None:
    text = "Falcon and Sons\npay nine euros"
    pasted = asked(
        f"Is this lawful: {text}", source=text, standalone="Is Falcon and Sons pay lawful?"
    )
    assert web_query(pasted) == "Is this lawful:"


def test_a_question_written_out_is_sent_only_in_words_that_the_person_said() -> None:
    earlier = (
        ChatTurn(message_id="m", role="user", text="What does the Pro plan cost?"),
        ChatTurn(message_id="n", role="assistant", text="Its secret margin is forty percent."),
    )
    own = asked(
        "And for students?", earlier=earlier, standalone="What does the Pro plan cost for students?"
    )
    assert web_query(own) == "What does the Pro plan cost for students?"
    leaked = asked(
        "And for students?", earlier=earlier, standalone="Is the secret margin forty percent?"
    )
    assert web_query(leaked) == "And for students?"
