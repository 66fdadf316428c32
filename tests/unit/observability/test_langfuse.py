"""Calls held for their run, and senders that are bounded, retry and close in time."""

import asyncio
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import httpx
import pytest

from app.observability import langfuse as module
from app.observability import langfuse_export
from app.observability.config import LangfuseConfig
from app.observability.langfuse import LangfuseObserver
from app.observability.langfuse_export import ScoreSender, SpanSender
from app.observability.langfuse_traces import Observation, observe_call, observe_run, score_run
from tests.fakes import langfuse as fakes
from tests.fakes.langfuse import FakeLangfuse
from tests.unit.observability.reports import a_call, a_pass


@dataclass
class Sent:
    """A sender that keeps what it is given."""

    found: list[Any] = field(default_factory=list)
    waiting: int = 0
    dropped: int = 0

    def send(self, given: Iterable[Any]) -> None:
        self.found += given

    @property
    def names(self) -> list[str]:
        return [one.name for one in self.found if isinstance(one, Observation)]


@pytest.fixture
def sent() -> Sent:
    return Sent()


@pytest.fixture
def observer(sent: Sent) -> LangfuseObserver:
    return LangfuseObserver(cast(SpanSender, sent), cast(ScoreSender, Sent()))


@pytest.fixture
def server() -> Iterator[FakeLangfuse]:
    with fakes.langfuse() as fake:
        yield fake


def sender(server: FakeLangfuse) -> SpanSender:
    return SpanSender(
        LangfuseConfig(
            public_key=fakes.PUBLIC_KEY, secret_key=fakes.SECRET_KEY, base_url=server.url
        )
    )


async def test_holds_a_call_for_its_run(observer: LangfuseObserver, sent: Sent) -> None:
    observer.on_call(a_call(2.4), None)
    assert (sent.names, observer.waiting) == ([], 1)
    observer.on_run(a_pass())
    assert sent.names[-1] == "opening"
    assert observer.waiting == 0


async def test_sends_a_call_without_a_request_at_once(
    observer: LangfuseObserver, sent: Sent
) -> None:
    observer.on_call(a_call(request_id=""), None)
    assert sent.names == ["opening"]


async def test_sends_a_call_whose_run_is_not_reported(
    observer: LangfuseObserver, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HOLD_S", 0.01)
    observer.on_call(a_call(), None)
    await asyncio.sleep(0.1)
    assert (sent.names, observer.waiting) == (["opening"], 0)


async def test_bounds_held_calls(
    observer: LangfuseObserver, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_HELD", 10)
    for number in range(15):
        observer.on_call(a_call(request_id=f"r{number}"), None)
    assert (len(sent.found), observer.waiting) == (5, 10)


def test_splits_what_is_too_large_for_one_request(
    server: FakeLangfuse, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.most_bytes = 6_000
    monkeypatch.setattr(langfuse_export, "REQUEST_CHARACTERS", 3_000)
    spans = sender(server)
    spans.send(observe_run(a_pass(), [(a_call(second / 10), None) for second in range(20)]))
    spans.close(20.0)
    assert len(server.generations) == 20
    assert (spans.waiting, spans.dropped) == (0, 0)
    assert server.posts > 2


def test_retries_while_the_server_restarts(server: FakeLangfuse) -> None:
    server.fails = 503
    spans = sender(server)
    spans.send([observe_call(a_call(), None)])
    deadline = time.monotonic() + 20
    while server.posts == 0:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    server.fails = None
    spans.close(20.0)
    assert (len(server.generations), spans.dropped) == (1, 0)


def test_full_queue_drops_and_counts(server: FakeLangfuse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(langfuse_export, "MOST_CHARACTERS", 2_000)
    spans = sender(server)
    spans.send(observe_call(a_call(), None) for _ in range(20))
    assert 0 < spans.waiting < 20
    assert spans.waiting + spans.dropped == 20
    spans.close(20.0)


def test_closing_does_not_wait_for_a_hanging_server(server: FakeLangfuse) -> None:
    server.hangs = True
    spans = sender(server)
    spans.send(observe_call(a_call(), None) for _ in range(30))
    before = time.monotonic()
    spans.close(0.3)
    assert time.monotonic() - before < 5
    assert (spans.waiting, spans.dropped) == (0, 30)


async def test_posts_scores_and_counts_lost_ones(server: FakeLangfuse) -> None:
    keys = (fakes.PUBLIC_KEY, fakes.SECRET_KEY)
    async with httpx.AsyncClient(base_url=server.url, auth=keys) as http:
        scores = ScoreSender(http, "test")
        running = asyncio.create_task(scores.run())
        scores.send(score_run(a_pass(action_succeeded=True)))
        await scores.close(10.0)
        assert server.scored() == {"verification_success": 1.0}
        server.fails = 401
        scores.send(score_run(a_pass(action_succeeded=False)))
        await scores.close(10.0)
        server.hangs = True
        scores.send(score_run(a_pass(action_succeeded=False)))
        await scores.close(0.1)
        assert (scores.waiting, scores.dropped) == (0, 2)
        running.cancel()
