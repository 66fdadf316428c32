"""Extracts a page's title, URL, language and dates, and resolves its links."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from dateutil.parser import ParserError
from dateutil.parser import parse as parse_date

from app.bounds import bounds, cut
from app.text import patterns
from knowledge.html.page import Page, attribute, text_of

LONGEST_ADDRESS = 2_000
EARLIEST = 1990  # the year of the first web page
MOST_NODES = 1_000  # maximum structured data values examined
_BETWEEN = patterns.compile(r"\s+[|\u00b7\u2013\u2014\u2022\u00bb\u00ab:-]{1,2}\s+|\s*[|\u2014]\s*")
_LANGUAGE = patterns.compile(r"([A-Za-z]{2,3})(?:[-_].*)?$")
_PUBLISHED = (
    "article:published_time", "datepublished", "dc.date", "dc.date.issued", "dcterms.created",
    "citation_publication_date", "date", "pubdate", "publishdate",
)  # fmt: skip
_MODIFIED = (
    "article:modified_time", "og:updated_time", "datemodified", "last-modified", "dcterms.modified",
    "revised",
)  # fmt: skip


def base_of(page: Page, url: str | None) -> str:
    tag = next((tag for tag in page.named["base"] if "href" in tag.attrs), None)
    said = attribute(tag, "href") if tag is not None else ""
    return _joined(url or "", said) or url or ""


@lru_cache(maxsize=4_096)
def absolute(base: str, href: str) -> str | None:
    """The absolute URL without fragment; None if it is not on the web."""
    made = _joined(base, href.strip())
    return made if made and len(made) <= LONGEST_ADDRESS else None


def _joined(base: str, href: str) -> str | None:
    if not href or href.startswith("#"):
        return None
    try:
        parts = urlsplit(urljoin(base, "".join(href.split("\n"))))
        if parts.scheme not in ("http", "https") or not parts.hostname:
            return None
        parts.port  # noqa: B018 - raises for one that is no number
    except ValueError:
        return None
    return urlunsplit(parts._replace(fragment="", path=parts.path or "/")).replace(" ", "%20")


def page_title(page: Page) -> str:
    """The page title without the site name that most pages append."""
    meta = _meta(page)
    title = next((text_of(tag) for tag in page.named["title"]), "")
    shared = " ".join(meta.get("og:title", "").split())
    heading = _heading(page, title)
    site = " ".join(meta.get("og:site_name", "").split())
    return cut(_own(title, heading, shared, site) or shared or heading, bounds().title)


def name_of(url: str | None) -> str:
    """Fallback title: the last part of the URL's path, else the host."""
    parts = urlsplit(url or "")
    return unquote(parts.path.rstrip("/").rpartition("/")[2]) or parts.hostname or ""


def _heading(page: Page, title: str) -> str:
    """The heading contained in the title, or the only heading."""
    found = [text_of(tag).rstrip("\u00b6#").strip() for tag in page.named["h1"][:5]]
    parts = {part.casefold() for part in _BETWEEN.split(title)}
    return next(
        (one for one in found if one.casefold() in parts), found[0] if len(found) == 1 else ""
    )


def _own(title: str, heading: str, shared: str, site: str) -> str:
    parts = [part for part in _BETWEEN.split(title) if part]
    if len(parts) < 2:
        return title
    for known in (heading, shared):
        if known and known.casefold() != title.casefold() and known.casefold() in title.casefold():
            return known
    if site and parts[-1].casefold() == site.casefold():
        return title[: title.rindex(parts[-1])].rstrip(" |\u00b7\u2013\u2014\u2022\u00bb\u00ab:-")
    if site and parts[0].casefold() == site.casefold():
        return title[len(parts[0]) :].lstrip(" |\u00b7\u2013\u2014\u2022\u00bb\u00ab:-")
    return title


def language_said(page: Page) -> str | None:
    """The declared language, such as "en"."""
    html = next(iter(page.named["html"]), None)
    said = attribute(html, "lang") or attribute(html, "xml:lang") if html is not None else ""
    found = _LANGUAGE.match(said.strip() or _meta(page).get("content-language", "").strip())
    return found[1].lower() if found else None


def published_of(page: Page, now: datetime) -> datetime | None:
    """The publication date, else the modification date; never in the future."""
    said = dict(_structured(page))
    meta = _meta(page)
    for value in (
        said.get("datePublished"),
        *(meta.get(name) for name in _PUBLISHED),
        *_times(page),
        said.get("dateModified"),
        *(meta.get(name) for name in _MODIFIED),
    ):
        if value and (found := _date(value, now)) is not None:
            return found
    return None


def _times(page: Page) -> Iterator[str]:
    for tag in page.named["time"]:
        dated = attribute(tag, "itemprop") in ("datePublished", "dateModified")
        if dated or "pubdate" in tag.attrs:
            yield attribute(tag, "datetime")


def _date(value: str, now: datetime) -> datetime | None:
    try:
        found = parse_date(value.strip()[:40], default=datetime(now.year, 1, 1, tzinfo=UTC))
    except (ParserError, OverflowError, ValueError, TypeError):
        return None
    made = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    try:
        made = made.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
    return made if made.year >= EARLIEST and made <= now + timedelta(days=1) else None


def _structured(page: Page) -> Iterator[tuple[str, str]]:
    """Dates in JSON-LD; of several the outermost first."""
    waiting: list[object] = []
    for text in page.structured[:20]:
        try:
            waiting.append(json.loads(text))
        except (ValueError, RecursionError):
            continue
    seen: set[str] = set()
    for _ in range(MOST_NODES):
        if not waiting:
            return
        node = waiting.pop(0)
        if isinstance(node, list):
            waiting.extend(node[:MOST_NODES])
        elif isinstance(node, dict):
            for name in ("datePublished", "dateModified"):
                if isinstance(node.get(name), str) and name not in seen:
                    seen.add(name)
                    yield name, node[name]
            waiting.extend(value for value in node.values() if isinstance(value, dict | list))


def _meta(page: Page) -> dict[str, str]:
    """`meta` elements by lower-case name."""
    found: dict[str, str] = {}
    for tag in page.named["meta"]:
        name = attribute(tag, "property") or attribute(tag, "name") or attribute(tag, "http-equiv")
        name = (name or attribute(tag, "itemprop")).lower()
        if name and name not in found:
            found[name] = attribute(tag, "content")
    return found
