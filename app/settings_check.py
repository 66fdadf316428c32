"""Checks of settings that their types cannot express, before anything starts."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from ipaddress import ip_network
from urllib.parse import urlsplit

from limits import parse

from app.net.policy import Allowed
from app.settings import Settings

REDIS = ("redis://", "rediss://", "unix://")
ORIGIN_SCHEMES = frozenset({"http", "https", "chrome-extension"})


def faults(settings: Settings) -> list[str]:
    """The faults found, each beginning with the setting's name in the environment."""
    return [f"TABWRIGHT_{name.upper()}: {why}" for name, why in _faults(settings)]


def refuse_faults(settings: Settings) -> None:
    """Raises `ValueError` with all that is wrong."""
    if found := faults(settings):
        raise ValueError("; ".join(found))


def _faults(settings: Settings) -> Iterator[tuple[str, str]]:
    yield from _each("fetch_allowed", settings.fetch_allowed, Allowed.of)
    network = partial(ip_network, strict=False)
    yield from _each("trusted_proxies", settings.trusted_proxies, network)
    yield from _each("local_networks", settings.local_networks, network)
    yield from _each("allowed_origins", settings.allowed_origins, _origin)
    if settings.disk_stop_percent > settings.disk_warn_percent:
        yield (
            "disk_stop_percent",
            f"over TABWRIGHT_DISK_WARN_PERCENT ({settings.disk_warn_percent:g})",
        )
    if settings.broker is not None:
        yield from _each("broker", (settings.broker,), _broker)
    for name in Settings.model_fields:
        if name.startswith("rate_limit"):
            yield from _each(name, (getattr(settings, name),), _rate)


def _each(
    name: str, entries: tuple[str, ...], read: Callable[[str], object]
) -> Iterator[tuple[str, str]]:
    for entry in entries:
        try:
            read(entry)
        except ValueError as error:
            yield name, str(error)


def _origin(entry: str) -> None:
    """Rejects `*`, which would let every page read the responses."""
    parts = urlsplit(entry)
    if parts.scheme not in ORIGIN_SCHEMES or not parts.netloc or parts.path.strip("/"):
        raise ValueError(f"not an origin, such as https://tools.example: {entry!r}")


def _broker(entry: str) -> None:
    """An address of Redis, or a taskiq `module:attribute`. It may hold a password and is not repeated."""
    if not entry.startswith(REDIS) and not all(
        part.isidentifier() for part in entry.replace(":", ".").split(".")
    ):
        raise ValueError("not an address such as redis://host:6379/0")
    if entry.startswith(REDIS) and find_spec("taskiq_redis") is None:
        raise ValueError("requires the extra `redis`: pip install 'tabwright[redis]'")


def _rate(entry: str) -> None:
    if parse(entry).amount < 1:
        raise ValueError(f"{entry!r} would reject every request")
