"""A question about money outlives the process that put it: nothing is paid twice, nothing done is lost."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from app.cli.run.children import serving
from app.settings import Settings
from tests.fakes.gemini import FakeGemini
from tests.fakes.tavily import FakeTavily
from tests.integration.desk import (
    FORM,
    GOAL,
    TYPED,
    TYPES,
    Desk,
    Served,
    Trip,
    doing,
    opening,
    threaded,
)
from tests.integration.usage.budget_desk import choose, limit

KEY = "tw_" + "k" * 40
OWN = """as_of = 2026-11-01
[models]
"gemini-3.8-flash" = { input = 7.5, cached = 0.75, output = 37.5 }
"""
FILLED = FORM.with_value(3, "555 1234")


@contextmanager
def process(environment: dict[str, str], log: Path) -> Iterator[tuple[str, int]]:
    """`tabwright serve`: its address and its process."""
    command = ("-m", "app.cli", "serve", "--port", "0")
    with serving(command, log=log, ready="/readyz", environment=environment) as child:
        yield child.url, child.pid


def cost(trip: Trip) -> float:
    """What it takes at these prices; nothing is cached of prompts so short."""
    usage = trip.answer["usage"]
    return float(usage["inputTokens"] * 7.5 + usage["outputTokens"] * 37.5) / 1_000_000


async def test_a_question_about_money_outlives_a_killed_server(
    settings: Settings, tmp_path: Path
) -> None:
    assert settings.mongodb_uri is not None
    (tmp_path / "prices.toml").write_text(OWN, "utf-8")
    environment = {
        "TABWRIGHT_MONGODB_URI": settings.mongodb_uri.get_secret_value(),
        "TABWRIGHT_MONGODB_DATABASE": settings.mongodb_database,
        "TABWRIGHT_DATA_DIR": str(tmp_path),
        "TABWRIGHT_API_KEY": KEY,
        "TABWRIGHT_PRICES": str(tmp_path / "prices.toml"),
    }
    holder = {"Authorization": f"Bearer {KEY}"}
    with FakeGemini().served() as gemini:
        environment |= gemini.environment

        def desk(url: str) -> Desk:
            client = httpx.AsyncClient(base_url=url, headers=holder, timeout=30, trust_env=False)
            return Desk(client, Served(url, gemini, FakeTavily(), settings))

        with process(environment, tmp_path / "1.log") as (url, pid):
            before = desk(url)
            await limit(before, task={"limitUsd": 0.02})
            gemini.script(opening(TYPES, ends=False))
            first = await before.begin(FORM, GOAL)
            assert first.actions == TYPED
            assert first.answer["usage"]["costUsd"] == pytest.approx(cost(first))
            asked = await before.go_on(first, FILLED)
            assert (asked.answer["source"], asked.calls) == ("budget", [])
            await before.client.aclose()
            os.kill(pid, signal.SIGKILL)
        after_it = {
            "llm": "gemini",
            "gemini_api_key": SecretStr("key"),
            "gemini_base_url": gemini.url,
            "api_key": SecretStr(KEY),
            "prices": tmp_path / "prices.toml",
        }
        with threaded(settings.model_copy(update=after_it)) as url:
            after = desk(url)
            again = await after.post(FILLED.body(taskId=asked.answer["taskId"]))
            assert (again.answer["hitlId"], again.calls) == (asked.answer["hitlId"], [])
            gemini.script(doing("click(5)"))
            goes_on = await choose(after, asked, FILLED, "more")
            assert (goes_on.actions, len(goes_on.calls)) == (['click("5")'], 1)
            story = (await after.client.get(f"/api/task/{asked.answer['taskId']}")).json()
            assert [one["action"] for one in story["actions"]] == [*TYPED, 'click("5")']
            bill = (await after.client.get("/api/usage/statement")).json()
            assert (bill["calls"], bill["exactUsd"]) == (
                2,
                pytest.approx(cost(first) + cost(goes_on)),
            )
            (line,) = bill["byModel"]
            assert (line["inputPrice"], line["outputPrice"]) == (7.5, 37.5)
            page = await after.client.get("/api/usage/statement", params={"format": "html"})
            assert "your own prices as of 2026-11-01 override them" in page.text
            await after.client.aclose()
