"""`tabwright doctor`: checks the configuration and its dependencies, and suggests fixes."""

import asyncio
import json
import os
import shutil
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from app.cli.browser.chromium import NoChromium, find_chromium
from app.cli.browser.extension import EXTENSION_DIR, extension_id, read_manifest
from app.cli.doctor.documents import Check, documents, review_queue
from app.domain.metrics.kpi import MANY_SKILLS
from app.errors import ModelMisconfigured, PricesUnusable, TabwrightError
from app.llm.providers import choice
from app.observability import connectivity
from app.search.choice import NO_KEY, find_problem
from app.settings import Settings
from app.settings_check import faults
from app.skills import crowded_tenants
from app.store.files.space import DiskSpace
from app.store.open import open_store
from app.store.server.choice import describe
from app.usage.prices import load_price_file

PYTHONS = ((3, 11), (3, 14))  # inclusive and exclusive, as in pyproject.toml's requires-python
FREE_BYTES = 1_000_000_000  # the embedded store's log takes 128 MB, its cache 256 MB, data the rest
DEFAULT_PORT = 8787
PRICES_AGE_DAYS = 180  # providers change their prices a few times a year


async def examine(settings: Settings) -> list[Check]:
    """Run all checks."""
    return [
        _python(),
        _settings(settings),
        _folder(settings.data_dir),
        _space(settings),
        await _store(settings),
        await _skills(settings),
        await review_queue(settings),
        await asyncio.to_thread(_chromium, settings),
        _extension(),
        await _reasoner(settings),
        _search(settings),
        *await documents(settings),
        _watched("LangFuse", await connectivity.check_langfuse(settings)),
        _watched("Sentry", await connectivity.check_sentry(settings)),
        _prices(settings),
        _key(settings),
        _port(DEFAULT_PORT),
    ]


def missing(checks: Sequence[Check]) -> list[Check]:
    """The required checks that failed."""
    return [check for check in checks if check.needed and not check.ok]


def as_json(checks: Sequence[Check]) -> str:
    """The results as JSON, for scripts."""
    return json.dumps({"ok": not missing(checks), "checks": [asdict(one) for one in checks]})


def show(checks: Sequence[Check], console: Console) -> None:
    """Print one line per check, and below it the fix."""
    width = max(len(check.name) for check in checks)
    for check in checks:
        mark, colour = ("ok     ", "green") if check.ok else ("missing", "red")
        if not check.ok and not check.needed:
            mark, colour = "note   ", "yellow"
        line = f"[{colour}]{mark}[/]  {check.name.ljust(width)}  {check.detail}"
        console.print(line, highlight=False, soft_wrap=True)
        if not check.ok and check.todo:
            console.print(f"{' ' * (width + 11)}{check.todo}", highlight=False, soft_wrap=True)


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
    found = faults(settings)
    return Check(
        name="Settings",
        ok=not found,
        detail="; ".join(found) or "understood",
        todo="Correct them: docs/operations.md and README.md say what each takes.",
    )


def _folder(data_dir: Path) -> Check:
    """Whether the folder, or its nearest existing parent, is writable."""
    place = _existing(data_dir)
    return Check(
        name="Data folder",
        ok=place.is_dir() and os.access(place, os.W_OK),
        detail=str(data_dir.resolve()),
        todo="Make it writable, or name another with TABWRIGHT_DATA_DIR.",
    )


def _space(settings: Settings) -> Check:
    """Free disk space and its thresholds; only a shortage that stops new work counts as a failure."""
    space = DiskSpace(settings)
    enough = shutil.disk_usage(_existing(settings.data_dir)).free >= FREE_BYTES
    return Check(
        name="Disk",
        ok=enough and space.level == "ok",
        detail=space.describe(),
        todo=f"Free at least {FREE_BYTES / 1e9:.0f} GB and {settings.disk_warn_percent:g} % (new work stops"
        f" below {settings.disk_stop_percent:g} %), or name another TABWRIGHT_DATA_DIR.",
        needed=not enough or space.level == "full",
    )


def _existing(place: Path) -> Path:
    resolved = place.resolve()
    return next(one for one in (resolved, *resolved.parents) if one.exists())


async def _store(settings: Settings) -> Check:
    todo = "Start that MongoDB or correct TABWRIGHT_MONGODB_URI; without it the embedded store is used."
    started = time.monotonic()
    try:
        detail = describe(settings)
        async with open_store(settings) as store:
            await store.keys.all("default")
    except TabwrightError as error:
        return Check(name="Store", ok=False, detail=error.detail, todo=todo)
    milliseconds = (time.monotonic() - started) * 1000
    return Check(name="Store", ok=True, detail=f"{detail}, answers ({milliseconds:.0f} ms to open)")


async def _skills(settings: Settings) -> Check:
    """Whether a tenant is near the limit of stored skills."""
    try:
        async with open_store(settings) as store:
            found = await crowded_tenants(store)
    except TabwrightError:
        return Check(name="Skills", ok=False, detail="not counted", needed=False)
    listed = ", ".join(f"{tenant}: {number:,}" for tenant, number in found.items())
    return Check(
        name="Skills",
        ok=not found,
        detail=listed or f"no tenant has {MANY_SKILLS:,} or more",
        todo="Look through GET /api/skills and delete what says the same or no longer helps.",
        needed=False,
    )


def _chromium(settings: Settings) -> Check:
    try:
        found = find_chromium(settings.chromium)
    except NoChromium as error:
        return Check(name="Chromium", ok=False, detail="none found", todo=str(error))
    return Check(
        name="Chromium",
        ok=not found.warning,
        detail=f"{found.version} ({found.path})",
        todo=found.warning,
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
        todo = "Set it, or TABWRIGHT_LLM=rules to go by rules alone."
        return Check(name="Reasoner", ok=False, detail=error.detail, todo=todo)
    started = time.monotonic()
    try:
        await choice.check_models(settings)
    except TabwrightError as error:
        todo = f"{error.detail}. Until it answers, tasks go by rules."
        return Check(
            name="Reasoner", ok=False, detail=f"{detail}: no use now", todo=todo, needed=False
        )
    if choice.choose_provider(settings) is None:
        return Check(name="Reasoner", ok=True, detail=detail)
    milliseconds = (time.monotonic() - started) * 1000
    return Check(name="Reasoner", ok=True, detail=f"{detail}, answers ({milliseconds:.0f} ms)")


def _search(settings: Settings) -> Check:
    """The web search, by its settings only, since every search is billed. Optional."""
    reason = find_problem(settings)
    if reason in {None, NO_KEY}:
        detail = "Tavily" if reason is None else "none (no TAVILY_API_KEY is set)"
        return Check(name="Web search", ok=True, detail=detail)
    return Check(name="Web search", ok=False, detail=reason or "", todo="Mend it.", needed=False)


def _prices(settings: Settings) -> Check:
    """The price file in use; a broken file of the operator's is an error."""
    try:
        file = load_price_file(settings.prices)
    except PricesUnusable as error:
        todo = "Mend it, or unset TABWRIGHT_PRICES to go by the prices that come with Tabwright."
        return Check(name="Prices", ok=False, detail=error.detail, todo=todo)
    days = (datetime.now(UTC).date() - file.as_of).days
    over = f", {settings.prices} of {file.over} over them" if file.over else ""
    return Check(
        name="Prices",
        ok=days <= PRICES_AGE_DAYS,
        detail=f"{len(file.models)} models, as of {file.as_of} ({days} days ago){over}",
        todo="Prices change: update Tabwright, or name newer ones in a file of TABWRIGHT_PRICES.",
        needed=False,
    )


def _watched(name: str, reached: connectivity.Connectivity) -> Check:
    """An observer; optional."""
    return Check(name=name, ok=reached.ok, detail=reached.detail, todo=reached.todo, needed=False)


def _key(settings: Settings) -> Check:
    return Check(
        name="Bootstrap key",
        ok=settings.api_key is not None,
        detail="TABWRIGHT_API_KEY is set" if settings.api_key else "TABWRIGHT_API_KEY is not set",
        todo="Not needed by `make run`. For `serve`: tabwright key create --tenant default --user me",
        needed=False,
    )


def _port(port: int) -> Check:
    with socket.socket() as probe:
        probe.settimeout(1)
        taken = probe.connect_ex(("127.0.0.1", port)) == 0
    return Check(
        name="Port",
        ok=not taken,
        detail=f"{port} is {'taken, perhaps by a running backend' if taken else 'free'}",
        todo="tabwright serve --port 0 takes a free one.",
        needed=False,
    )
