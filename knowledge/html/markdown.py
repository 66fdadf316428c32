"""Converts a cleaned tree to Markdown with `markdownify`, with tables, code and links for chunks."""

from collections.abc import Callable
from typing import Any

from bs4 import Tag
from bs4.element import NavigableString
from markdownify import MarkdownConverter

from app.text import patterns
from knowledge.extract.markdown import Cell, fill_spans, pipe_table
from knowledge.html.page import above, attribute, children, first, text_of

_PARTS = ("p", "div", "ul", "table", "form", "h1", "h2", "h3", "pre")
_NUMBERS = patterns.compile(r"\d{1,4}")
LONGEST_LINK = 400  # maximum characters of a URL written in a link
LONGEST_LANGUAGE = 20
_BLANKS = dict.fromkeys(map(ord, "\t\r\n\f\v\u00a0"), " ")
# First characters of texts that may need escaping: block markers, or a container's mark.
_BEGIN_BLOCKS = frozenset("#>-+*`~=0123456789\ufdd0\ufdd1")
# Block markers of Markdown at the beginning of a text.
_BEFORE = r"^((?:\s|[\ufdd0\ufdd1].)*"  # blanks, and container marks
_AFTER = r"(?=(?:\s|[\ufdd0\ufdd1].)*$))"
_BLOCK = patterns.compile(
    _BEFORE + r")(#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|`{3,}|~{3,}|(?:={2,}|-{2,})" + _AFTER
)
_NUMBER = patterns.compile(_BEFORE + r"\d{1,9})([.)])(?=\s|$)")
_TICKS = patterns.compile(r"`{3,}")
_LANGUAGE = patterns.compile(
    r"(?:^|\s)(?:language|lang|highlight-source|highlight|brush:?|sourceCode)[-\s:]([\w+#.-]+)",
    patterns.IGNORECASE,
)
_NO_LANGUAGE = frozenset(
    {"default", "none", "text", "plaintext", "plain", "notranslate", "nohighlight", "highlight"}
)
_ONE_LINE = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "td", "th"})
_AS_IT_IS = frozenset({"pre", "code", "kbd", "samp"})
_LIKE_DIV = frozenset({
    "main", "form", "fieldset", "details", "figure", "address", "dialog", "aside", "header", "footer",
    "nav", "body", "template", "dl-sections",
})  # fmt: skip
_BLOCKS = _LIKE_DIV | {
    "p", "blockquote", "article", "div", "section", "ol", "ul", "li", "dl", "dt", "dd", "table", "thead",
    "tbody", "tfoot", "tr", "td", "th", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "summary",
    "figcaption", "hr", "legend", "caption",
}  # fmt: skip


def table_rows(node: Tag) -> list[list[Tag]]:
    """Cells by row: head first, foot last, without those of nested tables."""
    parts: dict[str, list[list[Tag]]] = {"thead": [], "tbody": [], "tfoot": []}
    for child in children(node, "tr", "thead", "tbody", "tfoot"):
        rows = [child] if child.name == "tr" else children(child, "tr")
        kind = "tbody" if child.name == "tr" else child.name
        parts[kind] += [children(row, "td", "th") for row in rows]
    return [row for kind in ("thead", "tbody", "tfoot") for row in parts[kind] if row]


def head_rows(rows: list[list[Tag]]) -> int:
    heads = 0
    for row in rows[:4]:
        section = above(row[0], "thead", "table")
        if (section is not None and section.name == "thead") or all(
            cell.name == "th" for cell in row
        ):
            heads += 1
        else:
            break
    return min(heads, max(1, len(rows) - 1)) if rows else 0


def numbered_listing(rows: list[list[Tag]]) -> Tag | None:
    """The code of a table that adds line numbers, as some highlighters do; None if it is not one."""
    if len(rows) != 1 or len(rows[0]) != 2:
        return None
    numbers = text_of(rows[0][0]).split()
    return first(rows[0][1], "pre") if all(map(_NUMBERS.fullmatch, numbers)) else None


def is_layout(node: Tag) -> bool:
    if attribute(node, "role").lower() in ("presentation", "none"):
        return True
    if first(node, "th", "caption", "thead") is not None:
        return False
    rows = table_rows(node)
    if max((len(row) for row in rows), default=0) <= 1:
        return True
    if len(rows) == 1 and numbered_listing(rows) is None:
        return first(node, *_PARTS) is not None
    return (
        first(node, "table") is not None and first(node, "h1", "h2", "h3", "form", "p") is not None
    )


def span(cell: Tag, name: str) -> int:
    value = attribute(cell, name).strip()
    return int(value[:4]) if value[:4].isdigit() else 1


Address = Callable[[str], str | None]
Around = frozenset[str]
_Base: Any = MarkdownConverter  # the type stubs omit the methods overridden here


class Converter(_Base):  # type: ignore[misc]
    """Converts elements to Markdown. `address` resolves a link; None if it has no target."""

    def __init__(self, address: Address) -> None:
        super().__init__(heading_style="atx", bullets="-", strip_document=None)
        self._address = address
        self._inner: dict[tuple[Around, str], Around] = {}
        self._named: set[str] = set()
        self._numbers: dict[int, int] = {}

    def get_conv_fn(self, tag_name: str) -> Callable[..., str] | None:
        name = "div" if tag_name in _LIKE_DIV else tag_name
        function: Callable[..., str] | None = super().get_conv_fn(name)
        return function

    def process_text(self, el: NavigableString, parent_tags: Around | None = None) -> str:
        """Collapse whitespace outside of code, and escape block markers."""
        around = parent_tags or frozenset()
        if "pre" in around:
            return str(el)
        text = _collapse_blanks(el)
        before, after = el.previous_sibling, el.next_sibling
        if "_noformat" not in around and (before is None or _is_block(before)):
            text = self.escape(text, around)
        if _is_block(before) or (before is None and _is_block(el.parent)):
            text = text.lstrip()
        if _is_block(after) or (after is None and _is_block(el.parent)):
            text = text.rstrip()
        return text

    def escape(self, text: str, parent_tags: Around) -> str:
        """Escape block markers only: `*`, `_` and brackets stay as they are read and searched for."""
        if text.lstrip()[:1] not in _BEGIN_BLOCKS:
            return text
        return _NUMBER.sub(r"\1\\\2", _BLOCK.sub(r"\1\\\2", text))

    def convert_a(self, el: Tag, text: str, parent_tags: Around) -> str:
        """A link with its absolute URL at the first occurrence only; links within the page become
        text.

        Repeated URLs in reference documentation are up to a third of the text.
        """
        words = text.strip()
        if "_noformat" in parent_tags or not words or attribute(el, "href").startswith("#"):
            return text
        address = self._address(attribute(el, "href"))
        if address is None or len(address) > LONGEST_LINK or "\n" in words:
            return text
        if address in self._named:
            return text
        self._named.add(address)
        lead = " " if text[0].isspace() else ""
        return f"{lead}[{words}]({address}){' ' if text[-1].isspace() else ''}"

    def convert_img(self, el: Tag, text: str, parent_tags: Around) -> str:
        alt = " ".join((attribute(el, "alt") or attribute(el, "title")).split())
        return f"[picture: {alt}]" if len(alt) > 2 else ""

    def convert_video(self, el: Tag, text: str, parent_tags: Around) -> str:
        return ""

    def convert_li(self, el: Tag, text: str, parent_tags: Around) -> str:
        words = text.strip()
        if not words:
            return "\n"
        bullet = "- "
        if el.parent is not None and el.parent.name == "ol":
            start = attribute(el.parent, "start")
            first_number = int(start) if start.isdecimal() and len(start) < 6 else 1
            number = self._numbers.get(id(el.parent), first_number)
            self._numbers[id(el.parent)] = number + 1
            bullet = f"{number}. "
        indent = " " * len(bullet)
        first, *lines = words.split("\n")
        rest = (f"\n{indent}{line}" if line else "\n" for line in lines)
        return f"{bullet}{first}{''.join(rest)}\n"

    def convert_summary(self, el: Tag, text: str, parent_tags: Around) -> str:
        return f"\n\n**{text.strip()}**\n\n" if text.strip() else ""

    convert_legend = convert_summary

    def convert_pre(self, el: Tag, text: str, parent_tags: Around) -> str:
        """A fenced listing, with a fence that does not occur in it."""
        code = text.strip("\r\n").rstrip()
        if not code.strip():
            return ""
        if "_inline" in parent_tags:
            return f" `{_collapse_blanks(code)}` "
        longest = max((len(found[0]) for found in _TICKS.finditer(code)), default=2)
        fence = "`" * max(3, longest + 1)
        return f"\n\n{fence}{_language(el)}\n{code}\n{fence}\n\n"

    def convert_table(self, el: Tag, text: str, parent_tags: Around) -> str:
        """A table with one line per row; `text` already has its cells, see `convert_tr`."""
        if "_inline" in parent_tags:
            return f" {_collapse_blanks(text).strip()} "
        return f"\n\n{text.strip()}\n\n" if text.strip() else ""

    def process_tag(self, node: Tag, parent_tags: Around | None = None) -> str:
        """Convert an element and its content; tables are converted separately, since their cells
        have positions.

        Replaces the method of `markdownify`, which inspects the ancestors of each element and takes
        three times as long.
        """
        around = parent_tags or frozenset()
        if node.name == "table" and not is_layout(node):
            return self.convert_table(node, self._grid(node, around), around)
        return self._element(node, around)

    def _element(self, node: Tag, around: Around) -> str:
        inner = self._inner.get((around, node.name)) or self._within(node.name, around)
        parts: list[str] = []
        for child in node.contents:
            if isinstance(child, Tag):
                part = self.process_tag(child, inner)
            elif isinstance(child, NavigableString):
                part = self.process_text(child, inner)
            if part:
                parts.append(part)
        text = "".join(parts) if "pre" in inner else _join_parts(parts)
        convert = self.get_conv_fn_cached(node.name)
        return text if convert is None else convert(node, text, parent_tags=around)

    def _within(self, name: str, around: Around) -> Around:
        """The ancestors of an element's children, with the pseudo-tags of `markdownify`."""
        added = {name}
        if name in _ONE_LINE:
            added.add("_inline")
        if name in _AS_IT_IS:
            added.add("_noformat")
        self._inner[(around, name)] = ancestors = around | added
        return ancestors

    def _grid(self, node: Tag, parent_tags: Around) -> str:
        rows = table_rows(node)
        listing = numbered_listing(rows)
        if listing is not None:
            return self._element(listing, parent_tags)
        inner = parent_tags | {"table", "_inline"}
        cells = [[self._cell(cell, inner) for cell in row] for row in rows]
        grid, span_heads = fill_spans([row for row in cells if row])
        caption = " ".join(text_of(found) for found in children(node, "caption"))
        heads = max(head_rows(rows), span_heads if span_heads > 1 else 0)
        if not heads and grid:
            grid.insert(0, [""] * len(grid[0]))
        if "_inline" in parent_tags:
            table = "; ".join(", ".join(filter(None, row)) for row in grid)
        else:
            table = pipe_table(grid, heads or 1)
        return f"{caption}\n\n{table}" if caption and table else table

    def _cell(self, cell: Tag, inner: Around) -> Cell:
        lines = [" ".join(line.split()) for line in self._element(cell, inner).split("\n")]
        text = "\n".join(line for line in lines if line)
        return Cell(text, span(cell, "colspan"), span(cell, "rowspan"))

    def convert_td(self, el: Tag, text: str, parent_tags: Around) -> str:
        """Text of a cell; a paragraph in a layout table."""
        in_cell = "table" in parent_tags and "_inline" in parent_tags
        return text if in_cell else f"\n\n{text.strip()}\n\n"

    convert_th = convert_td

    def convert_tr(self, el: Tag, text: str, parent_tags: Around) -> str:
        return f"\n\n{text.strip()}\n\n"


def _join_parts(parts: list[str]) -> str:
    """Join parts with at most one blank line between them, depending on the newlines at their ends."""
    joined: list[str] = []
    ends = 0  # newlines at the end of the previous part
    for part in parts:
        inner = part.strip("\n")
        begins = len(part) if not inner else len(part) - len(part.lstrip("\n"))
        joined.append("\n" * (min(2, max(ends, begins)) if ends and begins else ends + begins))
        joined.append(inner)
        ends = len(part) - begins - len(inner)
    joined.append("\n" * ends)
    return "".join(joined)


def _collapse_blanks(text: str) -> str:
    spaced = text.translate(_BLANKS)
    words = " ".join(filter(None, spaced.split(" ")))
    before, after = spaced.startswith(" "), spaced.endswith(" ") and words
    return f"{' ' if before else ''}{words}{' ' if after else ''}"


def _is_block(node: object) -> bool:
    return isinstance(node, Tag) and node.name in _BLOCKS


def _language(pre: Tag) -> str:
    """Language of a listing, from its classes or those of its ancestors."""
    inner = first(pre, "code")
    for tag in (pre, inner, pre.parent, pre.parent.parent if pre.parent is not None else None):
        if not isinstance(tag, Tag):
            continue
        language = attribute(tag, "data-lang") or attribute(tag, "data-language")
        match = _LANGUAGE.search(attribute(tag, "class"))
        name = (language or (match[1] if match else "")).lower()
        if name and name not in _NO_LANGUAGE:
            return name[:LONGEST_LANGUAGE] if patterns.fullmatch(r"[\w+#.-]+", name) else ""
    return ""
