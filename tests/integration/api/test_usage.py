"""Usage over HTTP: sums, pages, CSV and statements."""

import csv
import io
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from app.domain.access import Principal
from app.store.repositories import Store
from tests.contract.store.test_usage import spent

NOVEMBER = datetime(2026, 11, 3, 12, tzinfo=UTC)
SPAN = {"from": "2026-11-01T00:00:00Z", "to": "2026-12-01T00:00:00Z"}
EVIL = (
    '=HYPERLINK("http://x","a")',
    "+1",
    "-2+3",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    " =1",
    'a "b", c\r\nd',
)


@pytest.fixture
async def boss(base_url: str, store: Store) -> AsyncIterator[httpx.AsyncClient]:
    _, secret = await store.keys.create(Principal(tenant="one", user="root", scopes=("operator",)))
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=20) as made:
        yield made


@pytest.fixture
async def kept(store: Store) -> None:
    """Nine calls of two users in November, one in October, one of another tenant."""
    rows = [
        spent(
            f"{number:02}",
            tenant="one",
            user="ann" if number % 3 else "bob",
            task_id=f"t{number % 2}",
            cost_usd=0.005 + number / 1_000_000,
            created_at=NOVEMBER + timedelta(hours=number),
        )
        for number in range(9)
    ]
    odd = spent(
        "odd", tenant="one", user="<b>&", model="new-one", cost_usd=0.0, priced=False,
        created_at=NOVEMBER,
    )  # fmt: skip
    before = spent("before", tenant="one", created_at=NOVEMBER - timedelta(days=20))
    await store.usage.add([*rows, odd, before, spent("theirs", tenant="two", created_at=NOVEMBER)])


async def got(client: httpx.AsyncClient, path: str, **params: Any) -> dict[str, Any]:
    reply = await client.get(path, params=params)
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


async def test_sums_match_the_rows(
    boss: httpx.AsyncClient, client: httpx.AsyncClient, kept: None
) -> None:
    rows = (await got(boss, "/api/usage/logs", limit=500, **SPAN))["logs"]
    exact = round(sum(row["costUsd"] for row in rows), 9)
    assert len(rows) == 10
    for by in ("day", "task", "model", "actionType", "user", "provider", "month"):
        found = await got(boss, "/api/usage/summary", groupBy=by, **SPAN)
        assert (found["groupBy"], found["currency"]) == (by, "USD")
        assert found["total"]["costUsd"] == exact == 0.045036
        assert found["total"]["calls"] == sum(row["calls"] for row in found["rows"]) == 10
        assert found["total"]["unpricedCalls"] == 1
    own = await got(client, "/api/usage/summary", groupBy="user", **SPAN)
    assert [(row["key"], row["calls"]) for row in own["rows"]] == [("ann", 6)]


async def test_pages_have_every_call_once(
    boss: httpx.AsyncClient, client: httpx.AsyncClient, kept: None
) -> None:
    found, cursor = [], {}
    for _ in range(5):
        page = await got(boss, "/api/usage/logs", limit=4, **SPAN, **cursor)
        found += [row["usageId"] for row in page["logs"]]
        if page["nextCursor"] is None:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert found == ["08", "07", "06", "05", "04", "03", "02", "01", "odd", "00"]
    mine = await got(client, "/api/usage/logs", taskId="t0", **SPAN)
    assert [row["usageId"] for row in mine["logs"]] == ["08", "04", "02"]
    theirs = await client.get("/api/usage/logs", params={"userId": "bob"})
    assert (theirs.status_code, theirs.json()["code"]) == (403, "FORBIDDEN")


async def test_csv_has_no_formulas(boss: httpx.AsyncClient, store: Store) -> None:
    rows = [
        spent(f"{n}", tenant="one", user=text, model=text, cost_usd=1e-8, created_at=NOVEMBER)
        for n, text in enumerate(EVIL)
    ]
    await store.usage.add([*rows, spent("x", tenant="two", created_at=NOVEMBER)])
    for asked in ({"params": SPAN | {"format": "csv"}}, {"headers": {"Accept": "text/csv"}}):
        reply = await boss.get("/api/usage/logs", **({"params": SPAN} | asked))  # type: ignore[arg-type]
        assert reply.headers["content-type"].startswith("text/csv; charset=utf-8")
        assert "attachment" in reply.headers["content-disposition"]
        assert reply.content.count(b"\r\n") >= len(EVIL) + 1
        read = list(csv.DictReader(io.StringIO(reply.content.decode(), newline="")))
        users = {row["usageId"]: row["userId"] for row in read}
        assert [users[f"{n}"] for n in range(7)] == [f"'{text}" for text in EVIL[:7]]
        assert (users["7"], len(read)) == (EVIL[7], len(EVIL))
        assert {row["costUsd"] for row in read} == {"0.000000010"}


class Shown(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += f"{data}\n"


async def test_statement_adds_up_and_lists_unpriced_calls(
    boss: httpx.AsyncClient, client: httpx.AsyncClient, kept: None
) -> None:
    found = await got(boss, "/api/usage/statement", month="2026-11")
    assert (found["totalUsd"], found["exactUsd"], found["calls"]) == (0.05, 0.045036, 10)
    for part in (found["byUser"], found["byActionType"], found["byModel"] + found["notPriced"]):
        assert round(sum(line["usd"] for line in part), 2) == found["totalUsd"]
    (line,) = found["notPriced"]
    assert (line["model"], line["calls"], line["inputPrice"]) == ("new-one", 1, None)
    assert (found["byModel"][0]["inputPrice"], found["byModel"][0]["unit"]) == (
        0.5,
        "million tokens",
    )
    own = await got(client, "/api/usage/statement", month="2026-11")
    assert (own["userId"], [line["key"] for line in own["byUser"]]) == ("ann", ["ann"])

    page = await boss.get(
        "/api/usage/statement", params={"month": "2026-11"}, headers={"Accept": "text/html"}
    )
    shown = Shown()
    shown.feed(page.text)
    assert not shown.tags & {"script", "b", "img", "iframe", "link"}
    assert "<b>&" in shown.text
    assert "not priced" in shown.text
    assert "style-src 'sha256-" in page.headers["content-security-policy"]
    sheet = await boss.get("/api/usage/statement", params={"month": "2026-11", "format": "csv"})
    read = list(csv.DictReader(io.StringIO(sheet.text, newline="")))
    paid = [float(row["usd"]) for row in read if row["part"] == "user"]
    assert round(sum(paid), 2) == 0.05


async def test_statement_of_an_empty_month(client: httpx.AsyncClient) -> None:
    found = await got(client, "/api/usage/statement", month="2020-02")
    assert (found["totalUsd"], found["byUser"], found["final"]) == (0, [], True)
    page = await client.get("/api/usage/statement", params={"month": "2020-02", "format": "html"})
    assert "No usage." in page.text


NOT_MEANT: list[tuple[str, dict[str, Any]]] = [
    ("summary", {"groupBy": "tenant"}),
    ("summary", {"from": "yesterday"}),
    ("summary", {"from": "2026-11-02T00:00:00Z", "to": "2026-11-01T00:00:00Z"}),
    ("summary", {"from": "2026-11-02T00:00:00"}),
    ("summary", {"to": "9999-12-31T23:59:59-23:59"}),
    ("summary", {"from": "0001-01-01T00:00:00+23:59"}),
    ("logs", {"cursor": "x"}),
    ("logs", {"cursor": "9999-12-31T23:59:59-23:59~1"}),
    ("logs", {"limit": 0}),
    ("logs", {"taskId": "a\0b"}),
    ("logs", {"format": "xml"}),
    ("statement", {"month": "2026-13"}),
    ("statement", {"month": "9999-12"}),
    ("statement", {"month": "0000-01"}),
    ("statement", {"month": "2026-1"}),
    ("statement", {"month": "=1+1"}),
]


async def test_rejects_invalid_parameters(client: httpx.AsyncClient) -> None:
    for path, params in NOT_MEANT:
        reply = await client.get(f"/api/usage/{path}", params=params)
        assert reply.status_code == 422, (path, params, reply.text)
