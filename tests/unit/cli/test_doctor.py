"""`tabwright doctor`."""

from io import StringIO
from pathlib import Path

import pytest
from pydantic import SecretStr
from rich.console import Console

from app.cli.doctor import (
    Check,
    _prices,
    _reasoner,
    _search,
    print_checks,
    required_failures,
    run_checks,
)
from app.settings import Settings
from tests.fakes.openai_api import FakeOpenAI

GOOD = Check(name="Disk", ok=True, detail="5 GB free")
BAD = Check(name="Store", ok=False, detail="no answer", todo="Start it.")
NOTE = Check(name="Port", ok=False, detail="taken", todo="Take another.", needed=False)


def test_only_required_checks_count_as_failures() -> None:
    assert required_failures([GOOD, BAD, NOTE]) == [BAD]


def test_prints_the_fix_below_a_failed_check() -> None:
    written = StringIO()
    print_checks([GOOD, BAD], Console(file=written, width=100))
    assert "failed  Store  no answer\n" in written.getvalue()
    assert "Start it." in written.getvalue()


async def test_unusable_data_folder_fails_with_its_store(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    found = await run_checks(Settings(data_dir=in_the_way / "data", _env_file=None))
    of_the_machine = {"Chromium"}
    lacking = [check for check in required_failures(found) if check.name not in of_the_machine]
    assert [check.name for check in lacking] == ["Data folder", "Store"]
    assert all(check.todo for check in lacking)


async def reasoner_line(**given: object) -> Check:
    settings = Settings(_env_file=None, **given)  # type: ignore[arg-type]
    return await _reasoner(settings)


async def test_names_the_model_and_checks_that_it_is_available() -> None:
    with FakeOpenAI().served() as fake:
        given = {"llm": "openai", "openai_base_url": fake.base_url}
        there = await reasoner_line(**given, openai_model="gpt-5.6")
        unlisted = await reasoner_line(**given, openai_model="gpt-1")
    assert there.ok
    assert there.detail.startswith(f"openai: gpt-5.6, fast gpt-5.6, at {fake.base_url}, responds")
    assert (unlisted.ok, unlisted.needed) == (False, False)
    assert "does not list gpt-1" in unlisted.todo


async def test_unavailable_model_is_optional_but_a_missing_key_is_not(
    unused_tcp_port: int,
) -> None:
    away = await reasoner_line(
        llm="openai", openai_base_url=f"http://127.0.0.1:{unused_tcp_port}", openai_model="q"
    )
    assert (away.ok, away.needed) == (False, False)
    assert "tasks use rules only" in away.todo
    keyless = await reasoner_line(llm="gemini", gemini_api_key=None)
    assert (keyless.ok, keyless.needed) == (False, True)
    assert "GEMINI_API_KEY" in keyless.detail


@pytest.mark.parametrize(
    ("key", "url", "ok", "told"),
    [
        (None, None, True, "none (no TAVILY_API_KEY is set)"),
        ("tvly-x", None, True, "Tavily"),
        ("tvly x", None, False, "TAVILY_API_KEY contains characters"),
        ("tvly-x", "nowhere", False, "TABWRIGHT_TAVILY_BASE_URL is not an HTTP address"),
    ],
)
def test_web_search_is_checked_by_its_settings_and_optional(
    key: str | None, url: str | None, ok: bool, told: str
) -> None:
    secret = SecretStr(key) if key else None
    check = _search(Settings(_env_file=None, tavily_api_key=secret, tavily_base_url=url))
    assert (check.ok, required_failures([check])) == (ok, [])
    assert check.detail.startswith(told)
    assert key is None or key not in check.detail


def test_prices_have_a_date_and_a_broken_file_fails(tmp_path: Path) -> None:
    assert "as of 2026-" in _prices(Settings(_env_file=None)).detail
    mine = tmp_path / "mine.toml"
    mine.write_text('as_of = 2026-10-31\n[models]\n"ours-7b" = { input = 0.1, output = 0.2 }\n')
    assert f"{mine} of 2026-10-31" in _prices(Settings(_env_file=None, prices=mine)).detail
    mine.write_text("as_of = yesterday")
    broken = _prices(Settings(_env_file=None, prices=mine))
    assert required_failures([broken]) == [broken]
    assert (str(mine) in broken.detail, "TABWRIGHT_PRICES" in broken.todo) == (True, True)
