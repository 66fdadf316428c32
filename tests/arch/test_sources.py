"""Rules about the sources as text: environment variables, addresses, lock files."""

import re
from pathlib import Path

import pytest

from tests.arch.sources import ROOT, files, lines, name

READS_ENVIRONMENT = ("app/settings.py", "app/cli/", "app/store/server/embedded_server.py")
SOURCES = (
    "*.py",
    "*.js",
    "*.ts",
    "*.html",
    "*.css",
    "*.toml",
    "*.yml",
    "*.md",
    "Makefile",
    "*.lock",
    "*.json",
)
# Each includes all of the previous one.
PYTHON_LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-bench.lock")
HASHED_LOCKS = ("requirements-pip.lock", *PYTHON_LOCKS)
LOCKS = (*HASHED_LOCKS, "extension/package-lock.json")
MACHINE_PATH = re.compile(r"(?<![\w.:/\"'$-])/(?:home|root|Users|work|farm)/[\w.]+/")
INDEX_ADDRESS = re.compile(
    r"--(?:extra-)?index-url|--find-links|--trusted-host|registry\.npmjs|pypi\.org/simple"
    r"|\"resolved\": \"http"
)
INDEX_OPTIONS = {"--no-emit-index-url", "--no-emit-find-links"}


def test_only_settings_and_starting_read_the_environment() -> None:
    wrong = [
        f"{name(path)}:{number}"
        for path in files("*.py")
        if name(path).startswith(("app/", "demo/")) and not name(path).startswith(READS_ENVIRONMENT)
        for number, line in enumerate(lines(path), 1)
        if re.search(r"\bos\.(environ|getenv)\b", line)
    ]
    assert not wrong


def test_no_machine_path_is_hard_coded() -> None:
    found = [
        f"{name(path)}:{number}: {line.strip()[:100]}"
        for path in files(*SOURCES)
        if path != Path(__file__)
        for number, line in enumerate(lines(path), 1)
        if MACHINE_PATH.search(line)
    ]
    assert not found


def test_no_package_index_is_named() -> None:
    found = []
    for path in files(*SOURCES, "Dockerfile", "run"):
        if path == Path(__file__):
            continue
        for number, line in enumerate(lines(path), 1):
            rest = re.sub("|".join(INDEX_OPTIONS), "", line)
            if INDEX_ADDRESS.search(rest):
                found.append(f"{name(path)}:{number}: {line.strip()[:100]}")
    assert not found


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_contain_no_address(lock: str) -> None:
    addresses = [line for line in lines(ROOT / lock) if re.search(r"(?:https?|file)://", line)]
    funding = [line for line in addresses if '"url":' in line]  # funding links in package-lock.json
    assert addresses == funding


@pytest.mark.parametrize("lock", HASHED_LOCKS)
def test_every_locked_package_is_pinned_and_hashed(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8").replace("\\\n", " ")
    entries = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    loose = [line[:60] for line in entries if "==" not in line or "--hash=sha256:" not in line]
    assert entries
    assert not loose


def test_each_lock_includes_the_previous_one() -> None:
    pins = [
        set(re.findall(r"^([\w.-]+==[^ ;\\]+)", (ROOT / lock).read_text("utf-8"), re.MULTILINE))
        for lock in PYTHON_LOCKS
    ]
    assert pins[0] <= pins[1] <= pins[2]
