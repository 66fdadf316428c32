"""Addresses without end: a calendar, filters upon filters, a path that repeats itself. Pure but for its
counts.

A crawl is bounded by its pages anyway; this keeps one endless corner from taking them all.
"""

from collections import Counter
from urllib.parse import unquote_plus

from app.text import patterns

_TEXT = {
    "application/xhtml+xml", "application/xml", "application/json", "application/ld+json",
    "application/yaml", "application/x-yaml",
}  # fmt: skip
_DOCUMENTS = {
    "application/pdf", "application/msword", "application/rtf", "application/epub+zip",
    "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "message/rfc822",
}  # fmt: skip
_FAMILIES = (
    "application/vnd.openxmlformats-officedocument.",
    "application/vnd.oasis.opendocument.",
)
_UNSAID = {"", "application/octet-stream", "binary/octet-stream", "application/x-download"}
_NOT_TEXT = {"text/css", "text/javascript", "text/ecmascript", "text/x-component", "text/calendar"}
HTML = ("text/html", "application/xhtml+xml")

# Ends of addresses that are never read: pictures, sound, films, programs, archives, a page's own parts.
# The speech in sound and films takes a model and long: only what somebody uploads is listened to.
_LEFT_OUT = frozenset({
    "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp", "ico", "tif", "tiff", "heic", "psd", "ai",
    "eps", "mp3", "wav", "ogg", "oga", "flac", "m4a", "aac", "mp4", "m4v", "mov", "avi", "mkv", "webm", "wmv",
    "flv", "css", "js", "mjs", "map", "woff", "woff2", "ttf", "otf", "eot", "zip", "gz", "tgz", "bz2", "xz",
    "7z", "rar", "tar", "zst", "iso", "dmg", "pkg", "deb", "rpm", "apk", "exe", "msi", "jar", "war", "whl",
    "bin", "dll", "so", "wasm", "swf", "torrent", "ics", "vcf", "asc", "sig", "sha256", "md5",
})  # fmt: skip


def is_read(kind: str) -> bool:
    """Whether a media type is one that there may be an extractor for; unsaid ones are looked at."""
    if kind in _UNSAID or kind in _TEXT or kind in _DOCUMENTS or kind.startswith(_FAMILIES):
        return True
    return (kind.startswith("text/") and kind not in _NOT_TEXT) or kind.endswith(("+xml", "+json"))


def worth_asking(url: str) -> bool:
    """Whether an address may lead to something that is read, by the end of its path."""
    last = url.partition("://")[2].partition("?")[0].rpartition("/")[2]
    stem, _, end = last.rpartition(".")
    return not stem or end.lower() not in _LEFT_OUT


LONGEST = 1_500  # characters; what people and programs write on purpose is far shorter
DEEPEST = 16  # parts of a path
MOST_REPEATS = 3  # of one part in a path: /a/b/a/b/a/b grows out of a wrong relative link
MOST_PARAMETERS = 6
MOST_ALIKE = (
    40  # addresses that differ only in a date, or in several numbers among their parameters
)
MOST_QUERIES = 400  # of one path; a wiki or a forum that names its pages there is read this far

_DATE = patterns.compile(r"(19|20)\d\d([-_.]?(0?[1-9]|1[0-2])([-_.]?(0?[1-9]|[12]\d|3[01]))?)?")
_COUNTED = patterns.compile(
    r"[-+]?\d+([-_.:,]\d+)*|[0-9a-f]{16,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)


class Traps:
    """Counts the addresses of one crawl by their shapes."""

    def __init__(self) -> None:
        self._alike: Counter[str] = Counter()

    def admits(self, url: str) -> bool:
        """Whether one more address of this shape is worth it; counts it."""
        path, _, query = url.partition("://")[2].partition("?")
        parts = [part for part in path.split("/")[1:] if part]
        if len(url) > LONGEST or len(parts) > DEEPEST:
            return False
        if any(count >= MOST_REPEATS for count in Counter(parts).values()):
            return False
        pairs = [part.partition("=") for part in query.split("&") if part]
        if len(pairs) > MOST_PARAMETERS:
            return False
        return all(self._room(shape, most) for shape, most in _shapes(path, parts, pairs))

    def _room(self, shape: str, most: int) -> bool:
        self._alike[shape] += 1
        return self._alike[shape] <= most


def _shapes(
    path: str, parts: list[str], pairs: list[tuple[str, str, str]]
) -> list[tuple[str, int]]:
    """What is counted of an address, each with how many of it there may be.

    Numbers in a path, or one among the parameters, are no sign of a trap: pages are named so. A path that
    ends in a date is, and so are a date or several numbers among the parameters.
    """
    found: list[tuple[str, int]] = []
    if _dated(parts):
        shape = "/".join("#" if part.isdigit() or _DATE.fullmatch(part) else part for part in parts)
        found.append((shape, MOST_ALIKE))
    if pairs:
        shapes = sorted(_shape(name, value) for name, _, value in pairs)
        if _leads_on(pairs):
            found.append((f"{path}?{'&'.join(shapes)}", MOST_ALIKE))
        found.append((f"{path}?", MOST_QUERIES))
    return found


def _dated(parts: list[str]) -> bool:
    """Whether a path ends in a date: 2026-11-22 or 2026/11/22, 2026/11; a year alone is a name."""
    if not parts:
        return False
    if len(parts[-1]) > len("2026") and _DATE.fullmatch(parts[-1]):
        return True
    tail = parts[-3:] if _year(parts[-3:][0]) else parts[-2:]
    small = all(part.isdigit() and int(part) <= 31 for part in tail[1:])
    return len(tail) > 1 and _year(tail[0]) and small


def _year(part: str) -> bool:
    return len(part) == 4 and part.isdigit() and part[:2] in ("19", "20")


def _leads_on(pairs: list[tuple[str, str, str]]) -> bool:
    values = [unquote_plus(value).lower() for _, _, value in pairs]
    return any(len(value) > 4 and _DATE.fullmatch(value) for value in values) or (
        sum(_COUNTED.fullmatch(value) is not None for value in values) > 1
    )


def _shape(name: str, value: str) -> str:
    return f"{name}=#" if _COUNTED.fullmatch(unquote_plus(value).lower()) else f"{name}={value}"
