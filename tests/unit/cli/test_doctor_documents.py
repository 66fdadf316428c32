"""The checks of `tabwright doctor` for documents."""

import socket
from typing import Any

import pytest
from pydantic import SecretStr

from app.cli import doctor
from app.settings import Settings
from knowledge.extract.sandbox.confinement import Layers


def given(**more: Any) -> Settings:
    return Settings(_env_file=None, **more)


@pytest.mark.parametrize(
    ("settings", "ok", "told"),
    [
        (given(), True, "reading audio and video requires Gemini"),
        (given(embeddings="gemini"), False, "gemini-embedding-001"),
        (given(gemini_api_key=SecretStr("k")), True, "gemini-embedding-001"),
        (given(gemini_api_key=SecretStr("k"), embeddings="wordllama"), True, "wordllama"),
    ],
)
def test_names_what_finds_documents(settings: Settings, ok: bool, told: str) -> None:
    check = doctor._embeddings(settings)
    assert (check.ok, told in check.detail) == (ok, True)


def test_names_the_sandbox_layers() -> None:
    check = doctor._readers(given())
    assert check.ok
    assert check.detail.startswith("confined: Landlock ")


@pytest.mark.parametrize(("setting", "needed"), [(None, True), (False, True), (True, False)])
def test_names_a_missing_sandbox_layer(
    monkeypatch: pytest.MonkeyPatch, setting: bool | None, needed: bool
) -> None:
    monkeypatch.setattr(doctor, "probe_layers", lambda: Layers(seccomp=True))
    check = doctor._readers(given(unconfined_readers=setting))
    assert (check.ok, check.needed) == (False, needed)
    assert "Landlock" in check.todo


async def test_checks_the_broker_without_showing_its_password() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        address = f"redis://:hush@127.0.0.1:{port}/0"
        there = await doctor._broker(address)
    away = await doctor._broker(address)
    assert (there.ok, away.ok, away.needed) == (True, False, False)
    assert f"127.0.0.1:{port}" in away.detail
    assert "hush" not in there.detail + away.detail + away.todo
