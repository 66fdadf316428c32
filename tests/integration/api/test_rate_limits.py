"""Rate limits shared through the store, and private connections for pairing."""

import asyncio
import contextlib
from typing import Any
from uuid import uuid4

import httpx
import pytest
from limits.aio.storage import MongoDBStorage

from app.api.rate_limits import AttemptLimiter, Limiter, RateWindows, operation_kind
from app.domain.access import Principal
from app.errors import RateLimited, StoreUnavailable
from app.net.peers import address_bucket, is_private_connection
from app.settings import Settings
from app.store.open import CLIENT_OPTIONS, Opened, is_shared, open_all
from tests.fakes.clinic import ClinicPage
from tests.fakes.steps import never
from tests.integration.conftest import running
from tests.integration.desk import FORM, GOAL, INTERACT

ANN, BOB = (Principal(tenant="one", user=name, key_id=f"key_{name}") for name in ("ann", "bob"))


async def taken(limiter: Limiter, who: Principal, times: int) -> int:
    """How many of so many at once are let through."""

    async def one() -> bool:
        try:
            await limiter.take(who.user, "interact")
        except RateLimited as error:
            return not 1 <= (error.retry_after or 0) <= 60
        return True

    return sum(await asyncio.gather(*(one() for _ in range(times))))


@pytest.mark.parametrize("rate", ["10/minute", "40/minute"])
async def test_processes_share_one_limit(settings: Settings, opened: Opened, rate: str) -> None:
    async with open_all(settings) as elsewhere:
        both = [Limiter({"interact": rate}, RateWindows(one.limits)) for one in (opened, elsewhere)]
        through = sum(await asyncio.gather(*(taken(one, ANN, 30) for one in both)))
        most = int(rate.split("/")[0])
        assert most - 4 <= through <= most  # the last few of a process may go unused
        assert await taken(both[0], BOB, 5) == 5


async def test_processes_share_the_limit_of_codes(settings: Settings, opened: Opened) -> None:
    async with open_all(settings) as elsewhere:
        both = [
            AttemptLimiter("5/10 minutes", "codes", RateWindows(one.limits))
            for one in (opened, elsewhere)
        ]
        for tries in (*both, *both, both[0]):
            await tries.take("203.0.113.9")
        with pytest.raises(RateLimited) as refused:
            await both[1].take("203.0.113.9")
        assert 1 <= (refused.value.retry_after or 0) <= 600
        await both[0].reset("203.0.113.9")
        await both[1].take("203.0.113.9")


async def test_unavailable_store_rejects_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CLIENT_OPTIONS, "serverSelectionTimeoutMS", 50)
    monkeypatch.setitem(CLIENT_OPTIONS, "connectTimeoutMS", 50)
    async with contextlib.AsyncExitStack() as stack:
        away = MongoDBStorage("async+mongodb://127.0.0.1:1", wrap_exceptions=True, **CLIENT_OPTIONS)
        stack.callback(away.storage.close)
        limiter = Limiter({"interact": "10/minute"}, RateWindows(away))
        with pytest.raises(StoreUnavailable):
            await limiter.take(ANN.user, "interact")


async def test_single_process_counts_in_memory() -> None:
    alone = Settings(_env_file=None)
    assert not is_shared(alone)
    assert is_shared(alone.model_copy(update={"workers": 2}))
    limiter = Limiter({"interact": "10/minute"}, RateWindows())
    assert await taken(limiter, ANN, 30) == 10


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("POST", "/api/agent/interact", "interact"),
        ("GET", "/api/tasks", "reads"),
        ("GET", "/api/usage/logs", "exports"),
        ("GET", "/api/keys", "reads"),
        ("DELETE", "/api/keys/k", "admin"),
        ("PUT", "/api/policy", "admin"),
        ("POST", "/api/task/t/cancel", "writes"),
        ("POST", "/api/knowledge/ingest", "ingests"),
        ("POST", "/api/chat", "chats"),
        ("POST", "/api/chat/resume", "chats"),
        ("POST", "/mcp/capture", "mcp"),
        ("GET", "/mcp/review/", "mcp"),
        ("POST", "/api/knowledge/jobs/j/cancel", "writes"),
        ("GET", "/api/knowledge/resolve", "reads"),
    ],
)
def test_operation_kinds(method: str, path: str, kind: str) -> None:
    assert operation_kind(method, path) == kind


def scope(host: str, scheme: str = "http", **headers: str) -> dict[str, Any]:
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "scheme": scheme, "client": (host, 1), "headers": sent}


def test_addresses_are_grouped_by_owner() -> None:
    assert address_bucket(scope("203.0.113.9")) == "203.0.113.9"
    assert address_bucket(scope("::ffff:203.0.113.9")) == "203.0.113.9"
    assert (
        address_bucket(scope("2001:db8::1"))
        == address_bucket(scope("2001:db8::ffff:1"))
        != "2001:db8::1"
    )


def test_private_connections() -> None:
    assert is_private_connection(scope("127.0.0.1"))
    assert is_private_connection(scope("::1"))
    assert is_private_connection(scope("203.0.113.9", "https"))
    assert not is_private_connection(scope("203.0.113.9"))
    assert not is_private_connection(scope("127.0.0.1", x_forwarded_for="127.0.0.1"))
    assert not is_private_connection(scope("172.17.0.1"))
    assert is_private_connection(scope("172.17.0.1"), ("172.16.0.0/12",))


FROM = {"X-Forwarded-For": "203.0.113.9"}


@pytest.mark.parametrize(
    ("trusted", "headers", "status"),
    [
        ((), {}, 200),
        ((), FROM | {"X-Forwarded-Proto": "https"}, 403),  # nobody vouches for these
        (("127.0.0.1",), FROM | {"X-Forwarded-Proto": "https"}, 200),
        (("127.0.0.0/8",), FROM | {"X-Forwarded-Proto": "http"}, 403),
        (("127.0.0.1",), FROM, 403),
    ],
)
async def test_pairing_needs_tls_or_this_machine(
    server_settings: Settings,
    key: str,
    trusted: tuple[str, ...],
    headers: dict[str, str],
    status: int,
) -> None:
    configured = server_settings.model_copy(update={"trusted_proxies": trusted})
    asked = headers | {"Authorization": f"Bearer {key}"}
    async with running(configured) as url, httpx.AsyncClient(base_url=url) as client:
        made = await client.post("/api/pairing", headers=asked)
        claimed = await client.post("/api/pairing/claim", json={"code": "x"}, headers=headers)
        assert (made.status_code, claimed.status_code) == (status, 404 if status == 200 else 403)
        secure = status == 200 and bool(headers)
        assert ("strict-transport-security" in made.headers) is secure


async def test_limits_concurrent_tasks_of_a_tenant(
    gemini_settings: Settings, gemini: Any, key: str, opened: Opened
) -> None:
    configured = gemini_settings.model_copy(update={"running_tasks": 2})
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        running(configured) as url,
        httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as client,
    ):
        page = ClinicPage()

        async def anew() -> httpx.Response:
            goal = {"query": "Open the Patient menu and click New", "requestId": str(uuid4())}
            return await client.post(INTERACT, json=page.observation() | goal)

        first = (await anew()).json()  # executes in its browser
        gemini.script(never())
        second = asyncio.create_task(client.post(INTERACT, json=FORM.body(query=GOAL)))
        await gemini.called(1)
        refused = await anew()
        assert (refused.status_code, refused.json()["code"]) == (429, "TOO_MANY_TASKS")
        assert int(refused.headers["retry-after"]) == 5
        went_on = await client.post(INTERACT, json=page.step(first))
        assert went_on.status_code == 200  # what is under way goes on
        await client.post(f"/api/task/{first['taskId']}/cancel")
        assert (await anew()).status_code == 200
        for task_id in await opened.store.leases.list_runs("one", within_s=60, limit=9):
            await client.post(f"/api/task/{task_id}/cancel")
        assert (await second).json()["status"] == "interrupted"
