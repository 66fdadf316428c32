"""Chooses the database server: a URI, else `mongod` on PATH, else the embedded server."""

import shutil
import sys
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from app.errors import StoreUnavailable
from app.settings import Settings

Kind = Literal["mongod", "embedded"]

EMBEDDED_PACKAGE = "SecantusDB"
EMBEDDED_PROGRAM = "secantusd-rs"


@dataclass(frozen=True, slots=True)
class Choice:
    """A server that this process may start: the program and its data folder (absolute)."""

    kind: Kind
    program: Path
    storage: Path

    def command(self, port: int) -> list[str]:
        """The command line. With port 0 the embedded server picks one and prints it."""
        if self.kind == "mongod":
            place = ["--bind_ip", "127.0.0.1", "--dbpath", str(self.storage)]
            return [str(self.program), *place, "--port", str(port)]
        # Without --sync-on-commit a kill loses acknowledged writes; without --log-file-max the log
        # takes 2 GB (both measured).
        place = ["--host", "127.0.0.1", "--port", str(port), "--storage-path", str(self.storage)]
        limits = ["--cache-size", "256M", "--log-file-max", "128MB", "--sync-on-commit"]
        return [str(self.program), *place, *limits]


def choose(settings: Settings) -> Choice:
    """The server to start when no URI is set. Raises `StoreUnavailable` if this machine has none."""
    home = settings.data_dir.resolve()
    if found := shutil.which("mongod"):
        return Choice("mongod", Path(found), home / "mongo")
    return Choice("embedded", _embedded_program(), home / "embedded")


def describe(settings: Settings) -> str:
    """Describe the store and its location in one line. Never shows credentials."""
    if settings.mongodb_uri is not None:
        host = urlsplit(settings.mongodb_uri.get_secret_value()).netloc.rpartition("@")[2]
        return f"MongoDB at {host} (TABWRIGHT_MONGODB_URI)"
    choice = choose(settings)
    if choice.kind == "mongod":
        return f"mongod on PATH ({choice.program}), data in {choice.storage}"
    version = distribution(EMBEDDED_PACKAGE).version
    return f"embedded server ({EMBEDDED_PROGRAM} {version}), data in {choice.storage}"


def _embedded_program() -> Path:
    """The native server in the installed wheel; the package itself is never imported."""
    try:
        found = _native(distribution(EMBEDDED_PACKAGE))
    except PackageNotFoundError:
        found = None
    if found is None:
        raise StoreUnavailable(
            "No store can be started: there is no `mongod` on PATH and no embedded server for "
            "this machine. Set TABWRIGHT_MONGODB_URI to a MongoDB 7 or 8."
        )
    return found


def _native(package: Distribution) -> Path | None:
    """The program among the package's files, skipping launcher scripts."""
    name = EMBEDDED_PROGRAM + (".exe" if sys.platform == "win32" else "")
    named = [Path(str(file.locate())) for file in package.files or () if file.name == name]
    # Repaired Linux wheels have the program in `*.scripts` and a Python launcher in `bin`.
    named.sort(key=lambda path: not path.parent.name.endswith(".scripts"))
    return next((path.resolve() for path in named if _is_native(path)), None)


def _is_native(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(2) != b"#!"
    except OSError:
        return False
