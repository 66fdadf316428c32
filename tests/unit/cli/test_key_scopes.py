"""`tabwright key create`: scopes and roles."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from app.cli import key
from app.domain.access import Principal

ASKED = [
    ([], "api"),
    (["--role", "user"], "api"),
    (["--role", "admin"], "admin"),
    (["--scope", "mcp"], "mcp"),
    (["--scope", "operator", "--role", "operator"], "operator"),
]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Principal]:
    found: list[Principal] = []

    class Keys:
        async def create(self, holder: Principal, **_: object) -> tuple[Any, str]:
            found.append(holder)
            return SimpleNamespace(key_id="key_1"), "tw_secret"

    @asynccontextmanager
    async def open_store(_: object) -> AsyncIterator[Any]:
        yield SimpleNamespace(keys=Keys())

    monkeypatch.setattr(key, "open_store", open_store)
    return found


@pytest.mark.parametrize(("arguments", "scope"), ASKED)
def test_prints_the_key_alone_on_the_last_line(
    made: list[Principal], arguments: list[str], scope: str
) -> None:
    told = CliRunner().invoke(key.keys, ["create", *arguments])
    assert told.exit_code == 0, told.output
    assert told.stdout.splitlines()[-1] == "tw_secret"
    assert [one.scopes for one in made] == [(scope,)]


@pytest.mark.parametrize(
    "arguments",
    [["--scope", "browser"], ["--role", "browser"], ["--scope", "mcp", "--role", "admin"]],
)
def test_rejects_other_scopes(made: list[Principal], arguments: list[str]) -> None:
    assert CliRunner().invoke(key.keys, ["create", *arguments]).exit_code != 0
    assert made == []
