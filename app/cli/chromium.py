"""Finds a Chromium that can load an unpacked extension, or installs Debian's."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import sync_playwright

from app.settings import Settings
from app.text import patterns

ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
VERSION_S = 20.0
APT_S = 900.0
BRANDED = patterns.compile(r"Google Chrome (?!for Testing)\S*\d")
HOW_TO_GET = (
    "No Chromium was found. Install one (Debian: `sudo apt-get install chromium`; any system: "
    "`.venv/bin/playwright install chromium`), or name one with TABWRIGHT_CHROMIUM=/path/to/chromium."
)


class NoChromium(Exception):
    """No usable Chromium was found; the message says how to install one."""


@dataclass(frozen=True, slots=True)
class Chromium:
    """A browser to run; `warning` says what may not work with it."""

    path: Path
    version: str
    warning: str = ""


def find_chromium(configured: Path | None, *, install: bool = False) -> Chromium:
    """Find the configured browser, else one on PATH, else Playwright's, else (as root, if `install`)
    Debian's.

    Branded Chrome ignores `--load-extension` since version 137, so it is the last resort. Raises
    `NoChromium`.
    """
    if configured is not None:
        if browser := identify_browser(configured):
            return browser
        raise NoChromium(f"TABWRIGHT_CHROMIUM is {configured}, which does not run. {HOW_TO_GET}")
    branded: Chromium | None = None
    for path in _candidates():
        browser = identify_browser(path)
        if browser and not browser.warning:
            return browser
        branded = branded or browser
    if install and (installed := _install_debian()):
        return installed
    if branded:
        return branded
    raise NoChromium(HOW_TO_GET)


def identify_browser(path: Path) -> Chromium | None:
    """Identify the browser by its version output; None if it does not run."""
    try:
        result = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=VERSION_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    version = result.stdout.strip()
    warning = ""
    if BRANDED.match(version):
        warning = (
            f"{path} is branded Google Chrome, which does not load unpacked extensions from the "
            "command line. Install chromium or Chrome for Testing, or set TABWRIGHT_CHROMIUM."
        )
    return Chromium(path, version, warning)


def _candidates() -> Iterator[Path]:
    for name in ON_PATH:
        if path := shutil.which(name):
            yield Path(path)
    if (bundled := _playwright_path()) and bundled.exists():
        yield bundled


def _playwright_path() -> Path | None:
    """Where Playwright would install Chromium, whether it exists or not."""
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return Path(path) if path else None


def _install_debian() -> Chromium | None:
    """Install Debian's package, if this process may."""
    apt = shutil.which("apt-get")
    if apt is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}  # noqa: TID251 - apt's own
    install = [apt, "install", "--yes", "--no-install-recommends", "chromium"]
    for command in ([apt, "update", "--quiet"], install):
        try:
            subprocess.run(command, env=environment, check=True, capture_output=True, timeout=APT_S)
        except (OSError, subprocess.SubprocessError) as error:
            reason = getattr(error, "stderr", b"") or str(error).encode()
            raise NoChromium(f"{' '.join(command)} failed: {reason.decode()[-500:]}") from error
    path = shutil.which("chromium")
    return identify_browser(Path(path)) if path else None


def print_browser() -> None:
    """Find or install a browser and print its path, as `make test` needs for the browser tests."""
    try:
        browser = find_chromium(Settings().chromium, install=True)
    except NoChromium as error:
        sys.exit(str(error))
    sys.stderr.write(f"chromium: {browser.version}\n{browser.warning}".rstrip() + "\n")


if __name__ == "__main__":
    print_browser()
