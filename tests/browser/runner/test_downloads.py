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


def told(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The downloads of a request, with what they hold."""
    found = [dict(one) for one in body["downloads"]]
    for one in found:
        if "data" in one:
            one["data"] = base64.b64decode(one["data"])
    return found


async def test_an_attachment_is_told_with_what_is_in_it(desk: Desk) -> None:
    url = f"{desk.site.url}/report"
    zipped = b"PK\x05\x06" + bytes(18)
    desk.site.answers["archive"] = lambda: Response(zipped, media_type="application/zip")
    *outcomes, archive = await desk.outcomes(
        click("Report"),
        click("In a tab"),
        click("Inside"),
        lambda body: act(("navigate", {"url": url})),
        lambda body: act(("openTab", {"url": url})),
        click("Archive"),  # saved since the browser cannot show it
    )
    for number, outcome in enumerate(outcomes):
        [one] = told(outcome.body)
        assert (one["name"], one["url"], one["size"], one["data"]) == (
            "report.csv", url, len(CSV), CSV,
        ), number  # fmt: skip
        assert outcome.body["lastActionStatus"] == "success", number
        assert outcome.body["url"] == f"{desk.site.url}/page", number
        assert "tabs" not in outcome.body, number
    assert [(one["name"], one["data"]) for one in told(archive.body)] == [("archive", zipped)]
    assert desk.tabs() == ["/page"]


SAVED = [
    ("Put", "put.csv", CSV),
    ("Odd", "ab/c.csv", CSV),
    ("Dispatch", "sent.txt", b"a"),
    ("Own", "own.csv", b"a,b"),
    ("Plain", "plain", b"plain"),
    ("Make", "made.csv", CSV),
]


async def test_what_a_page_saves_is_told_with_what_is_in_it(desk: Desk) -> None:
    keep = "void (URL.createObjectURL = ((make) => (blob) => (window.last = make.call(URL, blob)))(URL.createObjectURL))"
    await desk.tab.evaluate(keep)
    *outcomes, ten, long = await desk.outcomes(
        *(click(name) for name, _, _ in SAVED), click("Make ten"), click("Long")
    )
    for (_, file, data), outcome in zip(SAVED, outcomes, strict=True):
        assert [(one["name"], one["size"], one["data"]) for one in told(outcome.body)] == [
            (file, len(data), data)
        ]
    assert [(one["name"], one["data"]) for one in told(ten.body)] == [
        (f"made-{n}.csv", CSV) for n in range(10)
    ]
    assert [len(one["name"]) for one in told(long.body)] == [500], "a page's name is bounded"

    own = "[URL.revokeObjectURL, HTMLElement.prototype.click, EventTarget.prototype.dispatchEvent].map(String)"
    assert all("[native code]" in text for text in await desk.tab.evaluate(own))
    assert await desk.tab.evaluate("fetch(last).then(() => 'there', () => 'gone')") == "gone"


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


async def test_what_cannot_be_read_again_is_told_without_its_content(
    desk: Desk, over: asyncio.Event
) -> None:
    """A large file, one that comes too slowly, one behind a log-in, and the answer to a form."""

    def report(*answers: Callable[[], Response]) -> Any:
        def step(body: dict[str, Any]) -> dict[str, Any]:
            desk.site.answers["report"] = then(*answers)
            return click("Report")(body)

        return step

    def form(body: dict[str, Any]) -> dict[str, Any]:
        desk.site.answers["report"] = csv
        return click("Send for it")(body)

    large, slow, login, sent = await desk.outcomes(
        report(lambda: endless(over, **{"content-length": str(LARGE)})),
        report(csv, lambda: endless(over)),
        report(csv, lambda: HTMLResponse("<h1>Sign in</h1>")),
        form,
    )
    over.set()
    sizes = (LARGE, len(CSV), len(CSV), len(CSV))
    reasons = ("too large", "in time", "otherwise", "form")
    for outcome, size, reason in zip((large, slow, login, sent), sizes, reasons, strict=True):
        [one] = told(outcome.body)
        assert (one["name"], one["size"]) == ("report.csv", size), reason
        assert "data" not in one, reason
        assert reason in one["unread"]
    assert large.body["clientObservations"]["settle"]["timedOut"] is False
    assert large.heard == ["GET /report"], "a large file is not asked for again"
    assert [line.split()[0] for line in sent.heard] == ["POST"], "a form is not sent again"


async def test_one_that_comes_late_is_told_with_the_next_action(desk: Desk) -> None:
    leaving: list[asyncio.Task[Any]] = []

    def leave(body: dict[str, Any]) -> dict[str, Any]:
        go = desk.tab.evaluate("void (location.href = '/report')")
        leaving.append(asyncio.create_task(go))
        return act(("wait", {"ms": 100}))

    def again(body: dict[str, Any]) -> dict[str, Any]:
        return done() if "downloads" in body else act(("wait", {"ms": 300}))

    await desk.run(click("Plain"), leave, *[again] * 20)
    assert [one["name"] for one in told(desk.last)] == ["report.csv"]
