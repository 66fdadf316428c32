"""What goes wrong on real pages, put right without a person: by the counts of the page's own server."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from bench.faults.cases import BY_NAME, make_case
from bench.faults.outcome import Result
from bench.faults.run import Desk, opened_desk

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def desk(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    async with opened_desk(tmp_path_factory.mktemp("faults")) as opened:
        yield opened


SHORTEST_MS = 1500  # of what a fault takes
OUTLASTING_MS = 11_500  # longer than the page script has patience for placeholders


async def played(desk: Desk, fault: str, app: str) -> Result:
    """The quickest run of that fault: a kind is met once here, `python -m bench.faults` plays them all."""
    case = make_case(BY_NAME[fault], app, 1)
    return await desk.play(replace(case, ms=min(case.ms, SHORTEST_MS)))


async def test_a_page_with_placeholders_of_its_own_is_given_no_others_that_stay(desk: Desk) -> None:
    """Put back late, over the records that had come, they stayed for good."""
    desk.site.begin(replace(make_case(BY_NAME["skeleton"], "orders", 1), ms=SHORTEST_MS))
    page = await desk.browser.context.new_page()
    try:
        await page.goto(f"{desk.address}/orders", wait_until="domcontentloaded")
        drawn = page.locator("main > .skeleton")
        assert await drawn.count() == 5, "the page's own, as it drew them"
    finally:
        await page.close()


async def test_placeholders_that_outlast_the_patience_are_no_sign_that_nothing_is_there(
    desk: Desk,
) -> None:
    case = make_case(BY_NAME["skeleton"], "orders", 1)
    result = await desk.play(replace(case, ms=OUTLASTING_MS))
    assert result.outcome == "repaired", (result.state, result.said, result.steps)
    assert result.accepted == 1
    assert not any("Open the" in str(step) for step in result.steps), result.steps


@pytest.mark.parametrize(
    ("fault", "app"),
    [
        ("other container", "contacts"),
        ("two clicks lost", "suppliers"),
    ],
)
async def test_a_fault_is_put_right_and_nothing_is_handed_in_twice(
    desk: Desk, fault: str, app: str
) -> None:
    result = await played(desk, fault, app)
    assert result.fired, f"{fault} never came: {result.said}"
    assert result.outcome == "repaired", (result.state, result.said, result.steps)
    assert result.accepted == 1


@pytest.mark.parametrize(
    ("fault", "app"), [("sign-in page", "settings"), ("unknown value", "contacts")]
)
async def test_what_needs_a_person_stops_and_says_why(desk: Desk, fault: str, app: str) -> None:
    result = await played(desk, fault, app)
    assert result.fired
    assert result.state != "completed"
    assert result.accepted == 0
    first = result.said.partition("Tried:")[0]
    assert re.search(BY_NAME[fault].truth, first, re.IGNORECASE), result.said


@pytest.mark.parametrize(
    ("fault", "app"),
    [("cookies", "contacts")],
)
async def test_what_was_learned_is_the_first_correction(desk: Desk, fault: str, app: str) -> None:
    await desk.forget()
    first = await played(desk, fault, app)
    again = await played(desk, fault, app)
    outcomes = [(one.outcome, one.state, one.said, one.steps) for one in (first, again)]
    assert [one[0] for one in outcomes] == ["repaired", "repaired"], outcomes
    assert first.corrections
    assert [source for _, source in again.corrections] == ["skill"], again.steps
    assert again.skills
