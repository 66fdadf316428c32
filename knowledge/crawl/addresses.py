"""Normalizes URLs: when two URLs name the same page, and when two pages are of the same site."""

from functools import lru_cache
from urllib.parse import unquote_plus, urljoin

import httpx

from app.errors import AddressRefused
from app.net.guard import LONGEST, NOT_AN_ADDRESS, PORTS, parse_url
from app.text import patterns

# Parameters that never identify a page: campaigns of Google and Matomo, click ids of advertisers
# and mailers, session ids.
_TRACKING = patterns.compile(
    r"utm_.*|mtm_.*|pk_(campaign|kwd|source|medium)|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|ttclid"
    r"|twclid|igshid|li_fat_id|mc_(cid|eid)|_ga|_gl|_hs(enc|mi)|vero_id|oly_(anon|enc)_id"
    r"|phpsessid|jsessionid|sessionid|aspsessionid.*",
    patterns.IGNORECASE,
)
_SESSION_IN_PATH = patterns.compile(r";(jsessionid|phpsessid|sid)=[^/;]*", patterns.IGNORECASE)
_INDEX = patterns.compile(r"(?<=/)(index|default)\.(html?|php|aspx?|jsp)$", patterns.IGNORECASE)
_ESCAPE = patterns.compile(r"%([0-9A-Fa-f]{2})")
_SIMPLE = patterns.compile(
    r"https?://(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*(?:/[A-Za-z0-9_~-][A-Za-z0-9_~.-]*)*/?"
)
_CACHED = 20_000  # URLs; a site's menu repeats on each of its pages
MAX_PORT = 65_535
_CACHED_LENGTH = 250  # characters; longer URLs are not cached, to bound the memory
_UNRESERVED = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def normalize_url(url: str) -> str:
    """The URL as it is fetched and stored: host in lower case; no default port, fragment, tracking
    parameters or session ids; escapes normalized.

    Raises `AddressRefused` if it is not the URL of a page.
    """
    text = url.strip()
    return _cached(text) if len(text) < _CACHED_LENGTH else _normalize(text)


def _normalize(url: str) -> str:
    if len(url) <= LONGEST and _SIMPLE.fullmatch(url):  # most are; the guard checks it anyway
        return url if url.count("/") > 2 else f"{url}/"
    read = parse_url(url)
    if (read.port or 0) > MAX_PORT:
        raise AddressRefused(NOT_AN_ADDRESS)
    path, _, query = read.raw_path.decode("ascii").partition("?")
    path = _SESSION_IN_PATH.sub("", _normalize_escapes(path)) or "/"
    kept = "&".join(
        part for part in _normalize_escapes(query).split("&") if part and not _is_tracking(part)
    )
    return f"{read.scheme}://{_authority(read)}{path}{'?' + kept if kept else ''}"


@lru_cache(maxsize=_CACHED)
def _cached(url: str) -> str:
    return _normalize(url)


def resolve_link(base: str, link: str) -> str | None:
    """The normalized URL of a link on the page at `base`; None if it does not lead to a page."""
    try:
        return normalize_url(urljoin(base, link.strip().replace(" ", "%20")))
    except (AddressRefused, httpx.InvalidURL, ValueError):
        return None


def url_key(url: str) -> str:
    """One spelling for normalized URLs that usually are the same page: parameters sorted, no trailing
    `index.html`. The key itself need not be fetchable.
    """
    place, _, query = url.partition("?")
    scheme, _, rest = place.partition("://")
    authority, _, path = rest.partition("/")
    path = _INDEX.sub("", f"/{path}")
    ordered = "&".join(sorted(query.split("&"))) if query else ""
    return f"{scheme}://{authority}{path}{'?' + ordered if ordered else ''}"


def site_key(url: str) -> str:
    """The host without `www.`, with a non-default port, ignoring the scheme."""
    return url.partition("://")[2].partition("/")[0].partition("?")[0].removeprefix("www.")


def origin_of(url: str) -> str:
    """Scheme, host and port: the scope of a robots.txt (RFC 9309)."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0].partition('?')[0]}"


def _authority(url: httpx.URL) -> str:
    host = url.raw_host.decode("ascii").lower()
    host = f"[{host}]" if ":" in host else host
    is_default = url.port is None or url.port == PORTS[url.scheme]
    return host if is_default else f"{host}:{url.port}"


def _is_tracking(part: str) -> bool:
    return _TRACKING.fullmatch(unquote_plus(part.partition("=")[0])) is not None


def _normalize_escapes(text: str) -> str:
    """Decode unreserved characters, and write other escapes in upper case (RFC 3986, 6.2.2)."""

    def replace(found: patterns.Match) -> str:
        letter = chr(int(found[1], 16))
        return letter if letter in _UNRESERVED else found[0].upper()

    return _ESCAPE.sub(replace, text)
