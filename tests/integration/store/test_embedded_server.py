"""The life of the server that this machine provides: started once, adopted, replaced, stopped last.

These run on the embedded server (or the machine's mongod) whatever TABWRIGHT_MONGODB_URI says.
"""

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest
from pydantic import SecretStr

from app.domain.access import Principal
from app.domain.task import Message
from app.errors import StoreUnavailable
from app.settings import Settings
from app.store.open import open_store
from app.store.server.embedded_server import URI_VARIABLE, hold_server, share_server
from app.store.server.record import Running
from tests.integration.store.store_users import (
    User,
    answers,
    answers_at,
    eventually,
    kill_server,
    pid,
    servers,
)


def test_the_last_user_stops_it(own: Settings, home: Path) -> None:
    with hold_server(own) as first:
        with hold_server(own) as second:
            assert second == first
        assert answers(first)
    assert servers(home) == []
    assert not (home / "store.json").exists()


def test_a_second_process_adopts_it_and_inherits_it(
    own: Settings, home: Path, user: Callable[..., User]
) -> None:
    with hold_server(own) as uri:
        other = user()
        assert other.uri() == uri
        server = pid(home)
    assert answers(uri)
    assert pid(home) == server
    other.leave()
    assert not answers(uri)


def test_processes_that_start_at_once_share_one(home: Path, user: Callable[..., User]) -> None:
    several = [user(), user()]
    assert len({one.uri() for one in several}) == 1
    several[0].leave()
    assert answers_at(home)
    for one in several[1:]:
        one.leave()
    assert not (home / "store.json").exists()


def test_killing_a_user_leaves_it_running_for_the_next(
    own: Settings, home: Path, user: Callable[..., User]
) -> None:
    killed = user()
    uri = killed.uri()
    server = pid(home)
    killed.kill()
    assert answers(uri)
    with hold_server(own) as adopted:
        assert (adopted, pid(home)) == (uri, server)
    assert not answers(uri)  # the killed user does not count as one


async def test_killing_the_server_loses_nothing_acknowledged_and_users_go_on(
    own: Settings, home: Path
) -> None:
    def line(n: int) -> Message:
        return Message(
            message_id=f"m{n}",
            tenant="a",
            session_id="s",
            role="user",
            content="x" * 500,
            created_at=datetime.now(UTC),
        )

    acknowledged: list[str] = []
    async with open_store(own) as store:

        async def write(lane: int) -> None:
            for n in range(lane * 1000, lane * 1000 + 60):
                while True:
                    try:
                        await store.messages.add([line(n)])
                        break
                    except StoreUnavailable:  # killed twice within one write: the caller repeats
                        continue
                acknowledged.append(f"m{n}")
                if len(acknowledged) in (60, 150):
                    kill_server(home)

        await asyncio.gather(*(write(lane) for lane in range(4)))
        found = await store.messages.of_session("a", "s", limit=1000)
        assert {m.message_id for m in found} == set(acknowledged)
        assert len(acknowledged) == 240


async def test_what_was_stored_is_there_after_a_kill_and_a_new_start(
    own: Settings, home: Path, user: Callable[..., User]
) -> None:
    keeper = user()
    uri = keeper.uri()
    async with open_store(own) as store:
        _, secret = await store.keys.create(Principal(tenant="a", user="u"))
        keeper.kill()
    assert not answers(uri)
    assert servers(home) == []
    async with open_store(own) as store:
        assert await store.keys.principal(secret) is not None


def test_a_dead_server_is_replaced(own: Settings, home: Path, user: Callable[..., User]) -> None:
    killed = user()
    killed.uri()
    server = pid(home)
    killed.kill()
    os.kill(server, signal.SIGKILL)
    with hold_server(own) as uri:
        assert answers(uri)
        assert pid(home) != server


def test_a_deaf_server_is_replaced(
    own: Settings, home: Path, user: Callable[..., User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.store.server.process.PING_TIMEOUT_MS", 300)
    killed = user()
    killed.uri()
    server = pid(home)
    killed.kill()
    os.kill(server, signal.SIGSTOP)
    monkeypatch.setattr("app.store.server.record.STOP_TIMEOUT_S", 0.3)
    with hold_server(own) as uri:
        assert answers(uri)
        assert pid(home) != server


def test_another_program_that_has_the_pid_is_left_alone(own: Settings, home: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        recorded = {
            "kind": "embedded",
            "pid": other.pid,
            "port": 1,
            "started": psutil.Process(other.pid).create_time(),
            "program": "secantusd-rs",
            "storage": str(home / "embedded"),
        }
        (home / "store.json").write_text(json.dumps(recorded))
        with hold_server(own) as uri:
            assert answers(uri)
            assert pid(home) != other.pid
        assert other.poll() is None
        other.kill()


@pytest.mark.parametrize("written", [b'{"pid": 1}', None])
def test_a_lost_or_broken_note_finds_the_server_again(
    own: Settings, home: Path, user: Callable[..., User], written: bytes | None
) -> None:
    holder = user()
    uri = holder.uri()
    note = home / "store.json"
    if written is None:
        note.unlink()
    else:
        note.write_bytes(written)
    with hold_server(own) as found:
        assert found == uri
    holder.leave()
    assert not answers(uri)


@pytest.mark.parametrize("written", [b"", b"{", b"[1]", b"7", b'{"pid": 1}', b"\xff\xfe"])
def test_a_note_that_is_not_ours_says_nothing(tmp_path: Path, written: bytes) -> None:
    (tmp_path / "note").write_bytes(written)
    assert Running.read(tmp_path / "note") is None


@pytest.mark.parametrize("place", ["embedded", "store.json/x", "store.users", "store.log/x", "."])
def test_something_in_the_way_is_named(tmp_path: Path, own: Settings, place: str) -> None:
    data = tmp_path / "data"
    way = data / place
    way.parent.mkdir(parents=True, exist_ok=True)
    if place.endswith("/x"):
        way.mkdir()
    else:
        way.write_text("not ours")
    blocked = own.model_copy(update={"data_dir": data})
    with pytest.raises(StoreUnavailable, match=str(data)), hold_server(blocked):
        pass
    assert servers(data) == []


def test_ctrl_c_in_the_terminal_does_not_reach_it(own: Settings, home: Path) -> None:
    with hold_server(own):
        assert os.getsid(pid(home)) != os.getsid(0)


def test_children_get_the_address_and_count_as_users(
    own: Settings, home: Path, user: Callable[..., User]
) -> None:
    with share_server(own) as uri:
        assert os.environ[URI_VARIABLE] == uri
        worker = user(uri)
        assert worker.uri() == uri
    assert URI_VARIABLE not in os.environ
    assert answers(uri)
    worker.leave()
    assert not answers(uri)


def test_a_uri_is_taken_as_it_is(own: Settings, home: Path) -> None:
    elsewhere = SecretStr("mongodb://elsewhere.test:1")
    with hold_server(own.model_copy(update={"mongodb_uri": elsewhere})) as uri:
        assert uri == "mongodb://elsewhere.test:1"
    assert list(home.iterdir()) == []


def test_it_is_started_again_at_the_same_address(own: Settings, home: Path) -> None:
    with hold_server(own) as uri:
        server = pid(home)
        os.kill(server, signal.SIGKILL)
        eventually(lambda: answers(uri))
        eventually(lambda: pid(home) != server)
