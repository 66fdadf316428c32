"""Pages that are slow, or never quiet, each in one way, and the server behind them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, StreamingResponse

from tests.fakes.serving import serve_in_loop

SAVE = """<!doctype html><title>Save</title><button id=b onclick="
this.textContent = 'Saving'; fetch('/slow', {method: 'POST'}).then(() => {
document.body.insertAdjacentHTML('beforeend', '<button>Saved entry</button>')})">Save</button>"""

STILL = "<!doctype html><title>Still</title><h1>Still</h1><button>Nothing</button>"

POLLS = """<!doctype html><title>Polls</title><button>Nothing</button><script>
const poll = () => fetch('/hang?' + Math.random()).then(poll, () => setTimeout(poll, 1000));
poll(); new EventSource('/stream'); setInterval(() => fetch('/beat?' + Date.now()), 300);
</script>"""

FRESH_STREAM = """<!doctype html><title>Stream</title>
<button onclick="new EventSource('/stream'); fetch('/stream2')">Listen</button>"""

LATE = """<!doctype html><title>Late</title>
<button onclick="setTimeout(() => location = '/slow-page', 200)">Go</button>"""

LANDED = "<!doctype html><title>Landed</title><h1>Landed</h1><button>Landed here</button>"

MENU = """<!doctype html><title>Menu</title><button aria-haspopup=menu aria-expanded=false onclick="
setTimeout(() => this.insertAdjacentHTML('afterend', '<div role=menu><button role=menuitem>' +
'Entry</button></div>'), 700)">More</button>"""

TICKER = """<!doctype html><title>Ticker</title><button onclick="
setTimeout(() => this.insertAdjacentHTML('afterend', '<button>Late one</button>'), 400)">More</button>
<p id=clock>0</p><div id=bar style="height: 9px">.</div><script>let n = 0; setInterval(() => {
clock.innerHTML = '<b>' + n++ + '</b>'; bar.style.width = n % 90 + 'px' }, 30)</script>"""

# All of it is drawn anew all the time, and its new elements are changed once they are there.
DRAWN = """<!doctype html><title>Drawn</title><div id=held><button onclick="
setTimeout(() => held.insertAdjacentHTML('beforeend', '<button>Late one</button>'), 400)
">More</button></div><main><p>0</p></main><script>
setInterval(() => {{ const old = document.querySelector('main'), main = old.cloneNode(true);
old.replaceWith(main); main.firstChild.title = Date.now(); }}, {ms})</script>"""

PAGES = {
    "save": SAVE,
    "still": STILL,
    "polls": POLLS,
    "stream-page": FRESH_STREAM,
    "late": LATE,
    "menu": MENU,
    "ticker": TICKER,
    "drawn-100": DRAWN.format(ms=100),
    "drawn-250": DRAWN.format(ms=250),
}


@dataclass
class Slow:
    """The server: `release` lets go of what hangs."""

    url: str = ""
    release: asyncio.Event = field(default_factory=asyncio.Event)
    slow_s: float = 1.0


def build(slow: Slow) -> FastAPI:
    """The pages, and what they ask for."""
    app = FastAPI()

    async def events() -> AsyncIterator[str]:
        yield ": hello\n\n"
        await slow.release.wait()

    @app.get("/stream")
    @app.get("/stream2")
    async def stream() -> StreamingResponse:
        return StreamingResponse(events(), media_type="text/event-stream")

    @app.get("/hang")
    async def hang() -> dict[str, str]:
        await slow.release.wait()
        return {}

    @app.get("/beat")
    async def beat() -> dict[str, str]:
        return {}

    @app.post("/slow")
    async def save() -> dict[str, str]:
        await asyncio.sleep(slow.slow_s)
        return {}

    @app.get("/slow-page")
    async def slow_page() -> HTMLResponse:
        await asyncio.sleep(slow.slow_s)
        return HTMLResponse(LANDED)

    @app.get("/{name}")
    async def page(name: str) -> HTMLResponse:
        return HTMLResponse(PAGES.get(name, ""), 200 if name in PAGES else 404)

    return app


@contextlib.asynccontextmanager
async def slow_server() -> AsyncIterator[Slow]:
    """The server, on a port of its own."""
    slow = Slow()
    async with serve_in_loop(build(slow), timeout_graceful_shutdown=1) as slow.url:
        try:
            yield slow
        finally:
            slow.release.set()
