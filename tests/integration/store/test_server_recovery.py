"""A server that panicked, hangs, or whose users were all killed: each comes to an end by itself.

A full disk is a limit on the sizes of the files that the server writes: its writes fail just so, it panics,
and it stays so when there is room again.
"""

import os
import signal
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from structlog.testing import capture_logs

from app.cli.run.children import backend
from app.domain.task import Message
from app.errors import StoreUnavailable
from app.settings import Settings
from app.store.open import open_all, open_store
from app.store.server import embedded_server
from app.store.server.embedded_server import Restarts, hold_server
from tests.integration.store.store_users import (
    User,
    answers,
    eventually,
    fill_disk,
    pid,
    servers,
)


def message(n: int) -> Message:
    return Message(
        message_id=f"m{n}",
        tenant="a",
        session_id="s",
        role="user",
        content="x",
        created_at=datetime.now(UTC),
    )


def keepers(home: Path) -> list[psutil.Process]:
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if {"app.store.server.keeper", str(home)} <= set(process.info["cmdline"] or ())
    ]


async def test_a_panicked_server_is_restarted_and_has_what_was_acknowledged(
    own: Settings, home: Path, user: Callable[..., User]
) -> None:
    user().uri()
    before = pid(home)
    with capture_logs() as lines:
        async with open_store(own) as store:
            await store.messages.add([message(0)])
            fill_disk(home)
            kept, failed = ["m0"], list[int | None]()
            while len(kept) < 5:  # the caller repeats what was not acknowledged
                number = len(kept)
                try:
                    await store.messages.add([message(number)])
                    kept.append(f"m{number}")
                except StoreUnavailable as error:
                    failed.append(error.retry_after)
            assert failed
            assert all(failed)
            eventually(lambda: pid(home) != before)  # written down once it answers
            found = await store.messages.of_session("a", "s", limit=10)
            assert [one.message_id for one in found] == kept
    told = [line for line in lines if line["event"] == "store_restarted"]
    assert all(line["cause"] == "WT_PANIC" and "File too large" in line["output"] for line in told)


def test_readiness_fails_while_nothing_can_be_written_and_comes_back(tmp_path: Path) -> None:
    with backend(tmp_path, workers=2) as served:
        holder = {"Authorization": f"Bearer {served.api_key}"}
        with httpx.Client(base_url=served.url, headers=holder, trust_env=False) as client:
            before = pid(tmp_path)
            fill_disk(tmp_path)
            seen = [client.get("/readyz") for _ in range(1)]
            while pid(tmp_path) == before:
                seen.append(client.get("/readyz"))
            # It may be back before a write is tried again; what failed before says when to ask again.
            assert all(one.status_code == 200 or one.headers["Retry-After"] for one in seen)
            eventually(lambda: client.get("/readyz").status_code == 200)
            statuses = {client.get("/api/sessions").status_code for _ in range(4)}
            assert statuses == {200}
            assert pid(tmp_path) != before
    log = (tmp_path / "server.log").read_text()
    assert log.count("store_restarted") == 1  # of the three processes that use it


async def test_what_proves_a_write_is_asked_of_the_store_once_a_second(
    own: Settings, home: Path
) -> None:
    async with open_all(own) as opened:
        rows: Any = opened.database["readiness"]
        await opened.prove_write()
        first = await rows.find_one({})
        for _ in range(50):
            await opened.prove_write()
        assert await rows.find_one({}) == first


async def test_a_store_that_takes_no_write_is_not_ready(
    own: Settings, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_server, "WATCH_S", 60.0)  # nobody restarts it
    async with open_all(own) as opened:
        fill_disk(home)
        with pytest.raises(StoreUnavailable):
            await opened.prove_write()


def test_the_pauses_between_restarts_grow_and_end() -> None:
    restarts = Restarts()
    pauses = [restarts.pause_s() for _ in range(9)]
    assert pauses == [0, 0.5, 1, 2, 4, 8, 16, 30, 30]


def test_a_server_whose_users_were_all_killed_ends(
    own: Settings, home: Path, user: Callable[..., User]
) -> None:
    several = [user(unused_s=1.0), user(unused_s=1.0)]
    (uri,) = {one.uri() for one in several}
    assert len(keepers(home)) == 1
    several[0].kill()
    assert answers(uri)
    several[1].kill()
    eventually(lambda: not servers(home) and not (home / "store.json").exists())
    eventually(lambda: not keepers(home))
    with hold_server(own) as again:
        assert answers(again)


def test_a_server_that_was_not_written_down_ends_too(home: Path, user: Callable[..., User]) -> None:
    killed = user(unused_s=1.0)
    killed.uri()
    (home / "store.json").unlink()
    killed.kill()
    eventually(lambda: not servers(home))


def test_who_comes_in_time_adopts_it(own: Settings, home: Path, user: Callable[..., User]) -> None:
    killed = user(unused_s=3.0)
    uri = killed.uri()
    server, keeper = pid(home), keepers(home)
    killed.kill()
    with hold_server(own) as adopted:
        assert (adopted, pid(home), keepers(home)) == (uri, server, keeper)
    assert servers(home) == []
    eventually(lambda: not keepers(home))


def test_a_killed_keeper_is_replaced(
    own: Settings, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_server, "KEEPER_EVERY", 1)
    with hold_server(own):
        eventually(lambda: len(keepers(home)) == 1)
        (before,) = keepers(home)
        before.kill()
        eventually(lambda: keepers(home) not in ([], [before]))


def test_a_deaf_server_that_nobody_wrote_down_does_not_hold_the_folder(
    own: Settings, home: Path, user: Callable[..., User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.store.server.process.PING_TIMEOUT_MS", 300)
    monkeypatch.setattr("app.store.server.record.STOP_TIMEOUT_S", 0.3)
    killed = user()
    killed.uri()
    server = pid(home)
    killed.kill()
    (home / "store.json").unlink()
    os.kill(server, signal.SIGSTOP)
    with hold_server(own) as uri:
        assert answers(uri)
        assert pid(home) != server
