"""Runs a goal on this machine: starts backend, page and browser, follows the task, checks the
result.
"""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from playwright.async_api import Error as BrowserError
from playwright.async_api import Page
from pydantic.alias_generators import to_camel
from rich.console import Console
from rich.markup import escape

from app.cli.browser import EXTENSION_DIR, LOOPBACK, Browser, open_browser
from app.cli.chromium import find_chromium
from app.cli.run import children
from app.cli.run import timeline as lines
from app.cli.run.children import Backend, NotStarted, Serving, backend, clinic
from app.cli.run.follower import Follower
from app.cli.run.timeline import Step, Timeline
from app.llm.providers.choice import choose_provider
from app.settings import Settings

PATIENT = "Jas"
GOAL = f"Add a new patient with name '{PATIENT}'"
LIMIT_S = 300.0  # without a display nobody can stop a run that hangs


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What to run. `url` None is the bundled demo page; `once` ends after the first goal; `replays`
    means a recipe's run, which need not be saved as another one. `agrees` approves whatever needs
    approval.
    """

    goal: str = GOAL
    url: str | None = None
    headless: bool = True
    once: bool = True
    as_json: bool = False
    replays: bool = False
    agrees: bool = False
    out: Path = Path("out")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result; `reason` says why it is not `ok`."""

    ok: bool
    reason: str = ""
    status: str = ""
    result: str = ""
    seconds: float = 0.0
    timeline: Timeline | None = None

    def as_json(self) -> str:
        """One line of JSON with camelCase keys, as on the wire."""
        return json.dumps(_camel(asdict(self)), ensure_ascii=False)


def _camel(value: object) -> object:
    if isinstance(value, dict):
        return {to_camel(key): _camel(item) for key, item in value.items()}
    return [_camel(item) for item in value] if isinstance(value, list | tuple) else value


def has_display() -> bool:
    """Whether a window can be shown, and ONCE does not forbid it."""
    environment = os.environ  # noqa: TID251 - the display is the session's, not a setting
    once = environment.get("ONCE", "") not in ("", "0")
    shown = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY") or os.name == "nt"
    return bool(shown) and not once


async def run(settings: Settings, wish: RunRequest, console: Console) -> Outcome:
    """Start everything, run the goal, report each step, check the result, and stop everything.

    Raises `NoChromium`, `NotStarted`, `ModelMisconfigured`, Playwright's `Error`, and `ValueError` for
    an invalid URL.
    """
    cancel_on_sigterm()
    choose_provider(settings)  # reports a misconfigured model before anything is started
    hosts = hosts_of(wish.url) if wish.url else LOOPBACK
    chromium = await asyncio.to_thread(find_chromium, settings.chromium, install=True)
    if chromium.warning:
        console.print(f"[yellow]{chromium.warning}[/]")
    clear(wish.out)
    async with AsyncExitStack() as stack:
        server, demo = await _servers(stack, settings, wish)
        url = wish.url or (demo.url if demo else "")
        console.print(
            f"backend {server.url}\npage    {url}\ngoal    {wish.goal}\n", highlight=False
        )
        browser = await stack.enter_async_context(
            open_browser(
                chromium=chromium.path,
                extension=EXTENSION_DIR,
                headless=wish.headless,
                hosts=hosts,
            )
        )
        follower = await stack.enter_async_context(following(browser, server, url, wish, console))
        outcome = await carry_out(follower, wish, console)
        if outcome.ok and demo and wish.goal == GOAL:
            outcome = await check_patient(outcome, demo.url)
        report(outcome, wish, console)
        if not wish.once:
            await _further_goals(follower, wish, console)
    return outcome


async def carry_out(follower: Follower, wish: RunRequest, console: Console) -> Outcome:
    """Run one goal from typing it to its end."""
    return await follow_run(follower, lambda: follower.start(wish.goal), wish, console)


async def follow_run(
    follower: Follower, start: Callable[[], Awaitable[None]], wish: RunRequest, console: Console
) -> Outcome:
    """Follow a started run to its end, line by line."""
    console.print(lines.head(), style="dim", highlight=False, soft_wrap=True)
    started = time.monotonic()
    before = await follower.standing()
    await start()
    await follower.until_started(before)
    return await ending(follower, wish, started, console)


async def check_patient(outcome: Outcome, clinic_url: str) -> Outcome:
    """Ask the page's server whether the patient is stored exactly once."""
    async with httpx.AsyncClient(trust_env=False) as client:
        stored = (await client.get(f"{clinic_url}/api/patients")).raise_for_status().json()
    count = sum(patient["name"] == PATIENT for patient in stored["patients"])
    if count == 1:
        return outcome
    wrong = f"the clinic's server holds {count} patients named {PATIENT}, not 1"
    return replace(outcome, ok=False, reason=wrong)


def report(outcome: Outcome, wish: RunRequest, console: Console) -> None:
    """Print the result; text from the page or the agent is never parsed as markup."""
    spent = f"{outcome.seconds:.1f} s"
    if outcome.timeline:
        spent = lines.summary(outcome.timeline, outcome.seconds)
    word, colour = ("done", "green") if outcome.ok else ("not done", "red")
    said = escape(outcome.result if outcome.ok else outcome.reason)
    console.print(f"\n{spent}\n[{colour}]{word}[/] {said}", highlight=False, soft_wrap=True)
    if any(wish.out.glob("step-*.png")):
        console.print(f"screenshots in {wish.out}/", style="dim", highlight=False)
    if outcome.ok and outcome.timeline and not wish.replays:
        keep = f"to save it as a recipe: tabwright recipe save {outcome.timeline.task_id}"
        console.print(keep, style="dim", highlight=False, soft_wrap=True)


def clear(out: Path) -> None:
    """Delete the last run's screenshots."""
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("step-*.png"):
        old.unlink()


async def ending(follower: Follower, wish: RunRequest, started: float, console: Console) -> Outcome:
    """Follow the run to its end. Without a window, questions are asked in the terminal, if there is
    one.
    """
    limit = LIMIT_S if wish.headless else None
    stops = wish.headless or wish.agrees
    ask = input if wish.headless and not wish.as_json and sys.stdin.isatty() else None
    state = await follower.until_ended(limit_s=limit, stop_at_question=stops)
    while state == "waiting":
        if not await follower.answered(console, agrees=wish.agrees, ask=ask):
            break
        state = await follower.until_ended(limit_s=limit, stop_at_question=stops)
    seconds = time.monotonic() - started
    timeline = await follower.final() if state != "waiting" else await follower.timeline()
    result = (timeline.result if timeline else "") or await follower.text("result")
    if state == "waiting":
        reason = f"it asks a question that nobody can answer here: {await follower.question()}"
    elif state == "timeout":
        reason = f"not completed after {LIMIT_S:.0f} s"
    else:
        reason = f"{state}: {result}"
    return Outcome(
        ok=state == "completed",
        reason="" if state == "completed" else " ".join(reason.split()),
        status=state,
        result=result,
        seconds=seconds,
        timeline=timeline,
    )


async def _further_goals(follower: Follower, wish: RunRequest, console: Console) -> None:
    """Report further goals entered in the window, until it is closed."""
    console.print("\nEnter more goals in the window, or close it to exit.", highlight=False)
    with suppress(BrowserError):
        while True:
            await follower.until_started(await follower.standing())
            outcome = await ending(follower, wish, time.monotonic(), console)
            report(outcome, wish, console)


async def _servers(
    stack: AsyncExitStack, settings: Settings, wish: RunRequest
) -> tuple[Backend, Serving | None]:
    """Start both children concurrently; the stack stops those that started."""
    key = settings.api_key.get_secret_value() if settings.api_key else None
    starting_backend = asyncio.to_thread(
        stack.enter_context, backend(settings.data_dir, api_key=key or None)
    )
    if wish.url:
        return await starting_backend, None
    starting_clinic = asyncio.to_thread(_bundled, stack, settings.data_dir, wish.out)
    # Wait for both even if one fails, or the other might start later and be left behind.
    started = await asyncio.gather(starting_backend, starting_clinic, return_exceptions=True)
    server, demo = started
    for one in started:
        if isinstance(one, BaseException):
            raise one
    assert isinstance(server, Backend)
    assert isinstance(demo, Serving)
    return server, demo


def _bundled(stack: AsyncExitStack, data_dir: Path, out: Path) -> Serving:
    """The bundled page, on its usual port if that is free, so that skills learned there still apply."""
    try:
        served = stack.enter_context(clinic(out / "clinic.log", children.PORT))
    except NotStarted:
        served = stack.enter_context(clinic(out / "clinic.log"))
    children.remember(data_dir, served.url)
    return served


@asynccontextmanager
async def following(
    browser: Browser, server: Backend, url: str, wish: RunRequest, console: Console
) -> AsyncIterator[Follower]:
    """Open the page, configure the extension, and open its panel beside the page."""
    await browser.configure(server.url, server.api_key)
    page = await _first_page(browser)
    await page.goto(url)
    panel = await browser.open_panel(page, window=True)

    def tell(step: Step, tokens: int) -> None:
        console.print(lines.line(step, tokens), highlight=False, markup=False, soft_wrap=True)

    headers = {"Authorization": f"Bearer {server.api_key}"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers, trust_env=False) as api:
        yield Follower(panel=panel, page=page, api=api, out=wish.out, on_step=tell)


async def _first_page(browser: Browser) -> Page:
    pages = browser.context.pages
    return pages[0] if pages else await browser.context.new_page()


def hosts_of(url: str) -> tuple[str, ...]:
    """The loopback host and the site of `url`, as match patterns (which have no port)."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{url} is not a web address")
    return (*LOOPBACK, f"{parts.scheme}://{parts.hostname}/*")


def cancel_on_sigterm() -> None:
    """Cancel on SIGTERM, so that children and browser are cleaned up."""
    task = asyncio.current_task()
    with suppress(NotImplementedError):  # not on Windows
        asyncio.get_running_loop().add_signal_handler(
            signal.SIGTERM, lambda: task and task.cancel()
        )
