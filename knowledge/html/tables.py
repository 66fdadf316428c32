"""Table rows, and whether a table holds data or is used for layout."""

from bs4 import Tag

from app.text import patterns
from knowledge.html.page import above, attribute, children, first, text_of

_PARTS = ("p", "div", "ul", "table", "form", "h1", "h2", "h3", "pre")
_NUMBERS = patterns.compile(r"\d{1,4}")


def rows(node: Tag) -> list[list[Tag]]:
    """Cells by row: head first, foot last, without those of nested tables."""
    parts: dict[str, list[list[Tag]]] = {"thead": [], "tbody": [], "tfoot": []}
    for child in children(node, "tr", "thead", "tbody", "tfoot"):
        rows = [child] if child.name == "tr" else children(child, "tr")
        kind = "tbody" if child.name == "tr" else child.name
        parts[kind] += [children(row, "td", "th") for row in rows]
    return [row for kind in ("thead", "tbody", "tfoot") for row in parts[kind] if row]


def head_rows(rows: list[list[Tag]]) -> int:
    """Number of header rows at the top."""
    heads = 0
    for row in rows[:4]:
        part = above(row[0], "thead", "table")
        if (part is not None and part.name == "thead") or all(cell.name == "th" for cell in row):
            heads += 1
        else:
            break
    return min(heads, max(1, len(rows) - 1)) if rows else 0


def numbered_listing(rows: list[list[Tag]]) -> Tag | None:
    """The code of a table that adds line numbers, as some highlighters do; None if it is not one."""
    if len(rows) != 1 or len(rows[0]) != 2:
        return None
    beside = text_of(rows[0][0]).split()
    return first(rows[0][1], "pre") if all(map(_NUMBERS.fullmatch, beside)) else None


def is_layout(node: Tag) -> bool:
    """Whether the table is used for layout."""
    if attribute(node, "role").lower() in ("presentation", "none"):
        return True
    if first(node, "th", "caption", "thead") is not None:
        return False
    found = rows(node)
    if max((len(row) for row in found), default=0) <= 1:
        return True
    if len(found) == 1 and numbered_listing(found) is None:
        return first(node, *_PARTS) is not None
    return (
        first(node, "table") is not None and first(node, "h1", "h2", "h3", "form", "p") is not None
    )


def caption(node: Tag) -> str:
    return " ".join(text_of(found) for found in children(node, "caption"))


def span(cell: Tag, name: str) -> int:
    """Row or column span of a cell."""
    value = attribute(cell, name).strip()
    return int(value[:4]) if value[:4].isdigit() else 1
