"""GET /api/tasks: visibility, filters and pages."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from app.api.routes.tasks.task_list import MAX_SCANNED
from app.domain.access import ROLES, Principal, Role
from app.domain.task import Task
from app.store.repositories import Store

NOW = datetime.now(UTC).replace(microsecond=0)
GOALS = ("Add Jas.* (new)", "Größe der Straße ändern", "\uff21\uff24\uff24 a Ticket", "Delete Ann")


def task(number: int, **more: Any) -> Task:
    """One a minute, the last now."""
    at = NOW - timedelta(minutes=number)
    fields: dict[str, Any] = {
        "task_id": f"t{number:04}", "tenant": "one", "user": "ann", "session_id": "s",
        "url": "https://crm.example/", "query": GOALS[number % len(GOALS)], "status": "completed",
        "created_at": at, "updated_at": at,
    }  # fmt: skip
    return Task.model_validate(fields | more)


async def keep(store: Store, *tasks: Task) -> None:
    for one in tasks:
        await store.tasks.save(one)


async def listed(client: httpx.AsyncClient, **asked: Any) -> list[str]:
    """The ids, page by page; every page but the last goes on."""
    found: list[str] = []
    while True:
        reply = await client.get("/api/tasks", params=asked)
        assert reply.status_code == 200, reply.text
        page = reply.json()
        found += [one["taskId"] for one in page["tasks"]]
        if (cursor := page.get("nextCursor")) is None:
            return found
        asked["cursor"] = cursor


@pytest.fixture
async def operator(client: httpx.AsyncClient, store: Store) -> AsyncIterator[httpx.AsyncClient]:
    role: Role = "operator"
    _, secret = await store.keys.create(Principal(tenant="one", user="eve", scopes=(ROLES[role],)))
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=client.base_url, headers=headers, timeout=20) as made:
        yield made


async def test_users_see_their_own_tasks_and_operators_all(
    client: httpx.AsyncClient, operator: httpx.AsyncClient, other: httpx.AsyncClient, store: Store
) -> None:
    await keep(store, task(0), task(1, user="bob"), task(2, tenant="two", user="bob"))
    assert await listed(client) == ["t0000"]
    assert await listed(client, user="bob") == []
    assert await listed(operator) == ["t0000", "t0001"]
    assert await listed(operator, user="bob") == ["t0001"]
    assert await listed(other) == ["t0002"]


async def test_search_words_are_not_patterns(client: httpx.AsyncClient, store: Store) -> None:
    await keep(store, *(task(n) for n in range(4)))
    for words, found in {
        "jas.* (": ["t0000"],
        ".*": ["t0000"],
        "STRASSE größe": ["t0001"],
        "add": ["t0000", "t0002"],
        "tick add": ["t0002"],
        "t0003": ["t0003"],
        "[": [],
        "(a+)+$": [],
        "\0": [],
        "  ": ["t0000", "t0001", "t0002", "t0003"],
    }.items():
        assert await listed(client, q=words) == found, words


async def test_status_is_current(client: httpx.AsyncClient, store: Store) -> None:
    long_ago = NOW - timedelta(hours=1)
    await keep(
        store,
        task(1, status="executing"),
        task(2, status="executing", updated_at=long_ago),
        task(3, status="awaiting_user", waits_until=long_ago),
        task(4, status="awaiting_user", waits_until=NOW + timedelta(hours=6)),
        task(5, status="interrupted"),
        task(6),
    )
    for status, found in {
        "under_way": ["t0001", "t0004"],
        "executing": ["t0001"],
        "awaiting_user": ["t0004"],
        "interrupted": ["t0002", "t0003", "t0005"],
        "completed": ["t0006"],
        "failed": [],
    }.items():
        assert await listed(client, status=status, limit=1) == found, status


async def test_pages_have_each_task_once_and_searches_are_bounded(
    client: httpx.AsyncClient, store: Store
) -> None:
    number = MAX_SCANNED + 10
    rows = store.tasks._rows  # type: ignore[attr-defined]
    await keep(store, task(0))
    plain = await rows.find_one({"tenantId": "one"}, {"_id": 0})
    at = [NOW - timedelta(seconds=n // 3) for n in range(1, number)]  # three in a moment
    old = [
        plain | {"taskId": f"t{n:04}", "query": "x", "createdAt": moment}
        for n, moment in enumerate(at, 1)
    ]
    await rows.insert_many([*old[:-1], old[-1] | {"query": "the needle"}])
    everything = await listed(client, limit=200)
    assert sorted(everything) == sorted({f"t{n:04}" for n in range(number)})
    first = (await client.get("/api/tasks", params={"q": "needle"})).json()
    assert (first["tasks"], bool(first["nextCursor"])) == ([], True)
    assert await listed(client, q="needle") == [f"t{number - 1:04}"]


@pytest.mark.parametrize(
    "asked",
    [
        {"status": "new"}, {"cursor": "x"}, {"limit": 0}, {"limit": 201}, {"q": "w" * 201},
        {"from": "yesterday"}, {"from": "2026-11-02T00:00:00Z", "to": "2026-11-01T00:00:00Z"},
    ],
)  # fmt: skip
async def test_rejects_invalid_filters(client: httpx.AsyncClient, asked: dict[str, Any]) -> None:
    reply = await client.get("/api/tasks", params=asked)
    assert (reply.status_code, reply.json()["code"]) == (422, "INVALID_REQUEST")


async def test_only_the_files_of_the_console_are_public(base_url: str) -> None:
    async with httpx.AsyncClient(base_url=base_url, trust_env=False) as client:
        page = await client.get("/console", follow_redirects=True)
        assert (page.status_code, page.url.path) == (200, "/console/")
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self';" in policy
        assert "unsafe" not in policy
        named = re.findall(r'(?:href|src)="([^"]+)"', page.text)
        for name in (*named, "views/tasks.js"):
            file = await client.get(f"/console/{name}")
            assert file.status_code == 200, name
            assert file.headers["x-content-type-options"] == "nosniff"
            known = {"If-None-Match": file.headers["etag"]}
            again = await client.get(f"/console/{name}", headers=known)
            assert (again.status_code, again.content) == (304, b"")
        for name in (
            "../main.py", "%2e%2e/main.py", "..%2fmain.py", "views", "views/", "types/api.d.ts",
            "%00", "vendor/../../settings.py", "//etc/passwd", "index.html%00.js",
        ):  # fmt: skip
            assert (await client.get(f"/console/{name}")).status_code == 404, name
        posted = await client.post("/console/")
        assert posted.status_code == 405
