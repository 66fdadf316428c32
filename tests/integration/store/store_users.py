"""Other processes that hold the store's server of a data folder, and what is left of it."""

import contextlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from app.settings import Settings
from app.store.server.embedded_server import URI_VARIABLE

ROOT = Path(__file__).parents[3]
USER = """
import sys
from pathlib import Path
from pydantic import SecretStr
from app.settings import Settings
from app.store.server import embedded_server as embedded
from app.store.server.embedded_server import hold_server
embedded.UNUSED_S = float(sys.argv.pop(1))
uri = SecretStr(sys.argv[2]) if len(sys.argv) > 2 else None
with hold_server(Settings(_env_file=None, data_dir=Path(sys.argv[1]), mongodb_uri=uri)) as uri:
    print(uri, flush=True)
    sys.stdin.readline()
"""


class User:
    """Another process that holds the server until it is told to leave."""

    def __init__(self, home: Path, *arguments: str, unused_s: float = 15.0) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", USER, str(unused_s), str(home), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={k: v for k, v in os.environ.items() if k != URI_VARIABLE},
        )

    def uri(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def leave(self) -> None:
        assert self._process.communicate("\n", timeout=30)[0] == ""
        assert self._process.returncode == 0

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate(timeout=30)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A data folder of its own, whose server is ended if a test leaves it running."""
    yield tmp_path
    kill_server(tmp_path)


@pytest.fixture
def own(home: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings without a URI: this machine must provide the server."""
    monkeypatch.delenv(URI_VARIABLE, raising=False)
    return Settings(_env_file=None, data_dir=home)


@pytest.fixture
def user(home: Path) -> Iterator[Callable[..., User]]:
    """Starts users, and ends those that a failing test leaves."""
    users: list[User] = []

    def start(*arguments: str, unused_s: float = 15.0) -> User:
        users.append(User(home, *arguments, unused_s=unused_s))
        return users[-1]

    yield start
    for left in users:
        left.kill()


def pid(home: Path) -> int:
    return int(json.loads((home / "store.json").read_text())["pid"])


def servers(home: Path) -> list[psutil.Process]:
    """The processes that serve the folder now; the note may be a moment behind."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if str(home / "embedded") in process.cmdline():
                found.append(process)
    return found


def kill_server(home: Path) -> None:
    for process in servers(home):
        process.kill()


def answers(uri: str) -> bool:
    client: MongoClient[dict[str, object]] = MongoClient(uri, serverSelectionTimeoutMS=300)
    try:
        client.admin.command("ping")
    except PyMongoError:
        return False
    finally:
        client.close()
    return True


def eventually(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "it never came to be"
        time.sleep(0.02)


def answers_at(home: Path) -> bool:
    return answers(f"mongodb://127.0.0.1:{json.loads((home / 'store.json').read_text())['port']}")


def fill_disk(home: Path) -> None:
    """Have every write of the server fail from here on, as on a full disk; one started later is well."""
    resource.prlimit(pid(home), resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
