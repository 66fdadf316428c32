"""The command itself: as a process once for each thing that only a process shows."""

import contextlib
import io
import os
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from app.cli import main
from app.launch.server import ROOT
from app.settings import Settings
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


def test_a_key_is_made_listed_and_revoked(
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
    assert "acme has no admin key now" in revoked.stderr
    again = within("key", "revoke", "key_none", "--tenant", "acme", data=tmp_path, **store)
    assert again.returncode == 1
    assert again.stderr.startswith("tabwright: ")
    monkeypatch.setattr("app.launch.key_commands.CLOSED_S", 0.01)
    gone = within("tenant", "delete", "--tenant", "acme", "--yes", data=tmp_path, **store)
    assert gone.returncode == 0, gone.stderr
    assert "2 rows of acme are deleted" in gone.stderr
    assert (
        within("key", "list", "--tenant", "acme", "--json", data=tmp_path, **store).stdout == "[]\n"
    )


def test_a_taken_port_is_said_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        refused = tabwright("serve", "--port", port, data=tmp_path)
    assert refused.returncode == 1
    assert f"127.0.0.1:{port} cannot be listened on" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_setting_that_cannot_be_is_named_and_its_value_is_not_repeated(tmp_path: Path) -> None:
    told = within("doctor", data=tmp_path, TABWRIGHT_MAX_STEPS="s3cret")
    assert told.returncode == 1
    assert told.stderr.startswith("tabwright: TABWRIGHT_MAX_STEPS: ")
    assert "s3cret" not in told.stderr
