"""Execute the right action on each widget through the real extension and server, and check it in the page.

    make bench/gallery/node_modules/.installed
    python -m bench.gallery [PAGE | PAGE/WIDGET ...] [--playwright] [--shown]

The pages are in `bench/gallery/pages`. `--playwright` also runs each with trusted input.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
from playwright.async_api import Error, Page

from app.cli.browser import EXTENSION_DIR, Browser, open_browser
from app.cli.chromium import find_chromium
from app.cli.run.children import backend
from app.cli.run.follower import Follower
from app.errors import InvalidAction
from bench.consent import let_act_unasked
from bench.gallery import hands
from bench.gallery.model import Expert
from bench.gallery.widgets import PACKAGES, PAGES, Widget, all_widgets
from bench.observation.site import serve_site
from tests.fakes.gemini import FakeGemini

LIMIT_S = 30.0  # time limit of a widget
SETTLED_MS = 1_500  # a page may need a moment before its check succeeds
HAND_MS = 5_000  # Playwright's timeout for an action
_LIMITS = {"TABWRIGHT_RATE_LIMIT": "100000/minute"}
# Some start rendering half a second after loading.
_DRAWN = "new Promise((go) => requestAnimationFrame(() => setTimeout(go, 700)))"
_CHECK = """async ([name, ms]) => {
  for (const end = performance.now() + ms; performance.now() < end; ) {
    if (await window.checks[name]()) return true;
    await new Promise((go) => setTimeout(go, 50));
  }
  return false;
}"""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one widget. `hands` is None if Playwright did not try."""

    widget: Widget
    reached: bool
    hands: bool | None
    seconds: float
    trouble: str


async def _ready(page: Page, url: str, widget: Widget) -> None:
    await page.goto(f"{url}/{widget.page}")
    await page.wait_for_function("name => window.checks && name in window.checks", arg=widget.name)
    await page.evaluate(_DRAWN)  # a background page, as beside a panel in a tab, renders nothing


async def _is_reached(page: Page, widget: Widget) -> bool:
    return bool(await page.evaluate(_CHECK, [widget.name, SETTLED_MS]))


async def _by_hand(page: Page, url: str, widget: Widget) -> bool:
    await _ready(page, url, widget)
    with suppress(Error, InvalidAction):
        await hands.act(page, widget)
    return await _is_reached(page, widget)


async def measure(widgets: Sequence[Widget], *, by_hand: bool, shown: bool) -> list[Result]:
    """Run all widgets in turn in one tab."""
    results = []
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch,
        serve_site(PAGES, PACKAGES) as site,
        FakeGemini().served() as gemini,
        backend(Path(scratch), environment=gemini.environment | _LIMITS) as server,
    ):
        async with (
            open_browser(
                chromium=find_chromium(None).path, extension=EXTENSION_DIR, headless=True
            ) as browser,
            httpx.AsyncClient(
                base_url=server.url, headers={"Authorization": f"Bearer {server.api_key}"}
            ) as api,
        ):
            await browser.configure(server.url, server.api_key)
            await let_act_unasked(api)
            aside = await browser.context.new_page()
            aside.set_default_timeout(HAND_MS)
            for widget in widgets:
                hand = await _by_hand(aside, site.url, widget) if by_hand else None
                page = await browser.context.new_page()
                try:
                    one = await _play(
                        browser, page, api, gemini, site.url, widget, hand, Path(scratch)
                    )
                except Error as error:
                    one = Result(widget, False, hand, 0.0, error.message.splitlines()[0])
                finally:
                    await page.close()
                results.append(one)
                print(_row(one), flush=True)
                if shown and not one.reached:
                    print(gemini.calls[-1].prompt if gemini.calls else "no call", flush=True)
    return results


async def _play(
    browser: Browser,
    page: Page,
    api: httpx.AsyncClient,
    gemini: FakeGemini,
    url: str,
    widget: Widget,
    hand: bool | None,
    out: Path,
) -> Result:
    await _ready(page, url, widget)
    panel = await browser.open_panel(page)
    follower = Follower(panel=panel, page=page, api=api, out=out, on_step=lambda _, __: None)
    expert, began = Expert(widget), time.monotonic()
    gemini.clear()
    gemini.always(expert)
    before = await follower.snapshot()
    await page.bring_to_front()  # a screenshot shows the page in front
    await follower.start(widget.goal)
    ended = "timeout"
    with suppress(TimeoutError):
        async with asyncio.timeout(LIMIT_S):
            await follower.until_started(before)
            ended = await follower.until_ended(limit_s=LIMIT_S, stop_at_question=True)
    reached = await _is_reached(page, widget)
    said = expert.trouble[-1:] or [await follower.text("result") or await follower.text("assist")]
    trouble = "" if reached else f"{ended}: {said[0]}"
    seconds = time.monotonic() - began
    await follower.stop()
    await panel.close()
    return Result(widget, reached, hand, seconds, trouble)


def _row(one: Result) -> str:
    mark, hand = ("ok  " if one.reached else "FAIL"), {None: "", True: "ok  ", False: "FAIL"}
    name = f"{one.widget.page.removesuffix('.html')}/{one.widget.name}"
    return f"{mark} {hand[one.hands]} {name:44} {one.seconds:5.1f} s  {one.trouble}".rstrip()


def table(results: Sequence[Result]) -> str:
    """Widgets reached by library, by the extension and by Playwright."""
    lines = [f"{'library':24} {'reached':>9} {'by hand':>9}"]
    libraries = list(dict.fromkeys(one.widget.library for one in results))
    for library in (*libraries, "all"):
        rows = [one for one in results if library in (one.widget.library, "all")]
        tried = [one for one in rows if one.hands is not None]
        by_hand = f"{sum(bool(one.hands) for one in tried)}/{len(tried)}" if tried else ""
        lines.append(
            f"{library:24} {f'{sum(r.reached for r in rows)}/{len(rows)}':>9} {by_hand:>9}"
        )
    share = 100 * sum(one.reached for one in results) / max(1, len(results))
    return "\n".join(
        (*lines, f"{share:.1f} % of {len(results)} widgets, {len(libraries)} libraries")
    )


def main() -> None:
    """Parse the arguments, run, print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.gallery", description=__doc__)
    parser.add_argument("widgets", nargs="*", help="page/name, or a page")
    parser.add_argument("--playwright", action="store_true", help="also act with trusted input")
    parser.add_argument("--shown", action="store_true", help="print the last prompt of a failure")
    args = parser.parse_args()
    chosen = [one for one in all_widgets() if _is_chosen(one, args.widgets)]
    results = asyncio.run(measure(chosen, by_hand=args.playwright, shown=args.shown))
    print(table(results))


def _is_chosen(widget: Widget, names: Sequence[str]) -> bool:
    page = widget.page.removesuffix(".html")
    return not names or page in names or f"{page}/{widget.name}" in names


if __name__ == "__main__":
    main()
