"""What a crawl wants to know of a page: where it leads, and what it says about being indexed.

The page is not built as a tree: libxml2 tells each tag as it comes, and only what is asked for is kept.
"""

import codecs
from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import etree

from app.text import patterns
from knowledge.crawl.addresses import joined
from knowledge.crawl.robots import TOKEN

FEW_WORDS = 25  # visible words; a page that says more has something to read
PLACEHOLDER = 6  # words that may stand in the place to be drawn: "Loading, please wait"
_UNSEEN = {"script", "style", "noscript", "template", "title", "head", "svg"}
_PLACES = {"div", "main", "section", "article", "span", "app", "body"}
_SUBSTANCE = {
    "table",
    "form",
    "input",
    "textarea",
    "select",
    "video",
    "audio",
    "object",
    "embed",
    "dl",
    "pre",
}
_VOID = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
}  # fmt: skip
_DATA_TYPES = (
    "application/ld+json",
    "application/json",
    "text/template",
    "importmap",
    "speculationrules",
)
_ASKS_FOR_SCRIPTS = patterns.compile(r"java\s?script", patterns.IGNORECASE)
_WORD = patterns.compile(r"\w+")


@dataclass
class Drawn:
    """What a page shows by itself, gathered from its tags as they come.

    A shell shows next to nothing, runs scripts, and has an empty place for them to draw into: an element
    with an id or of the page's own making, with no words or hardly any in it. Or its <noscript> says that
    it needs JavaScript.
    """

    words: int = 0
    links: int = 0
    scripts: int = 0
    empty_places: int = 0
    substance: int = 0
    asks: bool = False

    def __post_init__(self) -> None:
        self._open: list[
            tuple[str, bool, int, int]
        ] = []  # tag, may be a place, words before, elements before
        self._unseen = 0
        self._elements = 0

    @property
    def is_shell(self) -> bool:
        """Whether there is nothing to read before scripts have run."""
        if self.words > FEW_WORDS or self.substance or not self.scripts:
            return False
        if self.links > 3 and self.words > PLACEHOLDER:
            return False
        return self.empty_places > 0 or (self.asks and self.words <= FEW_WORDS)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A tag was opened."""
        if tag == "script" and (attributes.get("type") or "").strip().lower() not in _DATA_TYPES:
            self.scripts += 1
        if not self._unseen:
            self._elements += 1
            self.substance += tag in _SUBSTANCE
            self.links += tag == "a"
        if tag in _VOID:
            return
        place = "-" in tag or (tag in _PLACES and bool(attributes.get("id")) and tag != "body")
        self._open.append((tag, place and not self._unseen, self.words, self._elements))
        self._unseen += tag in _UNSEEN

    def end(self, tag: str) -> None:
        """A tag was closed."""
        if tag not in {name for name, *_ in self._open}:
            return
        while self._open:
            name, place, words, elements = self._open.pop()
            self._unseen -= name in _UNSEEN
            if (
                place
                and self.words - words <= PLACEHOLDER
                and self._elements - elements <= PLACEHOLDER
            ):
                self.empty_places += 1
            if name == tag:
                return

    def data(self, text: str) -> None:
        """Text between tags."""
        if self._unseen:
            inside = any(name == "noscript" for name, *_ in self._open)
            self.asks = self.asks or (inside and _ASKS_FOR_SCRIPTS.search(text) is not None)
        elif self.words <= FEW_WORDS:
            self.words += len(_WORD.findall(text[:2_000]))


def is_shell(html: str | bytes) -> bool:
    """Whether this HTML is only the frame of a page that JavaScript draws: nothing of it can be read
    without a browser.
    """

    class Target(Drawn):
        def close(self) -> None:
            """Nothing is left to be done."""

    drawn = Target()
    text = html.encode("utf-8", "replace") if isinstance(html, str) else html
    encoding = "utf-8" if isinstance(html, str) else None
    parser = etree.HTMLParser(target=drawn, encoding=encoding, no_network=True, recover=True)
    try:
        parser.feed(text)
        parser.close()
    except (etree.LxmlError, ValueError, AssertionError):
        return drawn.is_shell
    return drawn.is_shell


MOST_LINKS = 5_000  # of one page; a page of more is a list for machines
_CHARSET = patterns.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", patterns.IGNORECASE)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_REFRESH = patterns.compile(
    r"\s*(\d+)[^;,]*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"'>]+)", patterns.IGNORECASE
)
_SOON_S = 5  # a page that refreshes later than this is meant to be read


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Of one page: `links` are `normal` addresses in their order, each once, without those that it does
    not vouch for (nofollow). `onward` is where a page that only redirects by its HTML leads to; `shell`
    says that scripts would have to draw it.
    """

    links: tuple[str, ...] = ()
    noindex: bool = False
    onward: str | None = None
    shell: bool = False


@dataclass
class _Seen:
    """The target of the parser. Only names that are known can be asked of it: see lxml's parser targets."""

    base: str
    hrefs: dict[str, None] = field(default_factory=dict)
    said: set[str] = field(default_factory=set)
    refresh: str | None = None
    drawn: Drawn = field(default_factory=Drawn)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.drawn.start(tag, attributes)
        if tag in ("a", "area") and len(self.hrefs) < MOST_LINKS:
            self._link(attributes)
        elif tag == "frame" and attributes.get("src"):
            self.hrefs.setdefault(attributes["src"])
        elif tag == "meta":
            self._meta(attributes)
        elif tag == "base" and attributes.get("href"):
            self.base = joined(self.base, attributes["href"]) or self.base

    def end(self, tag: str) -> None:
        self.drawn.end(tag)

    def data(self, text: str) -> None:
        self.drawn.data(text)

    def comment(self, text: str) -> None:
        """Says nothing to us."""

    def close(self) -> "_Seen":
        return self

    def _link(self, attributes: Mapping[str, str]) -> None:
        said = set((attributes.get("rel") or "").lower().split())
        href = (attributes.get("href") or "").strip()
        if href and not href.startswith("#") and not said & {"nofollow", "ugc", "sponsored"}:
            self.hrefs.setdefault(href)

    def _meta(self, attributes: Mapping[str, str]) -> None:
        content = attributes.get("content") or ""
        if (attributes.get("name") or "").strip().lower() in ("robots", TOKEN.lower()):
            self.said |= words(content)
        if (attributes.get("http-equiv") or "").strip().lower() == "refresh":
            self.refresh = self.refresh or content


def words(content: str) -> set[str]:
    """What a robots tag or header says, as in {"noindex", "nofollow"}; for another's name, nothing."""
    found: set[str] = set()
    for part in content.lower().split(","):
        name, colon, rest = part.partition(":")
        if colon and name.strip() not in ("unavailable_after", TOKEN.lower()):
            if name.strip().startswith("max-"):
                continue
            return found  # from here on it is for another crawler
        found.add((rest if colon and name.strip() == TOKEN.lower() else part).strip())
    return {"noindex", "nofollow"} | found if "none" in found else found


def look(body: bytes, url: str, declared: str, robots_header: str = "") -> Look:
    """What there is to know of the HTML at `url`. Never raises for what the page says."""
    seen = _parsed(body, url, declared)
    said = seen.said | words(robots_header)
    links = () if "nofollow" in said else _addresses(seen)
    return Look(
        links=links,
        noindex="noindex" in said,
        onward=_onward(seen),
        shell=seen.drawn.is_shell,
    )


def _parsed(body: bytes, url: str, declared: str) -> _Seen:
    for encoding in dict.fromkeys((_encoding(body, declared), None, "latin-1")):
        seen = _Seen(base=url)
        try:
            parser = etree.HTMLParser(target=seen, encoding=encoding, no_network=True, recover=True)
            parser.feed(body.replace(b"\0", b"") if encoding and "16" not in encoding else body)
            parser.close()
        except LookupError:
            continue  # an encoding that nobody knows
        except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError):
            return seen  # what was told until there counts
        return seen
    return _Seen(base=url)


def _encoding(body: bytes, declared: str) -> str | None:
    """As a browser decides: the mark at the beginning, then the header; None lets the page's own tag say."""
    for mark, name in _MARKS:
        if body.startswith(mark):
            return name
    found = _CHARSET.search(declared)
    return found[1] if found else None


def _addresses(seen: _Seen) -> tuple[str, ...]:
    found = (joined(seen.base, href) for href in seen.hrefs)
    return tuple(dict.fromkeys(address for address in found if address))


def _onward(seen: _Seen) -> str | None:
    found = _REFRESH.match(seen.refresh or "")
    return joined(seen.base, found[2]) if found and int(found[1]) <= _SOON_S else None
