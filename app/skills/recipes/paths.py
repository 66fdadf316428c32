"""Addresses without what is only of one record: the part of them a recipe may keep."""

from urllib.parse import urlsplit

from app.domain.access import site_of
from app.text import patterns

ANY = "*"
# What names one record and no page: digits, a long hexadecimal, anything with an "@" or a "%".
_ID = patterns.compile(r"\d|[@%]|^[0-9a-f-]{16,}$", patterns.IGNORECASE)


def path_of(url: str) -> str:
    """The path, and the fragment where it routes, with what looks like an id as `*`.

    The query is left out: it holds what was searched for.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return "/"
    path = _steady(parts.path.rstrip("/") or "/")
    routes = parts.fragment[:1] in ("/", "!")
    return f"{path}#{_steady(parts.fragment.partition('?')[0])}" if routes else path


def _steady(path: str) -> str:
    return "/".join(ANY if _ID.search(part) else part for part in path.split("/"))


def address_of(url: str) -> str:
    """The address of the page's path on its site; what is a record's is `*` in it."""
    return f"{urlsplit(url).scheme}://{site_of(url)}{path_of(url)}"


def can_be_gone_to(path: str) -> bool:
    """Whether the path names a page for everyone, so that the address alone leads there."""
    return ANY not in path and "{" not in path


def fits(path: str, url: str) -> bool:
    """Whether the address is of that path; `*` and `{parameter}` stand for any one part."""
    wanted, there = path.split("/"), path_of(url).split("/")
    return len(wanted) == len(there) and all(
        part in (ANY, found) or part.startswith("{")
        for part, found in zip(wanted, there, strict=True)
    )
