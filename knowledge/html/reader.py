"""Reads a page, or a captured fragment, as Markdown with metadata."""

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from dateutil.parser import ParserError
from dateutil.parser import parse as parse_date

from app.bounds import bounds, cut
from app.domain.knowledge import Phase
from app.errors import Unreadable
from app.text import patterns
from knowledge.extract import Extracted, Raw
from knowledge.extract.charset import decode_text
from knowledge.html.cleanup import Options, clean
from knowledge.html.containers import extract_regions, insert_marks
from knowledge.html.main_content import find_main_parts
from knowledge.html.markdown import Converter
from knowledge.html.page import MOST_CHARACTERS, Page, attribute, tags, text_of
from knowledge.html.rewrites import replace_controls, rewrite_definition_lists

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
FEW = 200  # characters: a page with scripts and less text is rendered by them
HEAD = 4_096  # bytes searched for a charset declaration
CUT = "The page is too large. Only its beginning was read."
BY_SCRIPT = "JavaScript renders this page. Capture it in the browser."
_FENCE = patterns.compile(r"\s*(?:[-*+>]\s+|\d+\.\s+)*(`{3,}|~{3,})")
_CHARSET = patterns.compile(
    r"""charset\s*=\s*["']?\s*([\w.:-]{1,40})""", patterns.IGNORECASE | patterns.ASCII
)
_BROWSER_ENCODINGS = {
    "iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "iso-8859-9": "cp1254",
    "gb2312": "gb18030",    "gbk": "gb18030", "shift_jis": "cp932",
    "ks_c_5601-1987": "cp949", "euc-kr": "cp949",
    "iso-8859-8-i": "iso-8859-8",    "tis-620": "cp874", "x-sjis": "cp932", "x-gbk": "gb18030",
}  # fmt: skip
"""Encodings that browsers use in place of the named ones."""


def base_of(page: Page, url: str | None) -> str:
    tag = next((tag for tag in page.named["base"] if "href" in tag.attrs), None)
    href = attribute(tag, "href") if tag is not None else ""
    return _join_url(url or "", href) or url or ""


@lru_cache(maxsize=4_096)
def absolute(base: str, href: str) -> str | None:
    """The absolute URL without fragment; None if it is not on the web."""
    address = _join_url(base, href.strip())
    return address if address and len(address) <= LONGEST_ADDRESS else None


def _join_url(base: str, href: str) -> str | None:
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
    return cut(_strip_site_name(title, heading, shared, site) or shared or heading, bounds().title)


def name_of(url: str | None) -> str:
    """Fallback title: the last part of the URL's path, else the host."""
    parts = urlsplit(url or "")
    return unquote(parts.path.rstrip("/").rpartition("/")[2]) or parts.hostname or ""


def _heading(page: Page, title: str) -> str:
    headings = [text_of(tag).rstrip("\u00b6#").strip() for tag in page.named["h1"][:5]]
    parts = {part.casefold() for part in _BETWEEN.split(title)}
    return next(
        (one for one in headings if one.casefold() in parts),
        headings[0] if len(headings) == 1 else "",
    )


def _strip_site_name(title: str, heading: str, shared: str, site: str) -> str:
    parts = [part for part in _BETWEEN.split(title) if part]
    if len(parts) < 2:
        return title
    for name in (heading, shared):
        if name and name.casefold() != title.casefold() and name.casefold() in title.casefold():
            return name
    if site and parts[-1].casefold() == site.casefold():
        return title[: title.rindex(parts[-1])].rstrip(" |\u00b7\u2013\u2014\u2022\u00bb\u00ab:-")
    if site and parts[0].casefold() == site.casefold():
        return title[len(parts[0]) :].lstrip(" |\u00b7\u2013\u2014\u2022\u00bb\u00ab:-")
    return title


def declared_language(page: Page) -> str | None:
    html = next(iter(page.named["html"]), None)
    language = attribute(html, "lang") or attribute(html, "xml:lang") if html is not None else ""
    found = _LANGUAGE.match(language.strip() or _meta(page).get("content-language", "").strip())
    return found[1].lower() if found else None


def published_of(page: Page, now: datetime) -> datetime | None:
    """The publication date, else the modification date; never in the future."""
    structured = dict(_structured_dates(page))
    meta = _meta(page)
    for value in (
        structured.get("datePublished"),
        *(meta.get(name) for name in _PUBLISHED),
        *_times(page),
        structured.get("dateModified"),
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
        parsed = parse_date(value.strip()[:40], default=datetime(now.year, 1, 1, tzinfo=UTC))
    except (ParserError, OverflowError, ValueError, TypeError):
        return None
    moment = parsed if parsed.tzinfo is not None else parsed.replace(tzinfo=UTC)
    try:
        moment = moment.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
    return moment if moment.year >= EARLIEST and moment <= now + timedelta(days=1) else None


def _structured_dates(page: Page) -> Iterator[tuple[str, str]]:
    """Dates in JSON-LD; of several the outermost first."""
    pending: list[object] = []
    for text in page.structured[:20]:
        try:
            pending.append(json.loads(text))
        except (ValueError, RecursionError):
            continue
    seen: set[str] = set()
    for _ in range(MOST_NODES):
        if not pending:
            return
        node = pending.pop(0)
        if isinstance(node, list):
            pending.extend(node[:MOST_NODES])
        elif isinstance(node, dict):
            for name in ("datePublished", "dateModified"):
                if isinstance(node.get(name), str) and name not in seen:
                    seen.add(name)
                    yield name, node[name]
            pending.extend(value for value in node.values() if isinstance(value, dict | list))


def _meta(page: Page) -> dict[str, str]:
    values: dict[str, str] = {}
    for tag in page.named["meta"]:
        name = attribute(tag, "property") or attribute(tag, "name") or attribute(tag, "http-equiv")
        name = (name or attribute(tag, "itemprop")).lower()
        if name and name not in values:
            values[name] = attribute(tag, "content")
    return values


@contextmanager
def _without_gc() -> Iterator[None]:
    """Disable garbage collection, which takes a third of the time and finds nothing in a growing tree."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def read(raw: Raw) -> Extracted:
    data = raw.data[: 4 * MOST_CHARACTERS]
    return read_html(data, url=raw.url, phase=raw.phase, declared=raw.declared)


@_without_gc()
def read_html(
    data: bytes | str,
    *,
    url: str | None = None,
    phase: Phase | None = None,
    declared: str | None = None,
) -> Extracted:
    """Convert a page to Markdown.

    `url` is where it was fetched or captured; `declared` its media type, optionally with a charset.
    `phase`: `initial` keeps content that is not shown yet, since a click may show it;
    `post-interaction` and pages without a phase keep only what is shown. Content that is never
    visible is always dropped.

    Takes about 60 ms per 100 kB, bounded by the limits of `page`. Raises `Unreadable`
    (DOCUMENT_EMPTY).
    """
    markup, notes = (data, ()) if isinstance(data, str) else text_of_page(data, declared)
    page = Page(markup)
    base = base_of(page, url)
    title, language = page_title(page), declared_language(page)
    published = published_of(page, datetime.now(UTC))
    options = Options.of(phase, markup)
    unseen = clean(page, options)
    by_id = {attribute(tag, "id"): tag for tag in tags(page) if "id" in tag.attrs}
    body = page.body or page
    parts = [body] if options.keep_around else find_main_parts(page)
    replace_controls(page, body)
    rewrite_definition_lists(page, body)
    names = insert_marks(body, by_id)
    converter = Converter(partial(absolute, base))
    markdown = "\n\n".join(converter.process_tag(part) for part in parts)
    text, regions = extract_regions(_tidy(markdown), names)
    if not text:
        raise Unreadable(BY_SCRIPT if page.scripts else "The page has no text.", "DOCUMENT_EMPTY")
    return Extracted(
        markdown=text,
        kind="html",
        title=title or name_of(url),
        language=language,
        published_at=published,
        regions=regions,
        notes=(*notes, *_notes(page, text, unseen)),
    )


def _tidy(text: str) -> str:
    """Collapse blank lines and strip trailing blanks, outside of code."""
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or (mark[1].startswith(fence) and not line.strip(" `~"))):
            fence = "" if fence else mark[1]
        tidied = line if fence else _collapse_spaces(line.rstrip())
        if fence or tidied or (lines and lines[-1]):
            lines.append(tidied)
    return "\n".join(lines).strip("\n")


def _collapse_spaces(line: str) -> str:
    """Collapse spaces between words; indentation is kept."""
    if "  " not in line:
        return line
    words = line.lstrip()
    return line[: len(line) - len(words)] + " ".join(filter(None, words.split(" ")))


def _notes(page: Page, text: str, unseen: int) -> Iterator[str]:
    if page.cut:
        yield CUT
    if unseen:
        parts = "1 invisible part was" if unseen == 1 else f"{unseen} invisible parts were"
        yield f"{parts} left out."
    if page.scripts and len(text) < FEW:
        yield BY_SCRIPT


def text_of_page(data: bytes, declared: str | None) -> tuple[str, tuple[str, ...]]:
    """Decode by byte order mark, HTTP charset, `meta` charset, or content; also returns notes."""
    charset = _CHARSET.search(declared or "")
    charset = charset or _CHARSET.search(data[:HEAD].decode("latin-1"))
    if charset is None:
        return decode_text(data)
    name = charset[1].lower()
    return decode_text(data, f"text/html; charset={_BROWSER_ENCODINGS.get(name, name)}")
