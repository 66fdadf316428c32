"""The pages of the installed `miniwob` package, and how an episode is started, read and scored."""

import functools
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from playwright.async_api import Page

EPISODE_MS = 600_000  # latency is not measured

_START = """([seed, limit]) => {
  Math.seedrandom(seed);
  core.EPISODE_MAX_TIME = limit;
  core.startEpisodeReal();
}"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Suppress the access log: the table is the output."""


def pages() -> Path:
    """The folder of the package's pages, located by distribution, since a module of ours has the same
    name.
    """
    return Path(str(distribution("miniwob").locate_file("miniwob/html")))


@contextmanager
def served_tasks() -> Iterator[str]:
    """Serve the pages on a free loopback port; yields the base URL."""
    handler = functools.partial(_Quiet, directory=str(pages()))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def all_tasks() -> list[str]:
    """Every task that has a page."""
    return sorted(path.stem for path in (pages() / "miniwob").glob("*.html"))


async def start_episode(page: Page, url: str, seed: int) -> None:
    """Load the task and start it."""
    await page.goto(url)
    await page.evaluate(_START, [str(seed), EPISODE_MS])


async def goal_of(page: Page) -> str:
    """The goal in words, from the page itself."""
    said: Any = await page.evaluate("core.getUtterance()")
    if isinstance(said, str) and said.startswith("{"):
        said = json.loads(said)
    return str(said["utterance"] if isinstance(said, dict) else said)


async def outcome_of(page: Page) -> tuple[float, str]:
    """The raw reward and its reason."""
    reward, reason = await page.evaluate("[WOB_RAW_REWARD_GLOBAL, String(WOB_REWARD_REASON)]")
    return float(reward), reason
