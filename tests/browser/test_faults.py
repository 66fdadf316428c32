"""What goes wrong on real pages, put right without a person: by the counts of the page's own server."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bench.faults.cases import BY_NAME, made
from bench.faults.outcome import Result
from bench.faults.playing import Desk, opened_desk

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def desk(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    async with opened_desk(tmp_path_factory.mktemp("faults")) as opened:
        yield opened


async def played(desk: Desk, fault: str, app: str, seed: int = 1) -> Result:
    result = await desk.play(made(BY_NAME[fault], app, seed))
    assert result.fired, f"{fault} never came: {result.said}"
    return result


@pytest.mark.parametrize(
    ("fault", "app"),
    [
        ("other container", "contacts"),
        ("rows added", "emails"),
        ("skeleton", "suppliers"),
        ("click lost", "emails"),
        ("another format", "suppliers"),
        ("renewed", "settings"),
        ("native question", "contacts"),
        ("new tab", "tickets"),
    ],
)
async def test_a_fault_is_put_right_and_nothing_is_handed_in_twice(
    desk: Desk, fault: str, app: str
) -> None:
    result = await played(desk, fault, app)
    assert result.outcome == "repaired", (result.state, result.said, result.steps)
    assert result.accepted == 1


@pytest.mark.parametrize(
    ("fault", "app"), [("sign-in page", "settings"), ("unknown value", "contacts")]
)
async def test_what_needs_a_person_stops_and_says_why(desk: Desk, fault: str, app: str) -> None:
    result = await played(desk, fault, app)
    assert result.state != "completed"
    assert result.accepted == 0
    first = result.said.partition("Tried:")[0]
    assert re.search(BY_NAME[fault].truth, first, re.IGNORECASE), result.said


async def test_what_was_learned_of_an_overlay_spares_the_correction(desk: Desk) -> None:
    first = await played(desk, "cookies", "contacts")
    again = await played(desk, "cookies", "contacts")
    assert [first.outcome, again.outcome] == ["repaired", "repaired"], (first.steps, again.steps)
    assert first.corrections
    assert not again.corrections
    assert again.round_trips < first.round_trips
