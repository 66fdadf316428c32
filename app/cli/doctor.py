"""`tabwright doctor`: checks the configuration and what the server depends on, and suggests fixes."""

import asyncio
import os
import shutil
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.markup import escape

from app.cli.browser import EXTENSION_DIR, extension_id, read_manifest
from app.cli.chromium import NoChromium, find_chromium
from app.cli.terminal import Json, print_json, print_text, run_async
from app.domain.metrics.kpi import MANY_SKILLS
from app.errors import ModelMisconfigured, PricesUnusable, TabwrightError, Unavailable
from app.llm.providers import choice
from app.observability import config
from app.search import NO_KEY, find_problem
from app.settings import Settings
from app.settings_check import faults
from app.skills import crowded_tenants
from app.store.disk_space import DiskSpace
from app.store.open import open_reviews, open_store, review_folder
from app.store.reviews.record_files import Places
from app.store.server.embedded_server import is_ours
from app.store.server.process import describe_store
from app.usage import load_price_file
from knowledge.extract.workers import may_be_unconfined, probe_layers

PYTHONS = ((3, 11), (3, 14))  # inclusive and exclusive, as in pyproject.toml's requires-python
FREE_BYTES = 1_000_000_000  # the embedded store's log takes 128 MB, its cache 256 MB, data the rest
DEFAULT_PORT = 8787
REDIS_PORT = 6379
BROKER_S = 2.0
PRICES_AGE_DAYS = 180  # providers change their prices a few times a year


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The result of one check. `todo` says what to do if it is not `ok`; only `needed` ones are
    required.
    """

    name: str
    ok: bool
    detail: str
    todo: str = ""
    needed: bool = True


@run_async
async def doctor_command(as_json: Json = False) -> None:
    """Check the configuration and what the server depends on, and say how to fix problems."""
    checks = await run_checks(Settings())
    failed = required_failures(checks)
    if as_json:
        print_json({"ok": not failed, "checks": [asdict(one) for one in checks]})
    else:
        print_checks(checks, Console())
    raise typer.Exit(1 if failed else 0)


async def run_checks(settings: Settings) -> list[Check]:
    return [
        _python(),
        _settings(settings),
        _folder(settings.data_dir),
        _space(settings),
        await _store(settings),
        await _skills(settings),
        await _review_queue(settings),
        await asyncio.to_thread(_chromium, settings),
        _extension(),
        await _reasoner(settings),
        _search(settings),
        _embeddings(settings),
        await asyncio.to_thread(_readers, settings),
        *([await _broker(settings.broker)] if settings.broker else []),
        _observer("LangFuse", await config.check_langfuse(settings)),
        _observer("Sentry", await config.check_sentry(settings)),
        _prices(settings),
        _key(settings),
        _port(),
    ]


def required_failures(checks: Sequence[Check]) -> list[Check]:
    """The required checks that failed."""
    return [check for check in checks if check.needed and not check.ok]


def print_checks(checks: Sequence[Check], console: Console) -> None:
    """Print one line per check, and below it the fix."""
    width = max(len(check.name) for check in checks)
    for check in checks:
        mark, colour = ("ok    ", "green") if check.ok else ("failed", "red")
        if not check.ok and not check.needed:
            mark, colour = "note  ", "yellow"
        line = f"[{colour}]{mark}[/]  {check.name.ljust(width)}  {escape(check.detail)}"
        console.print(line, highlight=False, soft_wrap=True)
        if not check.ok and check.todo:
            print_text(f"{' ' * (width + 10)}{check.todo}", console)


def _python() -> Check:
    version = sys.version_info
    return Check(
        name="Python",
        ok=PYTHONS[0] <= version[:2] < PYTHONS[1],
        detail=f"{version.major}.{version.minor}.{version.micro}",
        todo="Use Python 3.11, 3.12 or 3.13: make clean, then make run PYTHON=python3.12",
    )


def _settings(settings: Settings) -> Check:
    """Problems with the settings that types cannot express; the server does not start with them."""
    problems = faults(settings)
    return Check(
        name="Settings",
        ok=not problems,
        detail="; ".join(problems) or "valid",
        todo="Correct them. See docs/operations.md and README.md.",
    )


def _folder(data_dir: Path) -> Check:
    """Whether the folder, or its nearest existing parent, is writable."""
    folder = _nearest_existing(data_dir)
    return Check(
        name="Data folder",
        ok=folder.is_dir() and os.access(folder, os.W_OK),
        detail=str(data_dir.resolve()),
        todo="Make it writable, or set TABWRIGHT_DATA_DIR to another folder.",
    )


def _space(settings: Settings) -> Check:
    """Free disk space and its thresholds; only a shortage that stops new work counts as a failure."""
    space = DiskSpace(settings)
    enough = shutil.disk_usage(_nearest_existing(settings.data_dir)).free >= FREE_BYTES
    return Check(
        name="Disk",
        ok=enough and space.level == "ok",
        detail=space.describe(),
        todo=f"Free at least {FREE_BYTES / 1e9:.0f} GB and {settings.disk_warn_percent:g} % (new work stops"
        f" below {settings.disk_stop_percent:g} %), or set TABWRIGHT_DATA_DIR to another disk.",
        needed=not enough or space.level == "full",
    )


def _nearest_existing(path: Path) -> Path:
    resolved = path.resolve()
    return next(folder for folder in (resolved, *resolved.parents) if folder.exists())


async def _store(settings: Settings) -> Check:
    todo = "Start MongoDB or correct TABWRIGHT_MONGODB_URI; if that is unset, the embedded store is used."
    started = time.monotonic()
    try:
        detail = describe_store(settings)
        async with open_store(settings) as store:
            await store.keys.all("default")
    except TabwrightError as error:
        return Check(name="Store", ok=False, detail=error.detail, todo=todo)
    milliseconds = (time.monotonic() - started) * 1000
    return Check(
        name="Store", ok=True, detail=f"{detail}, responds ({milliseconds:.0f} ms to open)"
    )


async def _skills(settings: Settings) -> Check:
    """Whether a tenant is near the limit of stored skills."""
    try:
        async with open_store(settings) as store:
            crowded = await crowded_tenants(store)
    except TabwrightError:
        return Check(name="Skills", ok=False, detail="not counted", needed=False)
    listed = ", ".join(f"{tenant}: {number:,}" for tenant, number in crowded.items())
    return Check(
        name="Skills",
        ok=not crowded,
        detail=listed or f"no tenant has {MANY_SKILLS:,} or more",
        todo="Review GET /api/skills and delete duplicates and skills that no longer help.",
        needed=False,
    )


def _chromium(settings: Settings) -> Check:
    try:
        browser = find_chromium(settings.chromium)
    except NoChromium as error:
        return Check(name="Chromium", ok=False, detail="none found", todo=str(error))
    return Check(
        name="Chromium",
        ok=not browser.warning,
        detail=f"{browser.version} ({browser.path})",
        todo=browser.warning,
        needed=False,
    )


def _extension() -> Check:
    todo = "Restore the folder `extension/` of this checkout."
    try:
        identity = extension_id(read_manifest())
    except (OSError, ValueError) as error:
        return Check(name="Extension", ok=False, detail=str(error), todo=todo)
    return Check(name="Extension", ok=True, detail=f"{identity} ({EXTENSION_DIR})")


async def _reasoner(settings: Settings) -> Check:
    """The configured model. Optional: without it, rules still work."""
    try:
        detail = choice.describe_provider(settings)
    except ModelMisconfigured as error:
        todo = "Set it, or set TABWRIGHT_LLM=rules to use rules alone."
        return Check(name="Reasoner", ok=False, detail=error.detail, todo=todo)
    started = time.monotonic()
    try:
        await choice.check_models(settings)
    except TabwrightError as error:
        todo = f"{error.detail}. Until it responds, tasks use rules only."
        return Check(
            name="Reasoner", ok=False, detail=f"{detail}: not available", todo=todo, needed=False
        )
    if choice.choose_provider(settings) is None:
        return Check(name="Reasoner", ok=True, detail=detail)
    milliseconds = (time.monotonic() - started) * 1000
    return Check(name="Reasoner", ok=True, detail=f"{detail}, responds ({milliseconds:.0f} ms)")


def _search(settings: Settings) -> Check:
    """The web search, by its settings only, since every search is billed. Optional."""
    reason = find_problem(settings)
    if reason in {None, NO_KEY}:
        detail = "Tavily" if reason is None else "none (no TAVILY_API_KEY is set)"
        return Check(name="Web search", ok=True, detail=detail)
    return Check(
        name="Web search", ok=False, detail=reason or "", todo="Correct that setting.", needed=False
    )


def _prices(settings: Settings) -> Check:
    """The price file in use; a broken file of the operator's is an error."""
    try:
        file = load_price_file(settings.prices)
    except PricesUnusable as error:
        todo = "Correct it, or unset TABWRIGHT_PRICES to use the prices that come with Tabwright."
        return Check(name="Prices", ok=False, detail=error.detail, todo=todo)
    days = (datetime.now(UTC).date() - file.as_of).days
    override = f", overridden by {settings.prices} of {file.over}" if file.over else ""
    return Check(
        name="Prices",
        ok=days <= PRICES_AGE_DAYS,
        detail=f"{len(file.models)} models, as of {file.as_of} ({days} days ago){override}",
        todo="They may be out of date. Update Tabwright, or set TABWRIGHT_PRICES to a newer file.",
        needed=False,
    )


def _observer(name: str, reached: config.Connectivity) -> Check:
    return Check(name=name, ok=reached.ok, detail=reached.detail, todo=reached.todo, needed=False)


def _key(settings: Settings) -> Check:
    return Check(
        name="Bootstrap key",
        ok=settings.api_key is not None,
        detail="TABWRIGHT_API_KEY is set" if settings.api_key else "TABWRIGHT_API_KEY is not set",
        todo="`make run` does not need it. For `serve`: tabwright key create --tenant default --user me",
        needed=False,
    )


def _port() -> Check:
    with socket.socket() as probe:
        probe.settimeout(1)
        is_taken = probe.connect_ex(("127.0.0.1", DEFAULT_PORT)) == 0
    return Check(
        name="Port",
        ok=not is_taken,
        detail=f"{DEFAULT_PORT} is {'taken, perhaps by a running server' if is_taken else 'free'}",
        todo="Stop the other program, or choose a free port with: tabwright serve --port 0",
        needed=False,
    )


async def _review_queue(settings: Settings) -> Check:
    """The review records, in the data folder or the configured MongoDB."""
    name, todo = "Review queue", "Start MongoDB or correct TABWRIGHT_MONGODB_URI."
    if is_ours(settings):
        todo = "Make that folder writable for the server, and free space on its disk."
    try:
        async with open_reviews(settings) as reviews:
            pending = sum(depths.pending for depths in (await reviews.tenants()).values())
            damaged = await reviews.damaged()
    except TabwrightError as error:
        return Check(name=name, ok=False, detail=error.detail, todo=todo)
    if is_ours(settings):
        root = review_folder(settings)
        for folder in (root, *Places(root).all):
            if folder.exists() and not os.access(folder, os.W_OK):
                return Check(name=name, ok=False, detail=f"{folder} is not writable", todo=todo)
    return Check(
        name=name,
        ok=not damaged,
        detail=f"{pending:,} pending, {damaged or 'none'} damaged",
        todo="Repair or remove the damaged records (docs/review.md); nothing overwrites them.",
        needed=False,
    )


def _readers(settings: Settings) -> Check:
    """Start a reader to check how it is sandboxed here."""
    name, todo = "Readers", ""
    try:
        layers = probe_layers()
    except Unavailable as error:
        return Check(name=name, ok=False, detail=error.detail, todo="Free some memory.")
    if layers.missing:
        todo = (
            f"Without {' and '.join(layers.missing)} a malicious document can reach whatever this user can. "
            "See “Document readers are not confined” in docs/operations.md."
        )
    return Check(
        name=name,
        ok=not layers.missing,
        detail=f"{'not confined' if layers.missing else 'confined'}: {layers}",
        todo=todo,
        needed=not may_be_unconfined(settings.unconfined_readers),
    )


def _embeddings(settings: Settings) -> Check:
    """Check the embeddings. The API key is not tried, since every call is billed."""
    key = settings.gemini_api_key
    has_key = key is not None and bool(key.get_secret_value().strip())
    by_gemini = settings.embeddings == "gemini" or (settings.embeddings == "auto" and has_key)
    model = settings.gemini_embedding_model if by_gemini else "wordllama, in this process"
    media = (
        "" if choice.accepts_recordings(settings) else "; reading audio and video requires Gemini"
    )
    return Check(
        name="Documents",
        ok=has_key or not by_gemini,
        detail=f"searched by keywords and {model}{media}",
        todo="Set GEMINI_API_KEY, or TABWRIGHT_EMBEDDINGS=wordllama.",
    )


async def _broker(address: str) -> Check:
    """Check that the broker responds; its URL may contain a password, so it is not shown in full."""
    parts = urlsplit(address)
    if parts.scheme not in ("redis", "rediss") or not parts.hostname:
        return Check(name="Broker", ok=True, detail=f"{address.partition(':')[0]} of taskiq")
    port = parts.port or REDIS_PORT
    server = f"{parts.hostname}:{port}"
    try:
        async with asyncio.timeout(BROKER_S):
            _, writer = await asyncio.open_connection(parts.hostname, port)
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
    except (OSError, TimeoutError):
        todo = (
            "Start it or correct TABWRIGHT_BROKER; until then jobs may start up to a minute late."
        )
        return Check(
            name="Broker", ok=False, detail=f"{server} does not respond", todo=todo, needed=False
        )
    return Check(name="Broker", ok=True, detail=f"Redis at {server} responds")
