"""Is a page only the frame that scripts would draw it into? Told by its shape, not by its maker's names."""

from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

from app.text import patterns

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
