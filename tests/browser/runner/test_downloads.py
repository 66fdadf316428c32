"""Downloads: heard whichever way they come, told with their contents, never in the way."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

import asyncio
import base64
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio
from fastapi.responses import HTMLResponse, Response, StreamingResponse

from tests.browser.outside_desk import Desk, Shared, act, desk_on, done, node

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

CSV = b"name,age\nJas,34\nAnn,51\n"
ATTACHED = {"content-disposition": 'attachment; filename="report.csv"'}
PAGE = """<h1>Reports</h1>
<a href=/report>Report</a> <a href=/report target=_blank>In a tab</a> <a href=/plain download>Plain</a>
<a href=/archive>Archive</a>
<form method=post action=/report><button>Send for it</button></form>
<button onclick="saved('made.csv', document.createElement('a'))">Make</button>
<button onclick="const link = document.createElement('a'); document.body.append(link); saved('put.csv', link); link.remove()">Put</button>
<button onclick="for (let n = 0; n < 10; n++) saved(`made-${n}.csv`, document.createElement('a'))">Make ten</button>
<button onclick="saved('x'.repeat(5000) + '.csv', document.createElement('a'))">Long</button>
<button onclick="saved('a\\u0000b\\ud800/c.csv', document.createElement('a'))">Odd</button>
<button onclick="dispatched()">Dispatch</button>
<a id=own download="own.csv" href="data:text/csv,a%2Cb">Own</a>
<iframe src=/inner title=Inner></iframe>
<script>
function saved(name, link) {
  link.href = URL.createObjectURL(new Blob(["name,age\\nJas,34\\nAnn,51\\n"], {type: "text/csv"}));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
function dispatched() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["a"], {type: "text/plain"}));
  link.download = "sent.txt";
  link.dispatchEvent(new MouseEvent("click"));
}
</script>"""
INNER = "<a href=/report>Inside</a>"


def csv(**headers: str) -> Response:
    return Response(CSV, media_type="text/csv", headers=ATTACHED | headers)


@pytest_asyncio.fixture(loop_scope="session")
async def desk(shared: Shared) -> Desk:
    desk = await desk_on(shared, PAGE, inner=INNER)
    desk.site.answers["report"] = csv
    desk.site.answers["plain"] = lambda: Response("plain", media_type="text/plain")
    return desk


def click(name: str) -> Any:
    return lambda body: act(("click", {"id": node(body, name)}))


def told(desk: Desk) -> list[dict[str, Any]]:
    """The downloads of the last request, with what they hold."""
    found = [dict(one) for one in desk.last["downloads"]]
    for one in found:
        if "data" in one:
            one["data"] = base64.b64decode(one["data"])
    return found


@pytest.mark.parametrize("name", ["Report", "In a tab", "Inside"])
async def test_an_attachment_is_told_with_what_is_in_it(desk: Desk, name: str) -> None:
    await desk.run(click(name))
    url = f"{desk.site.url}/report"
    assert [(one["name"], one["url"], one["size"], one["data"]) for one in told(desk)] == [
        ("report.csv", url, len(CSV), CSV)
    ]
    assert desk.last["lastActionStatus"] == "success"
    assert desk.last["url"] == f"{desk.site.url}/page"
    assert desk.tabs() == ["/page"]


@pytest.mark.parametrize(
    ("name", "file", "data"),
    [
        ("Make", "made.csv", CSV),
        ("Put", "put.csv", CSV),
        ("Odd", "ab/c.csv", CSV),
        ("Dispatch", "sent.txt", b"a"),
        ("Own", "own.csv", b"a,b"),
        ("Plain", "plain", b"plain"),
    ],
)
async def test_what_a_page_saves_is_told_with_what_is_in_it(
    desk: Desk, name: str, file: str, data: bytes
) -> None:
    await desk.run(click(name))
    assert [(one["name"], one["size"], one["data"]) for one in told(desk)] == [
        (file, len(data), data)
    ]


LARGE = 100_000_000


@pytest.fixture
def over() -> asyncio.Event:
    """Set when a test is over: what still comes then may end."""
    return asyncio.Event()


def endless(over: asyncio.Event, **headers: str) -> Response:
    """An attachment of which only the beginning comes."""

    async def pieces() -> AsyncIterator[bytes]:
        yield b"name,age\n"
        await over.wait()

    return StreamingResponse(pieces(), media_type="text/csv", headers=ATTACHED | headers)


def then(*answers: Callable[[], Response]) -> Callable[[], Response]:
    """Answers in turn, the last again and again."""
    left = list(answers)
    return lambda: (left.pop(0) if len(left) > 1 else left[0])()


async def test_a_large_file_is_told_by_its_name_and_size_and_not_waited_for(
    desk: Desk, over: asyncio.Event
) -> None:
    desk.site.answers["report"] = lambda: endless(over, **{"content-length": str(LARGE)})
    await desk.run(click("Report"))
    over.set()
    [one] = told(desk)
    assert (one["name"], one["size"]) == ("report.csv", LARGE)
    assert "data" not in one
    assert "too large" in one["unread"]
    assert desk.last["clientObservations"]["settle"]["timedOut"] is False
    assert desk.site.count("GET /report") == 1


@pytest.mark.parametrize("kind", ["slow", "login"])
async def test_a_file_that_does_not_come_again_is_told_without_its_content(
    desk: Desk, over: asyncio.Event, kind: str
) -> None:
    again = {"slow": lambda: endless(over), "login": lambda: HTMLResponse("<h1>Sign in</h1>")}
    desk.site.answers["report"] = then(csv, again[kind])
    await desk.run(click("Report"))
    over.set()
    [one] = told(desk)
    assert "data" not in one
    assert {"slow": "in time", "login": "otherwise"}[kind] in one["unread"]


async def test_a_form_is_not_sent_again_to_read_what_it_gave(desk: Desk) -> None:
    await desk.run(click("Send for it"))
    [one] = told(desk)
    assert (one["name"], one["size"]) == ("report.csv", len(CSV))
    assert "form" in one["unread"]
    assert [line.split()[0] for line in desk.site.heard if "/report" in line] == ["POST"]


async def test_what_the_browser_saves_since_it_cannot_show_it_is_a_download(desk: Desk) -> None:
    zipped = b"PK\x05\x06" + bytes(18)
    desk.site.answers["archive"] = lambda: Response(zipped, media_type="application/zip")
    await desk.run(click("Archive"))
    assert [(one["name"], one["data"]) for one in told(desk)] == [("archive", zipped)]


@pytest.mark.parametrize("name", ["navigate", "openTab"])
async def test_an_address_may_lead_to_a_file(desk: Desk, name: str) -> None:
    await desk.run(lambda body: act((name, {"url": f"{desk.site.url}/report"})))
    assert [one["data"] for one in told(desk)] == [CSV]
    assert desk.last["lastActionStatus"] == "success"
    assert desk.last["url"] == f"{desk.site.url}/page"
    assert desk.tabs() == ["/page"]


async def test_ten_at_once_are_all_told(desk: Desk) -> None:
    await desk.run(click("Make ten"))
    assert [(one["name"], one["data"]) for one in told(desk)] == [
        (f"made-{n}.csv", CSV) for n in range(10)
    ]


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ('attachment; filename="../../etc/a b.csv"', "a b.csv"),
        ("attachment; filename*=UTF-8''%C3%9Cnits.csv; filename=\"units.csv\"", "Ünits.csv"),
        ("ATTACHMENT; filename=plain.csv", "plain.csv"),
        ("attachment", "report"),
        ('attachment; filename="' + "x" * 5_000 + '.csv"', "x" * 196 + ".csv"),
        ("attachment; filename*=UTF-8''%E0%A4%A; filename=\"\"", "%E0%A4%A"),
    ],
)
async def test_a_name_is_a_name_alone(desk: Desk, disposition: str, name: str) -> None:
    desk.site.answers["report"] = lambda: csv(**{"content-disposition": disposition})
    await desk.run(click("Report"))
    assert [one["name"] for one in told(desk)] == [name]


async def test_a_name_that_a_page_gives_is_bounded(desk: Desk) -> None:
    await desk.run(click("Long"))
    assert [len(one["name"]) for one in told(desk)] == [500]


async def test_a_page_may_use_its_own_ways_again_afterwards(desk: Desk) -> None:
    keep = "void (URL.createObjectURL = ((make) => (blob) => (window.last = make.call(URL, blob)))(URL.createObjectURL))"
    await desk.tab.evaluate(keep)
    await desk.run(click("Make"))
    own = "[URL.revokeObjectURL, HTMLElement.prototype.click, EventTarget.prototype.dispatchEvent].map(String)"
    assert all("[native code]" in text for text in await desk.tab.evaluate(own))
    assert await desk.tab.evaluate("fetch(last).then(() => 'there', () => 'gone')") == "gone"


async def test_one_that_comes_late_is_told_with_the_next_action(desk: Desk) -> None:
    leaving: list[asyncio.Task[Any]] = []

    def leave(body: dict[str, Any]) -> dict[str, Any]:
        go = desk.tab.evaluate("void (location.href = '/report')")
        leaving.append(asyncio.create_task(go))
        return act(("wait", {"ms": 100}))

    def again(body: dict[str, Any]) -> dict[str, Any]:
        return done() if "downloads" in body else act(("wait", {"ms": 300}))

    await desk.run(click("Plain"), leave, *[again] * 20)
    assert [one["name"] for one in told(desk)] == ["report.csv"]
