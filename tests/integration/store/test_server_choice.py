"""Which server is chosen: a URI, else `mongod` on PATH, else the embedded server."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from pydantic import SecretStr
from pymongo import MongoClient

from app.errors import StoreUnavailable
from app.settings import Settings
from app.store.open import open_store
from app.store.server.embedded_server import hold_server
from app.store.server.process import choose, describe_store

EMBEDDED_FLAGS = "--cache-size 256M --log-file-max 128MB --sync-on-commit"


def own(home: Path, uri: str | None = None) -> Settings:
    secret = SecretStr(uri) if uri else None
    return Settings(_env_file=None, data_dir=home, mongodb_uri=secret)


def command_lines() -> Iterator[list[str]]:
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            yield process.cmdline()


def test_a_uri_comes_first_and_its_password_is_not_told(tmp_path: Path) -> None:
    told = describe_store(own(tmp_path, "mongodb://name:hush@db.test:27017/?replicaSet=r"))
    assert "db.test:27017" in told
    assert "hush" not in told


def test_the_embedded_server_runs_as_a_program_with_its_flags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    choice = choose(own(tmp_path))
    command = choice.command(0)
    assert choice.kind == "embedded"
    assert Path(command[0]).read_bytes()[:2] != b"#!"
    place = ["--host", "127.0.0.1", "--port", "0", "--storage-path", str(tmp_path / "embedded")]
    assert command[1:] == [*place, *EMBEDDED_FLAGS.split()]
    assert "embedded" in describe_store(own(tmp_path))
    assert "secantus" not in sys.modules


def test_a_mongod_on_path_is_used_and_kept_in_its_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program stands in for mongod: a launcher that takes mongod's flags and speaks its protocol."""
    server = choose(own(tmp_path)).program
    program = tmp_path / "bin" / "mongod"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\nwhile [ $# -gt 0 ]; do case "$1" in --bind_ip) host=$2;; --dbpath) at=$2;; '
        '--port) port=$2;; esac; shift 2; done\nsleep 0.2\nexec "'
        f'{server}" --host "$host" --port "$port" --storage-path "$at"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    data = tmp_path / "data"
    assert str(program) in describe_store(own(data))
    with hold_server(own(data)) as uri:
        client: MongoClient[dict[str, object]] = MongoClient(uri)
        client.admin.command("ping")
        client.close()
        assert any((data / "mongo").iterdir())
        assert not (data / "embedded").exists()
    assert not (data / "store.json").exists()
    assert not any(str(data / "mongo") in line for line in command_lines())


def test_a_machine_with_no_server_is_told_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("app.store.server.process.EMBEDDED_PACKAGE", "no-such-package")
    with pytest.raises(StoreUnavailable, match="TABWRIGHT_MONGODB_URI"), hold_server(own(tmp_path)):
        pass


@pytest.mark.parametrize("uri", ["mongodb://", "http://127.0.0.1/", "mongodb://ann:pa:ss@h:x/"])
async def test_an_address_that_is_none_is_said_without_repeating_it(tmp_path, uri):
    settings = Settings(_env_file=None, data_dir=tmp_path, mongodb_uri=SecretStr(uri))
    with pytest.raises(StoreUnavailable) as told:
        async with open_store(settings):
            pass
    assert "TABWRIGHT_MONGODB_URI" in told.value.detail
    assert "pa:ss" not in told.value.detail
