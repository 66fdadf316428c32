"""Scans a page for its links, its robots directives, and whether scripts render it.

The page is not parsed into a tree: libxml2 reports each tag as it is read.
"""

import codecs
from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import etree

from app.text import patterns
from knowledge.crawl.addresses import resolve_link
from knowledge.crawl.polite_fetch import PRODUCT_TOKEN

MAX_LINKS = 5_000  # per page; a page with more is a machine-readable index
SHELL_MAX_WORDS = 25  # visible words; a page with more is readable as it is
PLACEHOLDER_WORDS = 6  # in the element filled by scripts: "Loading, please wait"
_INVISIBLE = {"script", "style", "noscript", "template", "title", "head", "svg"}
_MOUNT_TAGS = {"div", "main", "section", "article", "span", "app"}
_CONTENT_TAGS = {
    "table", "form", "input", "textarea", "select", "video", "audio", "object", "embed", "dl", "pre",
}  # fmt: skip
_VOID = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
}  # fmt: skip
_DATA_TYPES = (
    "application/ld+json", "application/json", "text/template", "importmap", "speculationrules",
)  # fmt: skip
_JAVASCRIPT = patterns.compile(r"java\s?script", patterns.IGNORECASE)
_WORD = patterns.compile(r"\w+")
_CHARSET = patterns.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", patterns.IGNORECASE)
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_REFRESH = patterns.compile(
    r"\s*(\d+)[^;,]*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"'>]+)", patterns.IGNORECASE
)
_MAX_REFRESH_S = 5  # a page with a longer refresh delay is meant to be read


@dataclass(frozen=True, slots=True, kw_only=True)
class PageScan:
    """`links`: normalized URLs in page order, without duplicates and nofollow links.
    `redirect_url`: target of a meta refresh. `is_shell`: whether scripts render the page.
    """

    links: tuple[str, ...] = ()
    noindex: bool = False
    redirect_url: str | None = None
    is_shell: bool = False


def scan_page(body: bytes, url: str, content_type: str, robots_header: str = "") -> PageScan:
    """Scan the HTML at `url`. Never raises because of its content."""
    parsed = _parse(body, url, content_type)
    directives = parsed.directives | parse_robots_directives(robots_header)
    resolved = (resolve_link(parsed.base, href) for href in parsed.hrefs)
    links = () if "nofollow" in directives else tuple(dict.fromkeys(filter(None, resolved)))
    refresh = _REFRESH.match(parsed.refresh or "")
    return PageScan(
        links=links,
        noindex="noindex" in directives,
        redirect_url=resolve_link(parsed.base, refresh[2])
        if refresh and int(refresh[1]) <= _MAX_REFRESH_S
        else None,
        is_shell=parsed.is_shell,
    )


def parse_robots_directives(content: str) -> set[str]:
    """The directives of a robots tag or header that apply to us: {"noindex", "nofollow"}."""
    directives: set[str] = set()
    for part in content.lower().split(","):
        name, colon, rest = part.partition(":")
        if colon and name.strip() not in ("unavailable_after", PRODUCT_TOKEN.lower()):
            if name.strip().startswith("max-"):
                continue
            return directives  # directives for another crawler
        directives.add((rest if colon and name.strip() == PRODUCT_TOKEN.lower() else part).strip())
    return {"noindex", "nofollow"} | directives if "none" in directives else directives


@dataclass
class _ShellDetector:
    """Detects shells: pages rendered by scripts.

    A shell has hardly any visible words, runs scripts, and either has an empty element for them to
    fill, with an id or a custom tag, or asks for JavaScript in its <noscript>.
    """

    words: int = 0
    links: int = 0
    scripts: int = 0
    empty_mounts: int = 0
    content_tags: int = 0
    asks_for_scripts: bool = False

    def __post_init__(self) -> None:
        # For each open tag: its name, whether scripts may fill it, words and elements before it.
        self._open: list[tuple[str, bool, int, int]] = []
        self._invisible = 0
        self._elements = 0

    @property
    def is_shell(self) -> bool:
        if self.words > SHELL_MAX_WORDS or self.content_tags or not self.scripts:
            return False
        if self.links > 3 and self.words > PLACEHOLDER_WORDS:
            return False
        return self.empty_mounts > 0 or self.asks_for_scripts

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "script" and (attributes.get("type") or "").strip().lower() not in _DATA_TYPES:
            self.scripts += 1
        if not self._invisible:
            self._elements += 1
            self.content_tags += tag in _CONTENT_TAGS
            self.links += tag == "a"
        if tag in _VOID:
            return
        is_mount = "-" in tag or (tag in _MOUNT_TAGS and bool(attributes.get("id")))
        self._open.append((tag, is_mount and not self._invisible, self.words, self._elements))
        self._invisible += tag in _INVISIBLE

    def end(self, tag: str) -> None:
        """Close an element and those left open within it."""
        if tag not in {name for name, *_ in self._open}:
            return
        name = ""
        while name != tag:
            name, is_mount, words, elements = self._open.pop()
            self._invisible -= name in _INVISIBLE
            added = max(self.words - words, self._elements - elements)
            self.empty_mounts += is_mount and added <= PLACEHOLDER_WORDS

    def data(self, text: str) -> None:
        if self._invisible:
            inside = any(name == "noscript" for name, *_ in self._open)
            mentioned = inside and _JAVASCRIPT.search(text) is not None
            self.asks_for_scripts = self.asks_for_scripts or mentioned
        elif self.words <= SHELL_MAX_WORDS:
            self.words += len(_WORD.findall(text[:2_000]))


@dataclass
class _ParserTarget(_ShellDetector):
    """A parser target of lxml, which defines the method names."""

    base: str = ""
    hrefs: dict[str, None] = field(default_factory=dict)
    directives: set[str] = field(default_factory=set)
    refresh: str | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        super().start(tag, attributes)
        if tag in ("a", "area") and len(self.hrefs) < MAX_LINKS:
            self._add_link(attributes)
        elif tag == "frame" and attributes.get("src"):
            self.hrefs.setdefault(attributes["src"])
        elif tag == "meta":
            self._add_meta(attributes)
        elif tag == "base" and attributes.get("href"):
            self.base = resolve_link(self.base, attributes["href"]) or self.base

    def comment(self, text: str) -> None:
        """Ignored."""

    def close(self) -> None:
        """Required by lxml."""

    def _add_link(self, attributes: Mapping[str, str]) -> None:
        relations = set((attributes.get("rel") or "").lower().split())
        href = (attributes.get("href") or "").strip()
        if href and not href.startswith("#") and not relations & {"nofollow", "ugc", "sponsored"}:
            self.hrefs.setdefault(href)

    def _add_meta(self, attributes: Mapping[str, str]) -> None:
        content = attributes.get("content") or ""
        if (attributes.get("name") or "").strip().lower() in ("robots", PRODUCT_TOKEN.lower()):
            self.directives |= parse_robots_directives(content)
        if (attributes.get("http-equiv") or "").strip().lower() == "refresh":
            self.refresh = self.refresh or content


def _parse(body: bytes, url: str, content_type: str) -> _ParserTarget:
    for encoding in dict.fromkeys((_encoding(body, content_type), None, "latin-1")):
        target = _ParserTarget(base=url)
        try:
            parser = etree.HTMLParser(
                target=target, encoding=encoding, no_network=True, recover=True
            )
            parser.feed(body.replace(b"\0", b"") if encoding and "16" not in encoding else body)
            parser.close()
        except LookupError:
            continue  # an unknown encoding
        except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError):
            return target  # what was parsed until then is used
        return target
    return _ParserTarget(base=url)


def _encoding(body: bytes, content_type: str) -> str | None:
    """The encoding by byte order mark, then header, as in browsers; None leaves it to `meta`."""
    for mark, name in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return name
    declared = _CHARSET.search(content_type)
    return declared[1] if declared else None
