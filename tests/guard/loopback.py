"""Block all network access except loopback, and ignore developers' API keys.

Installed in the test process by `tests/conftest.py`, and in every Python process that a test starts by
`sitecustomize.py` beside this file, which Python imports because this folder is on its PYTHONPATH.
The server of TABWRIGHT_MONGODB_URI may be on another host.
"""

import ipaddress
import os
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

FOLDER = Path(__file__).parent
STORE = "TABWRIGHT_MONGODB_URI"
# Variables that name a vendor's server or hold its key.
VENDOR_NAMES = (
    "GEMINI_", "GOOGLE_API_KEY", "GOOGLE_GENAI_", "GOOGLE_CLOUD_", "OPENAI_", "TAVILY_", "LANGFUSE_",
    "SENTRY_DSN", "TABWRIGHT_LLM", "TABWRIGHT_GEMINI_", "TABWRIGHT_OPENAI_", "TABWRIGHT_TAVILY_",
)  # fmt: skip
MODELS = ("TABWRIGHT_LLM", "GEMINI_API_KEY", "TABWRIGHT_OPENAI_BASE_URL")


class BeyondLoopback(Exception):
    """A test tried to reach another machine."""


attempts: list[str] = []  # refused addresses, so that a test fails even if the error was caught
_store_hosts: set[str] = set()


def forget_keys() -> None:
    """Remove vendors' keys, addresses and settings from the environment."""
    for name in [name for name in os.environ if name.startswith(VENDOR_NAMES)]:
        del os.environ[name]


def prepare_children() -> None:
    """Guard every Python process that is started from here."""
    paths = [str(FOLDER), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)


def be_a_child() -> None:
    """Use the model and search given by the test, never those of a `.env`."""
    if not any(name in os.environ for name in MODELS):
        os.environ["TABWRIGHT_LLM"] = "rules"
    os.environ.setdefault("GEMINI_API_KEY", "")
    os.environ.setdefault("OPENAI_API_KEY", "")
    os.environ.setdefault("TAVILY_API_KEY", "")


def forbid() -> None:
    """Refuse connections and lookups beyond loopback from now on."""
    _store_hosts.update(_hosts_of(os.environ.get(STORE, "")))
    plain = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def connect(self: socket.socket, address: Any) -> None:
        _check(self.family, address)
        plain[0](self, address)

    def connect_ex(self: socket.socket, address: Any) -> int:
        _check(self.family, address)
        return plain[1](self, address)

    def getaddrinfo(host: Any, *more: Any, **named: Any) -> Any:
        _check_host(host)
        found = plain[2](host, *more, **named)
        if host in _store_hosts:
            _store_hosts.update(str(address[0]) for *_, address in found)
        return found

    socket.socket.connect = connect  # type: ignore[method-assign]
    socket.socket.connect_ex = connect_ex  # type: ignore[method-assign]
    socket.getaddrinfo = getaddrinfo
    _forbid_uvloop()


def _forbid_uvloop() -> None:
    """uvloop's sockets are not Python's."""
    if find_spec("uvloop") is None:
        return
    import uvloop  # noqa: PLC0415 - not on every platform

    plain = uvloop.Loop.create_connection

    async def create_connection(
        self: Any, factory: Any, host: Any = None, *more: Any, **named: Any
    ) -> Any:
        if host is not None:
            _check_host(host)
        return await plain(self, factory, host, *more, **named)

    uvloop.Loop.create_connection = create_connection


def _check(family: int, address: Any) -> None:
    if family in (socket.AF_INET, socket.AF_INET6):
        _check_host(address[0])


def _check_host(host: Any) -> None:
    name = host.decode() if isinstance(host, bytes) else host
    if not _is_here(name):
        attempts.append(str(name))
        raise BeyondLoopback(f"a test may not reach {name}: give the client the address of a fake")


def _is_here(host: str | None) -> bool:
    if host in (None, "", "localhost", socket.gethostname()) or host in _store_hosts:
        return True
    try:
        address = ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return str(host).endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def _hosts_of(uri: str) -> set[str]:
    """The hosts of a MongoDB URI."""
    places = urlsplit(uri).netloc.rpartition("@")[2].split(",")
    return {place.rpartition(":")[0].strip("[]") or place for place in places if place}
