"""Child processes that listen on their own port: the backend and the demo page."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from app.text import patterns

PORT = 8788  # the bundled page's default port; another one if it is taken
SITES_FILE = "bundled-page.json"  # in the data folder
MOST_SITES = 50  # to remember, newest last
ROOT = Path(__file__).resolve().parents[3]
READY_S = 60.0  # the embedded store starts in 0.6 s and imports take 3 s; this only ends a hang
STOP_S = 10.0
POLL_S = 0.05
_ADDRESS = patterns.compile(r"https?://[^\s/]+:\d+")


class NotStarted(Exception):
    """A child process exited or did not respond in time; the message has its last output."""


@dataclass(frozen=True, slots=True)
class Serving:
    """A running child: its URL, process id and log."""

    url: str
    pid: int
    log: Path


@dataclass(frozen=True, slots=True)
class Backend(Serving):
    """A running backend and a key for it."""

    api_key: str


def local_key(data_dir: Path) -> str:
    """This machine's own key: created once, stored in the data folder, readable by its owner only."""
    path = data_dir / "local.key"
    with suppress(FileNotFoundError):
        return path.read_text("ascii").strip()
    data_dir.mkdir(parents=True, exist_ok=True)
    key = f"tw_{secrets.token_urlsafe(32)}"
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(key)
    return key


@contextmanager
def backend(
    data_dir: Path,
    *,
    api_key: str | None = None,
    environment: Mapping[str, str] | None = None,
    workers: int = 1,
) -> Iterator[Backend]:
    """Run `tabwright serve` on a free port with its data in `data_dir`; it stops at the end of the
    context.

    `environment` overrides this process's own. Raises `NotStarted`.
    """
    data_dir = data_dir.resolve()
    data_dir.mkdir(parents=True, exist_ok=True)
    key = api_key or local_key(data_dir)
    extra = {**(environment or {}), "TABWRIGHT_DATA_DIR": str(data_dir), "TABWRIGHT_API_KEY": key}
    command = ("-m", "app.cli", "serve", "--port", "0", "--workers", str(workers))
    with serving(command, log=data_dir / "server.log", ready="/readyz", environment=extra) as child:
        yield Backend(child.url, child.pid, child.log, key)


@contextmanager
def clinic(log: Path, port: int = 0) -> Iterator[Serving]:
    """Serve the bundled demo page on that port, by default a free one. Raises `NotStarted`."""
    command = ("-m", "demo.clinic", "--port", str(port))
    with serving(command, log=log, ready="/api/stats") as child:
        yield child


@contextmanager
def serving(
    arguments: tuple[str, ...],
    *,
    log: Path,
    ready: str,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Serving]:
    """Run this Python with `arguments` until it prints a URL that responds to `ready` with 200.

    Its output goes to `log`, since a full pipe would block it. Raises `NotStarted`.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        child = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {}), "PYTHONUNBUFFERED": "1"},  # noqa: TID251 - inherited
            start_new_session=True,  # Ctrl-C reaches us only; we stop the child ourselves
        )
    try:
        yield Serving(_wait_until_ready(child, " ".join(arguments), log, ready), child.pid, log)
    finally:
        terminate(child)


def terminate(child: "subprocess.Popen[bytes]") -> None:
    """Terminate the process; kill it after `STOP_S`."""
    if child.poll() is not None:
        return
    child.send_signal(signal.SIGTERM)
    try:
        child.wait(STOP_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _wait_until_ready(child: "subprocess.Popen[bytes]", command: str, log: Path, ready: str) -> str:
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline:
        if child.poll() is not None:
            raise NotStarted(f"{command} exited with code {child.returncode}:\n{_tail(log)}")
        address = _ADDRESS.search(log.read_text("utf-8", "replace"))
        if address and _responds(address[0] + ready):
            return address[0]
        time.sleep(POLL_S)
    raise NotStarted(f"{command} did not respond within {READY_S:.0f} s:\n{_tail(log)}")


def _responds(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5.0, trust_env=False).is_success
    except httpx.HTTPError:
        return False


def _tail(log: Path, lines: int = 15) -> str:
    return "\n".join(log.read_text("utf-8", "replace").splitlines()[-lines:])


def remember_clinic(data_dir: Path, url: str) -> None:
    """Record that the bundled page is served at that URL."""
    site = urlsplit(url).netloc
    sites = [one for one in _known_sites(data_dir) if one != site]
    data_dir.mkdir(parents=True, exist_ok=True)
    (data_dir / SITES_FILE).write_text(json.dumps([*sites, site][-MOST_SITES:]), "utf-8")


def clinic_port(data_dir: Path, site: str) -> int | None:
    """The port of a site that was the bundled page's; None for any other site."""
    return int(site.rpartition(":")[2]) if site in _known_sites(data_dir) else None


def _known_sites(data_dir: Path) -> list[str]:
    with suppress(FileNotFoundError, ValueError):
        sites = json.loads((data_dir / SITES_FILE).read_text("utf-8"))
        return [one for one in sites if isinstance(one, str)] if isinstance(sites, list) else []
    return []
