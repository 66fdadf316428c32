"""The command as a process, for what only a process shows."""

import contextlib
import csv
import io
import json
import os
import socket
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

import pytest

from app.cli import main
from app.cli.run.children import ROOT
from app.settings import Settings
from app.store.repositories import Store
from tests.contract.store.test_usage import spent
from tests.guard.loopback import FOLDER

PATH = os.pathsep.join([str(FOLDER), str(ROOT)])


@dataclass(frozen=True)
class Said:
    """What a command wrote, and the code it ended with."""

    returncode: int
    stdout: str
    stderr: str


def _environment(data: Path, settings: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TABWRIGHT_")}
    return kept | {"TABWRIGHT_DATA_DIR": str(data), "NO_COLOR": "1"} | settings


def within(*arguments: str, data: Path, **settings: str) -> Said:
    """The command within this process: what it says and does, without the second a start takes."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        patch.dict(os.environ, _environment(data, settings), clear=True),
        patch.object(sys, "argv", ["tabwright", *arguments]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return Said(code, out.getvalue(), err.getvalue())


def tabwright(*arguments: str, data: Path, **settings: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "app.cli", *arguments],
        env=_environment(data, settings) | {"PYTHONPATH": PATH},
        cwd=data,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_key_is_created_listed_and_revoked(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings.mongodb_uri is not None
    store = {
        "TABWRIGHT_MONGODB_URI": settings.mongodb_uri.get_secret_value(),
        "TABWRIGHT_MONGODB_DATABASE": settings.mongodb_database,
    }
    made = tabwright("key", "create", "--tenant", "acme", "--user", "ann", data=tmp_path, **store)
    assert made.returncode == 0, made.stderr
    secret = made.stdout.splitlines()[-1]
    assert len(secret.split()) == 1
    assert len(secret) > 32
    listed = within("key", "list", "--tenant", "acme", data=tmp_path, **store).stdout
    assert "ann" in listed
    assert secret not in listed
    key_id = next(
        word for word in made.stderr.split() if word in listed and word.startswith("key_")
    )
    turned = within("key", "rotate", key_id, "--tenant", "acme", data=tmp_path, **store)
    assert turned.returncode == 0, turned.stderr
    assert turned.stdout.splitlines()[-1] not in (secret, "")
    revoked = within("key", "revoke", key_id, "--tenant", "acme", data=tmp_path, **store)
    assert revoked.returncode == 0
    assert "acme has no admin key left" in revoked.stderr
    again = within("key", "revoke", "key_none", "--tenant", "acme", data=tmp_path, **store)
    assert again.returncode == 1
    assert again.stderr.startswith("tabwright: ")
    monkeypatch.setattr("app.cli.key.CLOSED_S", 0.01)
    gone = within("tenant", "delete", "--tenant", "acme", "--yes", data=tmp_path, **store)
    assert gone.returncode == 0, gone.stderr
    assert "Deleted 2 rows of acme" in gone.stderr
    assert (
        within("key", "list", "--tenant", "acme", "--json", data=tmp_path, **store).stdout == "[]\n"
    )


@pytest.fixture
async def bill(store: Store) -> None:
    """Two calls that cost half a dollar each, and one of a model without a price."""
    day = datetime(2026, 10, 3, tzinfo=UTC)
    rows = [spent(str(n), tenant="acme", cost_usd=0.5, created_at=day) for n in range(2)]
    odd = {"model": "[b]new[/b]", "cost_usd": 0.0, "priced": False, "user": "=eve"}
    await store.usage.add([*rows, spent("odd", tenant="acme", created_at=day, **odd)])


def test_usage_is_summed_in_the_terminal(bill: None, tmp_path: Path, settings: Settings) -> None:
    assert settings.mongodb_uri is not None
    its = {
        "TABWRIGHT_MONGODB_URI": settings.mongodb_uri.get_secret_value(),
        "TABWRIGHT_MONGODB_DATABASE": settings.mongodb_database,
    }
    month = ("--tenant", "acme", "--month", "2026-10")
    summary = within("usage", "summary", *month, "--by", "model", data=tmp_path, **its)
    rows = [line.split() for line in summary.stdout.splitlines()]
    assert rows[0] == ["model", "calls", "tokens", "USD", "not", "priced"]
    assert ["gemini-3-flash", "2", "2,560", "$1.00"] in rows
    assert ["[b]new[/b]", "1", "1,280", "$0.00", "1"] in rows
    assert rows[-1] == ["total", "3", "3,840", "$1.00", "1"]
    told = within("usage", "summary", *month, "--json", data=tmp_path, **its).stdout
    assert (json.loads(told)["total"]["costUsd"], json.loads(told)["groupBy"]) == (1.0, "day")
    file = tmp_path / "bill.csv"
    shown = within("usage", "statement", *month, "--csv", str(file), data=tmp_path, **its)
    assert shown.stdout.startswith("acme, 2026-10: $1.00\n")
    assert "not priced" in shown.stdout
    lines = list(csv.DictReader(file.read_text().splitlines()))
    assert {line["name"]: line["usd"] for line in lines if line["part"] == "user"} == {
        "u": "1.00",
        "'=eve": "0.00",
    }
    wrong = within("usage", "statement", "--month", "2026-13", data=tmp_path, **its)
    assert (wrong.returncode, wrong.stderr[:11]) == (1, "tabwright: ")


def test_reports_a_taken_port(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        refused = tabwright("serve", "--port", port, data=tmp_path)
    assert refused.returncode == 1
    assert f"Cannot listen on 127.0.0.1:{port}" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_names_an_invalid_setting_without_its_value(tmp_path: Path) -> None:
    told = within("doctor", data=tmp_path, TABWRIGHT_MAX_STEPS="s3cret")
    assert told.returncode == 1
    assert told.stderr.startswith("tabwright: TABWRIGHT_MAX_STEPS: ")
    assert "s3cret" not in told.stderr
