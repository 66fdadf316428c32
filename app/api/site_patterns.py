"""Validation of sites and site patterns."""

from typing import Annotated

from pydantic import AfterValidator, Field

from app.text import patterns

LONGEST_PATTERN = 260  # characters: 253 of a host name, a colon and a port, `*.`
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST = rf"{_LABEL}(?:\.{_LABEL})*"
_PATTERN = patterns.compile(
    rf"\*|(?:(?:\*\.)?{_HOST}|\[[0-9a-f:.]{{2,45}}\])(?::(?P<port>\d{{1,5}}))?"
)
_LAST_PORT = 65_535


def _site_pattern(given: str) -> str:
    """The normalized pattern: lower case, international names in Punycode. Raises `ValueError`."""
    text = given.strip().lower().rstrip(".")
    try:
        text = text if text.isascii() else text.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise ValueError("not a host name") from error
    found = _PATTERN.fullmatch(text)
    if found is None or not 0 < int(found["port"] or 1) <= _LAST_PORT:
        raise ValueError("must be host, *.host, host:port or *, without scheme and path")
    return text


def site_name(given: str) -> str:
    """A single site, normalized. Raises `ValueError` for a wildcard."""
    text = _site_pattern(given)
    if text.startswith("*"):
        raise ValueError("must be host or host:port")
    return text


SitePattern = Annotated[str, Field(max_length=LONGEST_PATTERN), AfterValidator(_site_pattern)]
