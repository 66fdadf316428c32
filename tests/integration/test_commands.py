"""The command itself, as a process."""

import os
import socket
import subprocess
import sys
from pathlib import Path

from app.launch.server import ROOT
from tests.guard.loopback import FOLDER

PATH = os.pathsep.join([str(FOLDER), str(ROOT)])


def tabwright(*arguments: str, data: Path, **settings: str) -> "subprocess.CompletedProcess[str]":
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("TABWRIGHT_")
    }
    environment |= {"TABWRIGHT_DATA_DIR": str(data), "PYTHONPATH": PATH, "NO_COLOR": "1"}
    environment |= settings
    return subprocess.run(
        [sys.executable, "-m", "app.cli", *arguments],
        env=environment,
        cwd=data,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_key_is_made_listed_and_revoked(tmp_path: Path) -> None:
    made = tabwright("key", "create", "--tenant", "acme", "--user", "ann", data=tmp_path)
    assert made.returncode == 0, made.stderr
    secret = made.stdout.splitlines()[-1]
    assert len(secret.split()) == 1
    assert len(secret) > 32
    listed = tabwright("key", "list", "--tenant", "acme", data=tmp_path).stdout
    assert "ann" in listed
    assert secret not in listed
    key_id = next(
        word for word in made.stderr.split() if word in listed and word.startswith("key_")
    )
    assert tabwright("key", "revoke", key_id, "--tenant", "acme", data=tmp_path).returncode == 0
    again = tabwright("key", "revoke", "key_none", "--tenant", "acme", data=tmp_path)
    assert again.returncode == 1
    assert again.stderr.startswith("tabwright: ")


def test_a_taken_port_is_said_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        refused = tabwright("serve", "--port", port, data=tmp_path)
    assert refused.returncode == 1
    assert f"127.0.0.1:{port} cannot be listened on" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_setting_that_cannot_be_is_named_and_its_value_is_not_repeated(tmp_path: Path) -> None:
    told = tabwright("doctor", data=tmp_path, TABWRIGHT_MAX_STEPS="s3cret")
    assert told.returncode == 1
    assert told.stderr.startswith("tabwright: TABWRIGHT_MAX_STEPS: ")
    assert "s3cret" not in told.stderr
