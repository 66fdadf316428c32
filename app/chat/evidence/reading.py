"""A passage in Markdown, read as its sentences, list items, rows of tables, lines of code and headings."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from app.text import patterns

UnitKind = Literal["prose", "item", "row", "code", "heading"]

_REMEMBERED = 1_024  # passages: some turns' worth
_FENCE = patterns.compile(r"^\s*(?:```|~~~)")
_HEADING = patterns.compile(r"^\s{0,3}#{1,6}\s+(?P<text>.*?)\s*#*\s*$")
_ITEM = patterns.compile(r"^\s*(?P<mark>[-*+•]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+(?P<text>\S.*)$")
_QUOTED = patterns.compile(r"^\s*>(?!>)\s?")
_RULE = patterns.compile(r"^\s*\|?[\s:|=_*-]+\|?\s*$")
_PICTURE = patterns.compile(r"!\[([^\]]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
_LINK = patterns.compile(r"(?<!\\)\[([^\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)")
_MARKS = patterns.compile(r"(?<!\\)(?:\*{1,3}|~~|`+|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w))")
_ESCAPED = patterns.compile(r"\\([!-/:-@\[-`{-~])")
_MARKERS = patterns.compile(
    r"\s*\[\s*[PW]?\d{1,4}(?:\s*[,;-]\s*[PW]?\d{1,4})*\s*\]", patterns.IGNORECASE
)
_TAG = patterns.compile(r"</?[a-z][a-z0-9]{0,10}(?:\s[^<>]{0,200})?/?>", patterns.IGNORECASE)
# A sentence ends at its mark, a blank, and what one begins with.
_END = patterns.compile(
    r"(?<=[.!?\u2026])[\"'\u201d\u2019)\]]*\s+(?=[\"'\u201c\u2018(\[]*[^\W_a-z])|(?<=[。！？])"  # noqa: RUF001
)
_NO_END = patterns.compile(
    r"(?:^|[\s(])(?:[^\W\d_]|e\.g|i\.e|etc|vs|cf|approx|ca|mr|mrs|ms|dr|prof|st|no|nos|nr|fig|sec|ch|art|vol"
    r"|pp?|inc|ltd|co|corp|dept|est|min|max|bzw|usw|z\.b|d\.h|u\.s|u\.k)\.[\"')\]]*\s*$",
    patterns.IGNORECASE,
)
_LONGEST_SHORT = 16  # characters: "(approx." and the like, with room
_INITIAL = patterns.compile(r"(?:^|\s)[^\W\d_]\.$")
_NUMBERED = patterns.compile(r"\bno\.$", patterns.IGNORECASE)
_CELL_END = patterns.compile(r"(?<!\\)\|")
_ALWAYS_OPEN = patterns.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|vs|cf|approx|mr|mrs|ms|dr|prof|fig|z\.b|d\.h)\.\s*$",
    patterns.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Unit:
    """One sentence or the like. `text` is how it reads by itself, a row's cells with their headings, without
    references as in "[3]"; `quote` are the passage's own words, without marks. Units of one paragraph, list
    or table share a `block`; those of one list item its `item`, counted from 1, 0 elsewhere; `ordered`: the
    list is numbered.
    """

    text: str
    quote: str
    kind: UnitKind
    block: int
    item: int = 0
    ordered: bool = False


@lru_cache(maxsize=_REMEMBERED)
def units_of(text: str) -> tuple[Unit, ...]:
    """All of them in their order."""
    return tuple(unit for unit in _units(text) if unit.quote)


def unmarked(text: str) -> str:
    """A line without Markdown's marks: links and pictures are their words."""
    bare = _LINK.sub(r"\1", _PICTURE.sub(r"\1", text))
    return " ".join(_ESCAPED.sub(r"\1", _MARKS.sub("", _TAG.sub(" ", bare))).split())


def without_markers(text: str) -> str:
    """A text without references as in "[3]": in an answer ours alone say what holds it."""
    return " ".join(_MARKERS.sub("", text).split())


def split(paragraph: str) -> Iterator[str]:
    """Its sentences."""
    start = 0
    for end in _END.finditer(paragraph):
        before = paragraph[start : end.start()]
        following = paragraph[end.end() : end.end() + 1]
        tail = before[-_LONGEST_SHORT:]
        if _ALWAYS_OPEN.search(tail) or (_NO_END.search(tail) and not following.isupper()):
            continue
        if _INITIAL.search(tail) or _NUMBERED.search(tail):
            continue  # "J. Smith", "No. 5"
        yield paragraph[start : end.end()].strip()
        start = end.end()
    if rest := paragraph[start:].strip():
        yield rest


def _units(text: str) -> Iterator[Unit]:
    reader = _Reader()
    lines = text.splitlines()
    reader.coded = _begins_in_code(lines)
    for line in lines:
        yield from reader.line(_QUOTED.sub("", line))
    yield from reader.closed()


def _begins_in_code(lines: list[str]) -> bool:
    """Whether the passage was cut in the middle of code: its first fence has no other, and ends something."""
    fences = [at for at, line in enumerate(lines) if _FENCE.match(line)]
    if len(fences) % 2 == 0 or not fences[0]:
        return False
    following = lines[fences[0] + 1 : fences[0] + 2]
    return lines[fences[0]].strip() in ("```", "~~~") and not any(one.strip() for one in following)


class _Reader:
    """Reads line after line; `lines` are those of the paragraph or item that is not at its end yet."""

    def __init__(self) -> None:
        self.block = self.item = 0
        self.kind: UnitKind = "prose"
        self.ordered = self.coded = self.apart = False
        self.lines: list[str] = []
        self.heading: list[str] = []

    def line(self, line: str) -> Iterator[Unit]:
        """What ends with this line."""
        if _FENCE.match(line):
            yield from self.begun("prose")
            self.coded = not self.coded
        elif self.coded:
            yield Unit(line.strip(), line.strip(), "code", self.block)
        elif not line.strip():
            yield from self.closed()
            self.heading, self.apart = [], True
        elif found := _HEADING.match(line):
            yield from self.begun("prose")
            yield Unit(unmarked(found["text"]), unmarked(found["text"]), "heading", self.block)
        elif line.lstrip().startswith("|") or (self.heading and "|" in line):
            yield from self.table(line)
        elif _RULE.match(line):
            yield from self.closed()
        elif item := _ITEM.match(line):
            yield from self.next_item(item)
        else:
            if self.apart and not (self.kind == "item" and line[:1].isspace()):
                yield from self.begun("prose")
            self.apart = False
            self.lines.append(line.strip())

    def table(self, line: str) -> Iterator[Unit]:
        """A row; the first one of a table is its heading."""
        if not self.heading:
            yield from self.begun("row")
            self.heading = _cells(line)
        elif not _RULE.match(line):
            yield _row(self.heading, _cells(line), self.block)

    def next_item(self, found: patterns.Match) -> Iterator[Unit]:
        """Items that empty lines part are still one list, where they are marked alike."""
        ordered = found["mark"][0] not in "-*+•"
        if self.kind != "item" or (self.apart and ordered != self.ordered):
            yield from self.begun("item")
            self.ordered, self.item = ordered, 0
        yield from self.closed()
        self.item, self.apart = self.item + 1, False
        self.lines.append(found["text"])

    def begun(self, kind: UnitKind) -> Iterator[Unit]:
        """The end of what was before, and the beginning of something else."""
        yield from self.closed()
        self.block, self.kind, self.heading, self.apart = self.block + 1, kind, [], False

    def closed(self) -> Iterator[Unit]:
        """The sentences of the lines."""
        listed = self.kind == "item"
        item, ordered = (self.item, self.ordered) if listed else (0, False)
        whole = unmarked(" ".join(self.lines))
        self.lines.clear()
        for one in split(whole):
            yield Unit(
                without_markers(one), one, "item" if listed else "prose", self.block, item, ordered
            )


def _row(heading: list[str], cells: list[str], block: int) -> Unit:
    pairs = list(zip(heading + [""] * len(cells), cells, strict=False))
    shown = [f"{head}: {cell}" if head else cell for head, cell in pairs if cell]
    return Unit(", ".join(shown), " | ".join(filter(None, cells)), "row", block)


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [unmarked(one) for one in _CELL_END.split(inner)]
