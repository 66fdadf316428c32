"""Decides which URLs are the same page or site, and which are worth fetching."""

from collections import Counter
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
HTML_TYPES = ("text/html", "application/xhtml+xml")
_TEXT_TYPES = {
    "application/xhtml+xml", "application/xml", "application/json", "application/ld+json",
    "application/yaml", "application/x-yaml",
}  # fmt: skip
_DOCUMENT_TYPES = {
    "application/pdf", "application/msword", "application/rtf", "application/epub+zip",
    "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "message/rfc822",
}  # fmt: skip
_OFFICE_TYPES = (
    "application/vnd.openxmlformats-officedocument.",
    "application/vnd.oasis.opendocument.",
)
_UNKNOWN_TYPES = {
    "", "application/octet-stream", "binary/octet-stream", "application/x-download",
}  # fmt: skip
_UNREAD_TEXT = {
    "text/css", "text/javascript", "text/ecmascript", "text/x-component", "text/calendar",
}  # fmt: skip
# Extensions that are never fetched: pictures, audio, video, programs, archives, page assets. Audio
# and video need a model and much time to transcribe, so they are only read when uploaded.
_UNREAD_EXTENSIONS = frozenset({
    "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp", "ico", "tif", "tiff", "heic", "psd", "ai",
    "eps", "mp3", "wav", "ogg", "oga", "flac", "m4a", "aac", "mp4", "m4v", "mov", "avi", "mkv", "webm", "wmv",
    "flv", "css", "js", "mjs", "map", "woff", "woff2", "ttf", "otf", "eot", "zip", "gz", "tgz", "bz2", "xz",
    "7z", "rar", "tar", "zst", "iso", "dmg", "pkg", "deb", "rpm", "apk", "exe", "msi", "jar", "war", "whl",
    "bin", "dll", "so", "wasm", "swf", "torrent", "ics", "vcf", "asc", "sig", "sha256", "md5",
})  # fmt: skip
MAX_URL = 1_500  # characters; intentional URLs are far shorter
MAX_PATH_PARTS = 16
MAX_REPEATS = 3  # occurrences of a path segment: a wrong relative link grows into /a/b/a/b/a/b
MAX_PARAMETERS = 6
MAX_SERIES = 40  # URLs that differ only in a date, or in several numbers among their parameters
MAX_QUERIES = 400  # queries per path: some wikis and forums identify pages by query
_DATE = patterns.compile(r"(19|20)\d\d([-_.]?(0?[1-9]|1[0-2])([-_.]?(0?[1-9]|[12]\d|3[01]))?)?")
_COUNTER = patterns.compile(
    r"[-+]?\d+([-_.:,]\d+)*|[0-9a-f]{16,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)


def normalize_url(url: str) -> str:
    """The URL as it is fetched and stored: host in lower case; no default port, fragment,
    tracking parameters or session ids; escapes normalized. Raises `AddressRefused` if it is not
    the URL of a page.
    """
    text = url.strip()
    return _cached(text) if len(text) < _CACHED_LENGTH else _normalize(text)


def _normalize(url: str) -> str:
    if len(url) <= LONGEST and _SIMPLE.fullmatch(url):  # most are; the guard checks it anyway
        return url if url.count("/") > 2 else f"{url}/"
    parsed = parse_url(url)
    if (parsed.port or 0) > MAX_PORT:
        raise AddressRefused(NOT_AN_ADDRESS)
    path, _, query = parsed.raw_path.decode("ascii").partition("?")
    path = _SESSION_IN_PATH.sub("", _normalize_escapes(path)) or "/"
    parameters = "&".join(
        part
        for part in _normalize_escapes(query).split("&")
        if part and not _TRACKING.fullmatch(unquote_plus(part.partition("=")[0]))
    )
    host = parsed.raw_host.decode("ascii").lower()
    host = f"[{host}]" if ":" in host else host
    port = "" if parsed.port in (None, PORTS[parsed.scheme]) else f":{parsed.port}"
    return f"{parsed.scheme}://{host}{port}{path}{'?' + parameters if parameters else ''}"


_cached = lru_cache(maxsize=_CACHED)(_normalize)


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


def robots_origin(url: str) -> str:
    """Scheme, host and port: the scope of a robots.txt (RFC 9309)."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0].partition('?')[0]}"


def _normalize_escapes(text: str) -> str:
    """Decode unreserved characters, and write other escapes in upper case (RFC 3986, 6.2.2)."""

    def replace(found: patterns.Match) -> str:
        letter = chr(int(found[1], 16))
        return letter if letter in _UNRESERVED else found[0].upper()

    return _ESCAPE.sub(replace, text)


def is_supported_type(media_type: str) -> bool:
    """Whether a reader may exist for a media type; unknown types are tried."""
    if media_type in _UNKNOWN_TYPES | _TEXT_TYPES | _DOCUMENT_TYPES:
        return True
    if media_type.startswith("text/"):
        return media_type not in _UNREAD_TEXT
    return media_type.startswith(_OFFICE_TYPES) or media_type.endswith(("+xml", "+json"))


def may_hold_document(url: str) -> bool:
    """Whether the extension of a URL admits a readable document."""
    file_name = url.partition("://")[2].partition("?")[0].rpartition("/")[2]
    stem, _, extension = file_name.rpartition(".")
    return not stem or extension.lower() not in _UNREAD_EXTENSIONS


class TrapFilter:
    """Counts the URLs of one crawl by shape and rejects endless series."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def admits(self, url: str) -> bool:
        """Count the URL; returns whether it is still worth reading."""
        path, _, query = url.partition("://")[2].partition("?")
        parts = [part for part in path.split("/")[1:] if part]
        if len(url) > MAX_URL or len(parts) > MAX_PATH_PARTS:
            return False
        if any(count >= MAX_REPEATS for count in Counter(parts).values()):
            return False
        pairs = [part.partition("=") for part in query.split("&") if part]
        if len(pairs) > MAX_PARAMETERS:
            return False
        for shape, limit in _shapes(path, parts, pairs):
            self._counts[shape] += 1
            if self._counts[shape] > limit:
                return False
        return True


def _shapes(
    path: str, parts: list[str], pairs: list[tuple[str, str, str]]
) -> list[tuple[str, int]]:
    """The shapes a URL is counted under, each with its limit.

    Numbers in a path, or a single one in the parameters, are not a sign of a trap: they identify
    pages. A path that ends in a date is, and so are a date or several numbers in the parameters.
    """
    shapes: list[tuple[str, int]] = []
    if _ends_in_date(parts):
        shape = "/".join("#" if part.isdigit() or _DATE.fullmatch(part) else part for part in parts)
        shapes.append((shape, MAX_SERIES))
    if pairs:
        if _counts_on(pairs):
            query = "&".join(sorted(_parameter_shape(name, value) for name, _, value in pairs))
            shapes.append((f"{path}?{query}", MAX_SERIES))
        shapes.append((f"{path}?", MAX_QUERIES))
    return shapes


def _ends_in_date(parts: list[str]) -> bool:
    """2026-11-22, 2026/11/22 or 2026/11; a year alone is a name."""
    if not parts:
        return False
    if len(parts[-1]) > len("2026") and _DATE.fullmatch(parts[-1]):
        return True
    tail = parts[-3:] if _is_year(parts[-3:][0]) else parts[-2:]
    small = all(part.isdigit() and int(part) <= 31 for part in tail[1:])
    return len(tail) > 1 and _is_year(tail[0]) and small


def _is_year(part: str) -> bool:
    return len(part) == 4 and part.isdigit() and part[:2] in ("19", "20")


def _counts_on(pairs: list[tuple[str, str, str]]) -> bool:
    values = [unquote_plus(value).lower() for _, _, value in pairs]
    return any(len(value) > 4 and _DATE.fullmatch(value) for value in values) or (
        sum(_COUNTER.fullmatch(value) is not None for value in values) > 1
    )


def _parameter_shape(name: str, value: str) -> str:
    return f"{name}=#" if _COUNTER.fullmatch(unquote_plus(value).lower()) else f"{name}={value}"
