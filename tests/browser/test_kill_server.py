"""The server is killed without a goodbye at each stage of a run; the clinic counts what was stored."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from app.launch.server import Serving
from tests.browser.world import Backend, World, clinic, opened_world, started_backend

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

GOAL = "Add a new patient with name 'Jas'"
STAGES = ("first request", "act", "request")  # while it settles the server is as idle as in an act
LIMIT_S = 60.0  # only ends a hang


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    yield from started_backend(tmp_path_factory.mktemp("backend"))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with clinic(tmp_path_factory.mktemp("clinic") / "clinic.log") as child:
        yield child


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def world(server: Backend, served: Serving) -> AsyncIterator[World]:
    async with opened_world(server, served) as made:
        yield made


async def reached(world: World, stage: str) -> None:
    """Wait until the run is in that phase; the first request is the one without a task."""
    phase = stage.removeprefix("first ")
    async with asyncio.timeout(LIMIT_S):
        while True:
            kept: dict[str, Any] = await world.panel.evaluate("chrome.storage.local.get(null)")
            runs = [value for key, value in kept.items() if key.startswith("run_")]
            first = stage.startswith("first")
            if any(run["phase"] == phase and (run["taskId"] is None) == first for run in runs):
                return
            assert all(run["phase"] != "ended" for run in runs), f"ended before {stage}"
            await asyncio.sleep(0.01)


async def test_exactly_once(world: World) -> None:
    await world.ask(GOAL)
    for stage in STAGES:
        await reached(world, stage)
        await asyncio.to_thread(world.backend.kill)
        await asyncio.to_thread(world.backend.start)

    assert await world.ended() == "completed", await world.result()
    assert await world.stored("Jas") == 1
    assert await world.posts() == 1
