"""The `Search` port over a fake Tavily, with valid and invalid responses."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, suppress
from time import perf_counter
from typing import Any

import pytest
from pydantic import SecretStr
from tavily import AsyncTavilyClient

from app.errors import SearchUnavailable
from app.search.choice import NoSearch, open_search
from app.search.query import Search
from app.search.tavily import TavilySearch
from app.settings import Settings
from tests.fakes.hooks import Heard, unheard
from tests.fakes.serving import WAITED_FOR_S
from tests.fakes.steps import Raw, cut, never, not_json, rate_limit, status
from tests.fakes.tavily import FakeTavily, found

KEY = "tvly-secret-of-this-test"
HOURS = ("Hours", "https://www.acme.com/hours", "Open until 17:30.")


@pytest.fixture
def tavily() -> Iterator[FakeTavily]:
    with FakeTavily(api_key=KEY).served() as served:
        yield served


def settings(url: str | None, key: str | None = KEY) -> Settings:
    secret = SecretStr(key) if key is not None else None
    return Settings(_env_file=None, tavily_api_key=secret, tavily_base_url=url)


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
async def search(tavily: FakeTavily, heard: Heard) -> AsyncIterator[Search]:
    async with open_search(settings(tavily.url), heard) as opened:
        yield opened


def as_it_is(body: object) -> Raw:
    """A body with what JSON can hold and UTF-8 cannot."""
    return Raw(json.dumps(body), "application/json")


async def refusal(search: Search, query: str = "hours") -> str:
    """What a person is told when the search cannot be made."""
    with pytest.raises(SearchUnavailable) as raised:
        await search.find(query)
    chain = [raised.value, raised.value.__cause__]
    assert KEY not in " ".join(map(str, chain))
    return raised.value.detail


async def test_results_come_as_they_were_ranked(search: Search, tavily: FakeTavily) -> None:
    tavily.script(found(HOURS, ("Blog", "https://blog.acme.com/a", "We moved.")))
    results = await search.find("acme hours")
    assert search.available is None
    assert [(r.title, r.url, r.text) for r in results] == [
        HOURS,
        ("Blog", "https://blog.acme.com/a", "We moved."),
    ]
    assert tavily.queries == ["acme hours"]


async def test_a_domain_limits_what_is_found(search: Search, tavily: FakeTavily) -> None:
    elsewhere = ("Other", "https://acme.com.evil.net/", "Not Acme.")
    tavily.script(found(elsewhere, HOURS), {"results": found(elsewhere, HOURS)})
    for _ in range(2):  # the second is a service that does not keep to the limit
        results = await search.find("hours", domains=("acme.com",))
        assert [r.url for r in results] == [HOURS[1]]
    assert tavily.calls[0].body["include_domains"] == ["acme.com"]


async def test_results_are_few_short_and_without_markup(search: Search, tavily: FakeTavily) -> None:
    body = (
        "<p>Open&nbsp;from\n\n<b>9:00</b></p><script>steal()</script><!-- x -->" + " long" * 2_000
    )
    many = [(f"T{i}", f"https://a.com/{i}", body) for i in range(9)]
    tavily.script({"results": found(*many)})
    results = await search.find("hours", limit=99)
    assert len(results) == 5
    assert results[0].text.startswith("Open from 9:00 long long")
    assert all(len(r.text) <= 1_500 for r in results)


async def test_what_is_no_result_is_left_out(search: Search, tavily: FakeTavily) -> None:
    odd: list[Any] = [
        None,
        {"url": "javascript:alert(1)", "title": "x", "content": "x"},
        {"url": "https://user:pass@a.com/", "title": "x", "content": "x"},
        {"url": "https://a.com/ b", "title": "x", "content": "x"},
        {"url": "https://[broken", "title": "x", "content": "x"},
        {"url": 7, "title": "x", "content": "x"},
        {"url": "https://a.com/empty", "title": "x", "content": " <br> "},
        {"url": "https://a.com/none", "title": "x", "content": None},
        {"url": "https://a.com/ok", "title": None, "content": "1 < 2 \x00yes"},
        {"url": "https://a.com/ok", "title": "again", "content": "1 < 2"},
    ]
    tavily.script(as_it_is({"results": odd}))
    results = await search.find("hours")
    assert [(r.title, r.text) for r in results] == [("https://a.com/ok", "1 < 2 yes")]


async def test_text_can_be_stored(search: Search, tavily: FakeTavily) -> None:
    strange = "half \ud800 pair, nul \x00, if a < b & c"
    tavily.script(as_it_is({"results": found(("\udfff", "https://a.com/", strange))}))
    (result,) = await search.find("hours")
    assert result.text == "half pair, nul , if a < b & c"
    assert result.title == "https://a.com/"
    result.model_dump_json().encode()


async def test_a_long_query_is_cut_to_what_is_taken(search: Search, tavily: FakeTavily) -> None:
    tavily.script(found(HOURS))
    assert await search.find("word " * 500)
    assert len(tavily.queries[0]) <= 400


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (status(400), "did not accept the search"),
        (status(403), "TAVILY_API_KEY"),
        (status(404), "HTTP 404"),
        (status(422, {"detail": [{"msg": KEY}]}), "HTTP 422"),
        (rate_limit(30), "limit on searches is reached"),
        (status(432), "plan"),
        (status(433), "plan"),
        (status(302, location="https://login.example/"), "HTTP 302"),
        (status(202), "is invalid"),
        (not_json(), "is invalid"),
        ({"results": None}, "is invalid"),
        ({"results": "none"}, "is invalid"),
    ],
)
async def test_what_will_not_pass_is_said_at_once(
    search: Search, tavily: FakeTavily, step: Any, told: str
) -> None:
    tavily.script(step)
    assert told in await refusal(search)
    assert len(tavily.calls) == 1


async def test_a_wrong_key_is_named_and_not_shown(tavily: FakeTavily) -> None:
    wrong = "tvly-another-secret"
    async with open_search(settings(tavily.url, wrong), unheard) as search:
        told = await refusal(search)
    assert told == "Tavily refused the key in TAVILY_API_KEY."


@pytest.mark.parametrize("step", [status(500), status(503, "<html>busy</html>"), cut(found(HOURS))])
async def test_what_may_pass_is_tried_once_more(
    search: Search, tavily: FakeTavily, step: Any
) -> None:
    tavily.script(step, found(HOURS))
    assert [r.url for r in await search.find("hours")] == [HOURS[1]]
    tavily.script(step, step)
    assert await refusal(search)
    assert len(tavily.calls) == 4


async def test_a_deadline_holds_for_both_tries(tavily: FakeTavily) -> None:
    tavily.always(never())
    async with AsyncTavilyClient(api_key=KEY, api_base_url=tavily.url) as client:
        started = perf_counter()
        told = await refusal(TavilySearch(client, unheard, deadline_s=0.3))
    assert "did not answer" in told
    assert perf_counter() - started < WAITED_FOR_S


async def test_nobody_there_is_said() -> None:
    async with open_search(settings("http://127.0.0.1:9"), unheard) as search:
        assert await refusal(search) == "Tavily cannot be reached."


async def test_a_cancel_ends_the_call(search: Search, tavily: FakeTavily) -> None:
    tavily.script(never())
    asking = asyncio.create_task(search.find("hours"))
    await tavily.called(1)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    async with asyncio.timeout(60):
        while not tavily.calls[0].abandoned:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("key", "url", "told"),
    [
        (None, None, "No TAVILY_API_KEY is set"),
        ("", None, "No TAVILY_API_KEY is set"),
        ("  ", None, "No TAVILY_API_KEY is set"),
        ("tvly-\nx", None, "contains characters"),
        ("tvly-é", None, "contains characters"),
        (KEY, "ftp://a.com", "TABWRIGHT_TAVILY_BASE_URL"),
        (KEY, "nowhere", "TABWRIGHT_TAVILY_BASE_URL"),
        (KEY, "http://[::1", "TABWRIGHT_TAVILY_BASE_URL"),
    ],
)
async def test_without_what_it_needs_nothing_is_sent_and_it_says_why(
    key: str | None, url: str | None, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-of-the-environment")
    async with AsyncExitStack() as stack:
        secret = SecretStr(key) if key is not None else None
        named = settings(url).model_copy(update={"tavily_api_key": secret})
        search = await stack.enter_async_context(open_search(named, unheard))
        assert isinstance(search, NoSearch)
        assert told in (search.available or "")
        assert told in await refusal(search)


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([found(HOURS)], [("ok", 1.0, True)]),
        ([{"results": [], "usage": {"credits": 2}}], [("ok", 2.0, True)]),
        ([{"results": [], "usage": None}], [("ok", 1.0, True)]),  # by the price list
        ([{"results": [], "usage": {"credits": -5}}], [("ok", 0.0, False)]),
        ([{"results": "none"}], [("unusable", 1.0, True)]),
        ([status(500), found(HOURS)], [("busy", 0.0, True), ("ok", 1.0, True)]),
        ([cut(found(HOURS)), found(HOURS)], [("failed", 0.0, False), ("ok", 1.0, True)]),
        ([status(432)], [("rejected", 0.0, True)]),
        ([rate_limit(9)], [("busy", 0.0, True)]),
        ([not_json()], [("unusable", 0.0, False)]),
    ],
    ids=str,
)
async def test_each_call_is_told_with_its_outcome_and_its_credits(
    search: Search, tavily: FakeTavily, heard: Heard, steps: list[Any], told: list[Any]
) -> None:
    tavily.script(*steps)
    with suppress(SearchUnavailable):
        await search.find("acme hours")
    assert [(one.outcome, one.credits, one.counted) for one in heard] == told
    assert {(one.kind, one.provider, one.purpose) for one in heard} == {
        ("search", "tavily", "searching")
    }
    assert heard.exchanges[0] is not None
    assert heard.exchanges[0].prompt == "acme hours"


async def test_a_search_that_is_given_up_is_told(
    search: Search, tavily: FakeTavily, heard: Heard
) -> None:
    tavily.script(never())
    asking = asyncio.create_task(search.find("hours"))
    await tavily.called(1)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert [(one.outcome, one.counted) for one in heard] == [("cancelled", False)]
