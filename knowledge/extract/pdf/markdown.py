"""Joins the blocks of all pages into Markdown: finds headings, drops running headers and footers."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from app.text import patterns
from knowledge.extract.pdf.blocks import SOFT, Block, join_lines
from knowledge.extract.port import PageStart

LARGER = 1.12  # relative to the body size: minimum for a heading
EDGE_LARGER = 1.3  # the same at a page's edge, where running headers are
LONGEST_HEADING = 150  # characters
MOST_HEADING_LINES = 3
DEEPEST = 6  # maximum depth in Markdown
MOST_SIZES = 4  # distinct heading sizes
SAME_PLACE = 10.0  # points
MOST_PAGES = 0.5  # share of pages with text at the same height that makes it a running header
REPEATS = 3  # pages with the same text at their edge that make it a running header
_DIGITS = patterns.compile(r"\d+|\b[ivxlc]+\b")
_BAR = patterns.compile(r"(?<!\\)\|")
_WORDS = patterns.compile(r"\w+")
_OPENING = "\"'(\u201c\u2018\u00ab\u00bf\u00a1"
_ENDS = (".", ",", ";", "!", "?")


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An outline entry. `depth` and `page` start at 0; `page` is None without a target."""

    title: str
    depth: int
    page: int | None


def document_markdown(
    pages: Sequence[list[Block]], outline: Iterable[Bookmark]
) -> tuple[str, tuple[PageStart, ...]]:
    """Build the document; also returns where each page begins."""
    body = _body_size(pages)
    is_running = _running_header_test(pages, body)
    contents = [  # a page with nothing else keeps its running headers
        [block for block in page if block.edge is None or not is_running(block)] or page
        for page in pages
    ]
    levels = _Levels(contents, outline, body)
    writer = _Writer()
    for number, page in enumerate(contents):
        writer.turn(number + 1)
        for title, level in levels.unseen(number, page):
            writer.heading(title, level)
        for block in page:
            level = levels.of(number, block)
            if level:
                writer.heading(block.text, level)
            else:
                writer.block(block)
    return writer.text, tuple(writer.starts)


def _running_header_test(pages: Sequence[list[Block]], body: float) -> Callable[[Block], bool]:
    """Whether a block is a running header or footer, by its text without numbers or its height."""
    texts, heights = Counter[str](), Counter[int]()
    for page in pages:
        edges = [block for block in page if block.edge is not None]
        texts.update({_pattern(block.text) for block in edges})
        heights.update({block.edge for block in edges if block.edge is not None})
    minimum = max(REPEATS, len(pages) * MOST_PAGES)

    def is_running(block: Block) -> bool:
        if texts[_pattern(block.text)] >= REPEATS:
            return True
        edge = block.edge or 0
        count = sum(heights[height] for height in (edge - 1, edge, edge + 1))
        return count >= minimum and block.size < EDGE_LARGER * body

    return is_running


def _pattern(text: str) -> str:
    return _DIGITS.sub("#", text.lower()).strip()


def _body_size(pages: Sequence[list[Block]]) -> float:
    """Font size of most letters in the document, in points."""
    letters = Counter[float]()
    for page in pages:
        for block in page:
            if block.kind in ("text", "item"):
                letters[round(block.size, 1)] += len(block.text)
    return letters.most_common(1)[0][0] if letters else 0.0


def title_in(page: Sequence[Block]) -> str:
    """The largest text on the first page; "" if it is not a title."""
    candidates = [
        one for one in page if one.lines <= MOST_HEADING_LINES and _can_be_heading(one.text)
    ]
    return max(candidates, key=lambda one: one.size).text if candidates else ""


class _Levels:
    """Decides which blocks are headings, and their level."""

    def __init__(
        self, pages: Sequence[list[Block]], outline: Iterable[Bookmark], body: float
    ) -> None:
        self._marked: dict[int, dict[str, tuple[str, int]]] = {}
        for mark in outline:
            if mark.page is not None and (key := _key(mark.title)):
                entry = mark.title, min(DEEPEST, mark.depth + 1)
                self._marked.setdefault(mark.page, {}).setdefault(key, entry)
        self._deepest = 0
        self._body = body
        sizes = Counter(
            round(block.size * 2) for page in pages for block in page if self._is_larger(block)
        )
        self._sizes = {size: level for level, size in enumerate(sorted(sizes, reverse=True), 1)}

    def of(self, page: int, block: Block) -> int:
        """Heading level, 1 for the highest; 0 if it is not a heading."""
        if block.kind in ("table", "code") or block.lines > MOST_HEADING_LINES:
            return 0
        if block.edge is not None and block.size < EDGE_LARGER * self._body:
            return 0
        entry = self._marked.get(page, {}).get(_key(block.text))
        if entry and _is_titled(block):
            self._deepest = entry[1]
            return entry[1]
        if self._is_larger(block):
            level = min(self._sizes[round(block.size * 2)], MOST_SIZES)
        elif self._is_bold(block):
            level = min(len(self._sizes), MOST_SIZES) + 1
        else:
            return 0
        return min(DEEPEST, self._deepest + 1) if self._marked else level

    def unseen(self, page: int, blocks: list[Block]) -> list[tuple[str, int]]:
        """Outline entries that no block of their page contains, as in scanned documents."""
        keys = {_key(block.text) for block in blocks if block.lines <= MOST_HEADING_LINES}
        return [entry for key, entry in self._marked.get(page, {}).items() if key not in keys]

    def _is_larger(self, block: Block) -> bool:
        return (
            _is_titled(block)
            and block.size >= LARGER * self._body
            and block.lines <= MOST_HEADING_LINES
            and _can_be_heading(block.text)
        )

    def _is_bold(self, block: Block) -> bool:
        return (
            block.kind == "text"
            and block.bold
            and block.lines == 1
            and block.size >= 0.95 * self._body
            and _can_be_heading(block.text)
            and not block.text.endswith((*_ENDS, ":"))
        )


def _is_titled(block: Block) -> bool:
    """Whether a block stands alone, or begins with a number like a chapter or an item."""
    return block.kind == "text" or (block.kind == "item" and block.text[:1].isdecimal())


def _key(title: str) -> str:
    """Letters and digits only, without a leading number, which outlines may omit."""
    words = _WORDS.findall(title.lower())
    while len(words) > 1 and words[0].isdecimal():
        words = words[1:]
    return "".join(words)


def _can_be_heading(text: str) -> bool:
    letters = sum(letter.isalpha() for letter in text)
    starts_well = text[:1].isalnum() or text[:1] in _OPENING
    return starts_well and len(text) <= LONGEST_HEADING and letters >= 2 and letters > len(text) / 3


class _Writer:
    """Writes blocks, and rejoins text that continues across pages."""

    def __init__(self) -> None:
        self.starts: list[PageStart] = []
        self._parts: list[str] = []
        self._length = 0
        self._last: Block | None = None
        self._turned: int | None = None

    @property
    def text(self) -> str:
        return "".join(self._parts).replace(SOFT, "-")

    def turn(self, page: int) -> None:
        self._begin()
        self._turned = page

    def heading(self, text: str, level: int) -> None:
        self._add(f"{'#' * level} {' '.join(text.split())}", None)

    def block(self, block: Block) -> None:
        last = self._last
        if last and self._turned and _continues_table(last, block):
            self._append("\n")
            self._begin()
            self._append(_rows_without_head(last.text, block.text))
            return
        if last and _continues_paragraph(last, block):
            previous = self._parts.pop()
            self._length -= len(previous)
            joined = join_lines([previous, block.text])
            start = max(0, len(joined) - len(block.text))
            self._begin(start)
            self._append(joined)
            self._last = block
            return
        self._add(_escape(block), block)

    def _add(self, text: str, block: Block | None) -> None:
        if self._parts:
            in_list = block and self._last and block.kind == self._last.kind == "item"
            self._append("\n" if in_list else "\n\n")
        self._begin()
        self._append(text)
        self._last = block

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _begin(self, offset: int = 0) -> None:
        """Record the offset of the page once it has text."""
        if self._turned is not None:
            self.starts.append(PageStart(number=self._turned, start=self._length + offset))
            self._turned = None


def _continues_table(last: Block, block: Block) -> bool:
    """Whether a table continues the previous page's: as many columns from the same left edge."""
    if not block.kind == last.kind == "table" or abs(block.left - last.left) > SAME_PLACE:
        return False
    return _columns(block.text) == _columns(last.text)


def _columns(text: str) -> int:
    return len(_BAR.findall(text.partition("\n")[0]))


def _rows_without_head(text: str, continuation: str) -> str:
    head, _, *rows = continuation.split("\n")
    return "\n".join(rows if text.startswith(head + "\n") else [head, *rows])


def _continues_paragraph(last: Block, block: Block) -> bool:
    """Whether a paragraph continues in the next column or on the next page."""
    if block.kind != "text" or last.kind not in ("text", "item") or not last.whole:
        return False
    same_style = abs(last.size - block.size) < 0.5 and last.bold == block.bold
    return same_style and not last.text.endswith((*_ENDS, ":")) and block.text[:1].islower()


def _escape(block: Block) -> str:
    """Escape text that would be parsed as a heading, table or quote."""
    text = block.text
    if block.kind == "text" and text[:1] in ("#", ">", "|"):
        return "\\" + text
    return text
