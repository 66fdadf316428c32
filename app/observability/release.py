"""Which deployment this is, as LangFuse and Sentry show it."""

from functools import cache
from importlib import metadata


@cache
def release() -> str:
    """The package and its version, `tabwright@0.1.0`."""
    try:
        return f"tabwright@{metadata.version('tabwright')}"
    except metadata.PackageNotFoundError:  # run from a bare checkout
        return "tabwright@0"
