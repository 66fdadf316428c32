"""Parses Markdown into blocks: their kind, and where each begins and ends."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Literal

from app.text import patterns

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BlockKind = Literal["heading", "prose", "list", "item", "table", "code", "quote"]

LINE_END = patterns.compile(r"\r\n?|\n")
_FRONT_MATTER = patterns.compile(
    r"---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", patterns.DOTALL | patterns.MULTILINE
)
_RULE = patterns.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_OPENS: dict[str, BlockKind] = {
    "heading_open": "heading",
    "paragraph_open": "prose",
    "html_block": "prose",
    "fence": "code",
    "code_block": "code",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "blockquote_open": "quote",
}
_LINK = patterns.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)")
_ESCAPE = patterns.compile(r"\\([!-/:-@\[-`{-~])")
_MARKS = patterns.compile(r"(?<!\\)(?:\*{1,3}|`+|~~)")


@dataclass(slots=True)
class Block:
    """Characters `start` to `end` of a text.

    `level` and `title` are set for headings. `info` is the info string of a fence, None for
    indented code. Lists contain items; items and quotes contain blocks.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    title: str = ""
    info: str | None = None
    inner: "list[Block]" = field(default_factory=list)


class Lines:
    """Line offsets of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(found.end() for found in LINE_END.finditer(text))]

    def span(self, first: int, after: int) -> tuple[int, int]:
        """Character span of lines `first` up to `after`, stripped of blank ends."""
        start = self.start(first)
        end = self.start(after)
        while end > start and self.text[end - 1].isspace():
            end -= 1
        return start, end

    def start(self, line: int) -> int:
        """Offset of a line; the length of the text for lines past the end."""
        return self.starts[line] if line < len(self.starts) else len(self.text)


@cache
def _parser() -> "MarkdownIt":
    """Parses blocks except tables, which `_paragraph` finds: the parser emits three tokens per cell."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - only chunking needs it

    return MarkdownIt("commonmark").disable(["inline", "reference"])


def parse_blocks(markdown: str) -> list[Block]:
    front = _FRONT_MATTER.match(markdown)
    skipped = front.end() if front else 0
    text = markdown[skipped:]
    lines = Lines(text)
    blocks = _build_tree(_parser().parse(text), lines)
    if skipped:
        _shift(blocks, skipped)
        blocks.insert(0, Block("prose", 0, len(markdown[:skipped].rstrip())))
    return blocks


def _build_tree(tokens: "list[Token]", lines: Lines) -> list[Block]:
    root = Block("quote", 0, len(lines.text))
    open_blocks = [root]
    for token in tokens:
        if token.nesting < 0 and token.type.removesuffix("close") + "open" in _OPENS:
            open_blocks.pop()
        elif token.type in _OPENS and token.map is not None:
            blocks = _blocks_of(token, lines)
            open_blocks[-1].inner.extend(blocks)
            if token.nesting > 0:
                open_blocks.append(blocks[-1])
        elif token.type == "inline" and open_blocks[-1].kind == "heading":
            open_blocks[-1].title = strip_marks(token.content)
    return root.inner


def _blocks_of(token: "Token", lines: Lines) -> list[Block]:
    first, after = token.map or (0, 0)
    kind = _OPENS[token.type]
    if token.type == "paragraph_open":
        return _paragraph(first, after, lines)
    start, end = lines.span(first, after)
    if kind == "heading":
        return [Block(kind, start, end, level=int(token.tag[1:]))]
    return [Block(kind, start, end, info=token.info.strip() if token.type == "fence" else None)]


def _paragraph(first: int, after: int, lines: Lines) -> list[Block]:
    """Split a paragraph into prose and the table that begins in it."""
    head = next(_table_headers(first, after, lines), None)
    if head is None:
        return [Block("prose", *lines.span(first, after))]
    table = Block("table", *lines.span(head, after))
    return [table] if head == first else [Block("prose", *lines.span(first, head)), table]


def _table_headers(first: int, after: int, lines: Lines) -> Iterator[int]:
    """Yield header lines of tables: the next line is a delimiter row with as many columns."""
    text = lines.text
    for line in range(first, after - 1):
        rule = text[lines.start(line + 1) : lines.start(line + 2)].rstrip()
        head = text[lines.start(line) : lines.start(line + 1)]
        if "-" in rule and "|" in rule and "|" in head and _RULE.match(rule):
            yield line


def _shift(blocks: list[Block], offset: int) -> None:
    pending = list(blocks)
    while pending:
        block = pending.pop()
        block.start += offset
        block.end += offset
        pending.extend(block.inner)


def strip_marks(text: str) -> str:
    unlinked = _LINK.sub(r"\1", text)
    return " ".join(_ESCAPE.sub(r"\1", _MARKS.sub("", unlinked)).split())
