"""Executes a model's `find` and `read` on the whole page and in downloaded files."""

from collections.abc import Sequence

from app.domain.action import Action
from app.domain.page import Node, Observation, PlacedText
from app.domain.reasoner import Download
from app.page.controls import is_inside
from app.page.evidence import fold_words
from app.page.render import cut_text, picture_scale, render_control

BETWEEN_CELLS = " | "  # the separator of row cells
MOST_FOUND = 20  # lines of a `find` result
_AROUND = 120  # characters of context on each side of a match
_AT_A_PLACE = "@x,y takes clickAt, doubleClick, rightClick, hover (x, y), drag(x1, y1, x2, y2)"
_WHOLE = 4_000  # characters of a region
_FILE = 8_000  # characters of a file


def look_up(lookup: Action, page: Observation, files: Sequence[Download] = ()) -> str:
    """Run `find(text)` or `read(id or file name)` on the whole page and the files."""
    if lookup.name == "find":
        return _find(str(lookup.args["text"]), page, files)
    node = page.tree.get(lookup.target or "")
    file = next((one for one in files if one.name == lookup.target), None)
    if node is not None or file is None:
        return _read_region(node, page)
    return cut_text("\n".join(f"> {line}" for line in file.lines), _FILE) or file.summary


def _find(text: str, page: Observation, files: Sequence[Download]) -> str:
    wanted = fold_words(text).strip()
    controls = [
        f"{render_control(node, most=_WHOLE)} under {node.group}"
        if node.group
        else render_control(node, most=_WHOLE)
        for node in page.tree
        if wanted in fold_words(" ".join((node.name, node.value or "", node.hint, node.group)))
    ]
    texts = [one for one in page.texts if wanted in fold_words(one.text)]
    found = [*controls, *(f"> {_describe_find(text, one, page)}" for one in texts)]
    found += [
        f"{file.name} > {_text_around(text, line)}"
        for file in files
        for line in file.lines
        if wanted in fold_words(line)
    ]
    if not found:
        return f"'{text}' is nowhere on the page{' or in a file' if files else ''}."
    if any(one.at is not None for one in texts):
        found.append(_AT_A_PLACE)
    more = len(found) - MOST_FOUND
    return "\n".join((*found[:MOST_FOUND], *([f"… {more} more"] if more > 0 else [])))


def _describe_find(text: str, found: PlacedText, page: Observation) -> str:
    """Describe the text and its place; for a table row, only the matching cells."""
    cells = found.text.split(BETWEEN_CELLS)
    if len(cells) != len(found.cells):
        return f"{_describe_place(found.at, page)}{_text_around(text, found.text)}"
    wanted = fold_words(text).strip()
    placed = (
        f"{_describe_place(at, page)}{cell}" if wanted in fold_words(cell) else cell
        for cell, at in zip(cells, found.cells, strict=True)
    )
    return BETWEEN_CELLS.join(placed)


def _describe_place(at: tuple[float, float] | None, page: Observation) -> str:
    if at is None:
        return ""
    x, y = (round(side * picture_scale(page)) for side in at)
    return f"@{x},{y} "


def _text_around(text: str, whole: str) -> str:
    at = max(0, whole.casefold().find(text.casefold()))
    first, last = max(0, at - _AROUND), at + len(text) + _AROUND
    return f"{'…' if first else ''}{whole[first:last]}{'…' if last < len(whole) else ''}"


def _read_region(node: Node | None, page: Observation) -> str:
    """Return all texts and controls of the node's region in order; without a region, of the page."""
    region = node.group if node is not None else ""
    controls = [one for one in page.tree if not region or is_inside(one, region)]
    ids = {one.id for one in controls}
    lines: list[str] = []
    for one in controls:
        lines += [f"> {text.text}" for text in page.texts if text.before == one.id]
        lines.append(render_control(one, most=_WHOLE))
    if not region:
        lines += [f"> {text.text}" for text in page.texts if text.before not in ids]
    return cut_text("\n".join(lines), _WHOLE)
