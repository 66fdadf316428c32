"""The Tavily fake, seen through tavily-python."""

import httpx
import pytest
import tavily as sdk
from tavily.errors import BadRequestError, ForbiddenError, TimeoutError

from tests.fakes import steps
from tests.fakes.tavily import FakeTavily, found

HOURS = ("Opening hours", "https://help.clinic.example/hours", "Open from 8 to 17.")
ELSEWHERE = ("Clinic", "https://other.example/", "A clinic.")


async def test_results_are_those_of_the_domains_that_were_asked_for(searcher, tavily):
    tavily.script(found(HOURS, ELSEWHERE), found(HOURS, ELSEWHERE))
    inside = await searcher.search("hours", include_domains=["clinic.example"])
    assert [one["url"] for one in inside["results"]] == [HOURS[1]]
    assert inside["results"][0]["score"] > 0.5
    assert inside["query"] == "hours"
    everywhere = await searcher.search("hours", max_results=1)
    assert [one["title"] for one in everywhere["results"]] == [HOURS[0]]
    assert tavily.queries == ["hours", "hours"]


async def test_a_whole_body(searcher, tavily):
    tavily.script({"answer": "From 8 to 17.", "results": []})
    assert (await searcher.search("hours"))["answer"] == "From 8 to 17."


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (400, BadRequestError),
        (401, sdk.InvalidAPIKeyError),
        (429, sdk.UsageLimitExceededError),
        (432, ForbiddenError),
        (500, httpx.HTTPStatusError),
    ],
)
async def test_errors_have_the_vendors_shape(searcher, tavily, code, error):
    tavily.script(steps.status(code) if code != 429 else steps.rate_limit(3))
    with pytest.raises(error) as raised:
        await searcher.search("hours")
    assert str(raised.value)


async def test_it_refuses_long_questions_and_wrong_keys(searcher, tavily: FakeTavily):
    with pytest.raises(BadRequestError, match="too long"):
        await searcher.search("hours " * 100)
    tavily.api_key = "another"
    with pytest.raises(sdk.InvalidAPIKeyError):
        await searcher.search("hours")


async def test_late_cut_off_and_no_json(searcher, tavily):
    tavily.script(steps.never(), steps.cut(found(HOURS)), steps.not_json())
    with pytest.raises(TimeoutError):
        await searcher.search("hours", timeout=0.05)
    with pytest.raises(httpx.RemoteProtocolError):
        await searcher.search("hours")
    with pytest.raises(ValueError, match="Expecting value"):
        await searcher.search("hours")
