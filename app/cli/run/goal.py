"""Runs a goal on this machine: starts backend, page and browser, follows the task, checks the
result.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import httpx
import typer
from playwright.async_api import Error as BrowserError
from pydantic.alias_generators import to_camel
from rich.console import Console
from rich.markup import escape

from app.cli.browser import EXTENSION_DIR, LOOPBACK, Browser, open_browser
from app.cli.chromium import find_chromium
from app.cli.run import children, timeline
from app.cli.run.children import Backend, NotStarted, Serving, backend, clinic
from app.cli.run.follower import Follower
from app.cli.run.timeline import Step, Timeline
from app.cli.terminal import Approve, Json, print_text, run_async, say
from app.llm.providers.choice import choose_provider
from app.settings import Settings

PATIENT = "Jas"
GOAL = f"Add a new patient with name '{PATIENT}'"
LIMIT_S = 300.0  # without a display nobody can stop a run that hangs


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What to run. `url` None is the bundled demo page; `clinic_port` is where that page must be served
    for a recipe that begins on it. `once` ends after the first goal. With `approves`, whatever needs
    approval is approved.
    """

    goal: str = GOAL
    url: str | None = None
    clinic_port: int | None = None
    recipe: Mapping[str, Any] | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    headless: bool = True
    once: bool = True
    as_json: bool = False
    approves: bool = False
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
        return json.dumps(_camel_case(asdict(self)), ensure_ascii=False)


def _camel_case(value: object) -> object:
    if isinstance(value, dict):
        return {to_camel(key): _camel_case(item) for key, item in value.items()}
    return [_camel_case(item) for item in value] if isinstance(value, list | tuple) else value


@run_async
async def run_command(
    goal: Annotated[str, typer.Argument(help="The goal, in plain words.")] = GOAL,
    url: Annotated[
        str | None, typer.Option(help="The page to start on; default: the bundled demo clinic.")
    ] = None,
    approves: Approve = False,
    as_json: Json = False,
) -> None:
    """Run a goal in a separate Chromium and show each step.

    With a display the window stays open for more goals; without one, or with ONCE=1, it runs once.
    Exits with 0 only if the goal was reached (for the default goal: the patient is stored).
    """
    headless = not has_display()
    request = RunRequest(
        goal=goal,
        url=url,
        headless=headless,
        once=headless or as_json,
        as_json=as_json,
        approves=approves,
    )
    outcome = await run_goal(Settings(), request, say if as_json else Console())
    if as_json:
        typer.echo(outcome.as_json())
    raise typer.Exit(0 if outcome.ok else 1)


def has_display() -> bool:
    """Whether there is a display, and ONCE is not set."""
    environment = os.environ  # noqa: TID251 - the display is the session's, not a setting
    once = environment.get("ONCE", "") not in ("", "0")
    display = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY") or os.name == "nt"
    return bool(display) and not once


async def run_goal(settings: Settings, request: RunRequest, console: Console) -> Outcome:
    """Start everything, run the goal, report each step, check the result, and stop everything.

    Raises `NoChromium`, `NotStarted`, `ModelMisconfigured`, Playwright's `Error`, and `ValueError` for
    an invalid URL.
    """
    if request.recipe is None:
        choose_provider(settings)  # reports a misconfigured model before anything is started
    hosts = _host_patterns(request.url) if request.url else LOOPBACK
    chromium = await asyncio.to_thread(find_chromium, settings.chromium, install=True)
    if chromium.warning:
        console.print(f"[yellow]{chromium.warning}[/]")
    _delete_screenshots(request.out)
    async with AsyncExitStack() as stack:
        server, demo = await _start_servers(stack, settings, request)
        url = request.url or (demo.url if demo else "")
        task = f"recipe  {request.recipe['title']}" if request.recipe else f"goal    {request.goal}"
        print_text(f"backend {server.url}\npage    {url}\n{task}\n", console)
        browser = await stack.enter_async_context(
            open_browser(
                chromium=chromium.path,
                extension=EXTENSION_DIR,
                headless=request.headless,
                hosts=hosts,
            )
        )
        follower = await stack.enter_async_context(
            _open_follower(browser, server, url, request, console)
        )
        outcome = await _start_and_follow(follower, request, console)
        if outcome.ok and demo and request.url is None and request.goal == GOAL:
            outcome = await check_patient(outcome, demo.url)
        _report(outcome, request, console)
        if not request.once:
            await _follow_further_goals(follower, request, console)
    return outcome


async def _start_and_follow(follower: Follower, request: RunRequest, console: Console) -> Outcome:
    console.print(timeline.format_header(), style="dim", highlight=False, soft_wrap=True)
    started = time.monotonic()
    snapshot = await follower.snapshot()
    if request.recipe:
        await follower.replay(request.recipe["title"], request.recipe["id"], request.values)
    else:
        await follower.start(request.goal)
    await follower.until_started(snapshot)
    return await _follow(follower, request, started, console)


async def check_patient(outcome: Outcome, clinic_url: str) -> Outcome:
    """Ask the page's server whether the patient is stored exactly once."""
    async with httpx.AsyncClient(trust_env=False) as client:
        stored = (await client.get(f"{clinic_url}/api/patients")).raise_for_status().json()
    count = sum(patient["name"] == PATIENT for patient in stored["patients"])
    if count == 1:
        return outcome
    reason = f"The clinic has {count} patients named {PATIENT} instead of 1."
    return replace(outcome, ok=False, reason=reason)


def _report(outcome: Outcome, request: RunRequest, console: Console) -> None:
    """Print the result; text from the page or the agent is never parsed as markup."""
    summary = f"{outcome.seconds:.1f} s"
    if outcome.timeline:
        summary = timeline.format_summary(outcome.timeline, outcome.seconds)
    word, colour = ("done", "green") if outcome.ok else ("not done", "red")
    text = escape(outcome.result if outcome.ok else outcome.reason)
    console.print(f"\n{summary}\n[{colour}]{word}[/] {text}", highlight=False, soft_wrap=True)
    if any(request.out.glob("step-*.png")):
        console.print(f"screenshots in {request.out}/", style="dim", highlight=False)
    if outcome.ok and outcome.timeline and not request.recipe:
        hint = f"to save it as a recipe: tabwright recipe save {outcome.timeline.task_id}"
        console.print(hint, style="dim", highlight=False, soft_wrap=True)


def _delete_screenshots(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("step-*.png"):
        old.unlink()


async def _follow(
    follower: Follower, request: RunRequest, started: float, console: Console
) -> Outcome:
    """Follow the run to its end. Without a window, questions are asked in the terminal, if there is
    one.
    """
    limit = LIMIT_S if request.headless else None
    stops = request.headless or request.approves
    ask = input if request.headless and not request.as_json and sys.stdin.isatty() else None
    state = await follower.until_ended(limit_s=limit, stop_at_question=stops)
    while state == "waiting":
        if not await follower.answer_question(console, approves=request.approves, ask=ask):
            break
        state = await follower.until_ended(limit_s=limit, stop_at_question=stops)
    seconds = time.monotonic() - started
    last = await follower.final() if state != "waiting" else await follower.timeline()
    result = (last.result if last else "") or await follower.text("result")
    if state == "waiting":
        reason = f"The task is waiting for an answer: {await follower.question()}"
    elif state == "timeout":
        reason = f"The task did not end within {LIMIT_S:.0f} s."
    else:
        reason = f"{state}: {result}"
    return Outcome(
        ok=state == "completed",
        reason="" if state == "completed" else " ".join(reason.split()),
        status=state,
        result=result,
        seconds=seconds,
        timeline=last,
    )


async def _follow_further_goals(follower: Follower, request: RunRequest, console: Console) -> None:
    """Report further goals entered in the window, until it is closed."""
    console.print("\nEnter more goals in the window, or close it to exit.", highlight=False)
    with suppress(BrowserError):
        while True:
            await follower.until_started(await follower.snapshot())
            _report(await _follow(follower, request, time.monotonic(), console), request, console)


async def _start_servers(
    stack: AsyncExitStack, settings: Settings, request: RunRequest
) -> tuple[Backend, Serving | None]:
    """Start both children concurrently; the stack stops those that started."""
    key = settings.api_key.get_secret_value() if settings.api_key else None
    own = backend(settings.data_dir, api_key=key or None)
    starting_backend = asyncio.to_thread(stack.enter_context, own)
    if request.url and request.clinic_port is None:
        return await starting_backend, None
    starting_clinic = asyncio.to_thread(_start_clinic, stack, settings.data_dir, request)
    # Wait for both even if one fails, or the other might start later and be left behind.
    started = await asyncio.gather(starting_backend, starting_clinic, return_exceptions=True)
    server, demo = started
    for result in started:
        if isinstance(result, BaseException):
            raise result
    assert isinstance(server, Backend)
    assert isinstance(demo, Serving)
    return server, demo


def _start_clinic(stack: AsyncExitStack, data_dir: Path, request: RunRequest) -> Serving:
    """The bundled page, on its usual port if that is free, so that skills learned there still apply."""
    log = request.out / "clinic.log"
    if request.clinic_port is not None:
        return stack.enter_context(clinic(log, request.clinic_port))
    try:
        served = stack.enter_context(clinic(log, children.PORT))
    except NotStarted:
        served = stack.enter_context(clinic(log))
    children.remember_clinic(data_dir, served.url)
    return served


@asynccontextmanager
async def _open_follower(
    browser: Browser, server: Backend, url: str, request: RunRequest, console: Console
) -> AsyncIterator[Follower]:
    """Open the page, configure the extension, and open its panel beside the page."""
    await browser.configure(server.url, server.api_key)
    pages = browser.context.pages
    page = pages[0] if pages else await browser.context.new_page()
    await page.goto(url)
    panel = await browser.open_panel(page, window=True)

    def report(step: Step, tokens: int) -> None:
        print_text(timeline.format_step(step, tokens), console)

    headers = {"Authorization": f"Bearer {server.api_key}"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers, trust_env=False) as api:
        yield Follower(panel=panel, page=page, api=api, out=request.out, on_step=report)


def _host_patterns(url: str) -> tuple[str, ...]:
    """The loopback host and the site of `url`, as match patterns (which have no port)."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{url} is not a web address")
    return (*LOOPBACK, f"{parts.scheme}://{parts.hostname}/*")
