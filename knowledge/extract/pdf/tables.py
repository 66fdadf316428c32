"""Finds tables on a PDF page: drawn with rules, or aligned without rules."""

import bisect
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowledge.extract.markdown import Cell, fill_spans, pipe_table
from knowledge.extract.pdf.page import MARK, Box, Line, Piece, Word, lines_of

NEAR = 3.0  # points: closer rules touch
FEWEST_ROWS = 3  # of a table without rules
LONGEST_CELL = 7  # words per cell, on average, in a table without rules: running text has more
WIDE = 0.6  # of the text's width: narrower tables are one column of text
MOST_RULES = 4_000  # per page: a page with more is a drawing
MOST_CELLS = 20_000


@dataclass(slots=True)
class Rule:
    """A straight line at `at`, from `start` to `end`, horizontal or vertical."""

    at: float
    start: float
    end: float


def ruled_tables(words: list[Word], rules: list[Box]) -> tuple[list[Piece], list[Word]]:
    """Tables drawn with rules, and the words outside of them."""
    if not 4 <= len(rules) <= MOST_RULES:
        return [], words
    across = _join_rules(
        Rule((r[1] + r[3]) / 2, r[0], r[2]) for r in rules if r[2] - r[0] > r[3] - r[1]
    )
    down = _join_rules(
        Rule((r[0] + r[2]) / 2, r[1], r[3]) for r in rules if r[2] - r[0] <= r[3] - r[1]
    )
    tables: list[Piece] = []
    for rows, columns in _grids(across, down):
        piece, rest = _grid_table(rows, columns, words)
        if piece:
            tables.append(piece)
            words = rest
    return tables, words


def _join_rules(rules: Iterator[Rule]) -> list[Rule]:
    """Join collinear rules that touch, since tables draw the edges of each cell."""
    joined: list[Rule] = []
    for rule in sorted(rules, key=lambda one: (round(one.at), one.start)):
        for other in reversed(joined[-40:]):
            touching = other.start - NEAR <= rule.end and rule.start <= other.end + NEAR
            if touching and abs(other.at - rule.at) < NEAR / 2:
                other.end = max(other.end, rule.end)
                other.start = min(other.start, rule.start)
                break
        else:
            joined.append(rule)
    return joined


def _grids(across: list[Rule], down: list[Rule]) -> Iterator[tuple[list[Rule], list[Rule]]]:
    """Groups of intersecting rules, at least three by three (or two with those of a frame)."""
    groups: list[tuple[list[Rule], list[Rule]]] = []
    pending = list(across)
    while pending:
        rows, columns = [pending.pop()], list[Rule]()
        grown = True
        while grown:
            new_columns = [one for one in down if one not in columns and _crosses(one, rows)]
            columns += new_columns
            new_rows = [one for one in pending if _crosses(one, columns)]
            rows += new_rows
            pending = [one for one in pending if one not in new_rows]
            grown = bool(new_columns or new_rows)
        groups.append((rows, columns))
    yield from (group for group in groups if len(group[0]) > 1 and len(group[1]) > 1)


def _crosses(rule: Rule, others: list[Rule]) -> bool:
    return any(
        rule.start - NEAR <= other.at <= rule.end + NEAR
        and other.start - NEAR <= rule.at <= other.end + NEAR
        for other in others
    )


def _positions(rules: list[Rule]) -> list[float]:
    positions: list[float] = []
    for at in sorted(rule.at for rule in rules):
        if not positions or at - positions[-1] > NEAR:
            positions.append(at)
    return positions


def _grid_table(
    rows: list[Rule], columns: list[Rule], words: list[Word]
) -> tuple[Piece | None, list[Word]]:
    ys, xs = _positions(rows), _positions(columns)
    row_count, column_count = len(ys) - 1, len(xs) - 1
    if (
        row_count < 1
        or column_count < 2
        or row_count * column_count > MOST_CELLS
        or row_count * column_count < 4
    ):
        return None, words
    cells: dict[tuple[int, int], list[Word]] = {}
    rest: list[Word] = []
    corners = _corners(rows, columns, ys, xs)
    for word in words:
        row = bisect.bisect(ys, (word.top + word.bottom) / 2) - 1
        column = bisect.bisect(xs, (word.left + word.right) / 2) - 1
        if 0 <= row < row_count and 0 <= column < column_count:
            cells.setdefault(corners[row][column], []).append(word)
        else:
            rest.append(word)
    if len({column for _, column in cells}) < 2 or len({row for row, _ in cells}) < 2:
        return None, words
    spanned = [
        [
            _cell(corners, row, column, cells.get((row, column), []))
            for column in range(column_count)
            if corners[row][column] == (row, column)
        ]
        for row in range(row_count)
    ]
    grid, heads = fill_spans(spanned)
    return Piece([], xs[0], ys[0], xs[-1], ys[-1], pipe_table(grid, heads)), rest


def _corners(
    rows: list[Rule], columns: list[Rule], ys: list[float], xs: list[float]
) -> list[list[tuple[int, int]]]:
    """For each grid position, the upper left position of its cell: no rule separates the two."""
    row_count, column_count = len(ys) - 1, len(xs) - 1
    corners = [[(row, column) for column in range(column_count)] for row in range(row_count)]
    for row in range(row_count):
        middle = (ys[row] + ys[row + 1]) / 2
        for column in range(1, column_count):
            if not _has_rule(columns, xs[column], middle):
                corners[row][column] = corners[row][column - 1]
    for row in range(1, row_count):
        for column in range(column_count):
            middle = (xs[column] + xs[column + 1]) / 2
            if corners[row][column] == (row, column) and not _has_rule(rows, ys[row], middle):
                above = corners[row - 1][column]
                if above[1] == column:
                    for right in range(column, column_count):
                        if corners[row][right] == (row, column):
                            corners[row][right] = above
    return corners


def _has_rule(rules: list[Rule], at: float, through: float) -> bool:
    return any(
        abs(rule.at - at) <= NEAR and rule.start - NEAR <= through <= rule.end + NEAR
        for rule in rules
    )


def _cell(corners: list[list[tuple[int, int]]], row: int, column: int, words: list[Word]) -> Cell:
    across = sum(1 for place in corners[row] if place == (row, column))
    down = sum(1 for line in corners if line[column] == (row, column))
    lines = [" ".join(piece.text for piece in line) for line in lines_of(words)]
    text = " ".join(lines).replace("\u00ad ", "").replace("\u00ad", "-")
    return Cell(text, across, down)


def unruled_tables(lines: list[Line], *, over_columns: bool = False) -> list[Line]:
    """Replace rows of tables without rules by one line with the table.

    Before columns of text are split (`over_columns`), only rows that cannot be lines of such
    columns are replaced.
    """
    width = max((line[-1].right for line in lines), default=0.0) - min(
        (line[0].left for line in lines), default=0.0
    )
    replaced: list[Line] = []
    number = 0
    while number < len(lines):
        end = _table_end(lines, number)
        table = None
        if end - number >= FEWEST_ROWS and not (over_columns and _is_wordy(lines[number:end])):
            table = _aligned_table(lines[number:end])
        if table and over_columns and table.right - table.left < WIDE * width:
            table = None
        if table:
            replaced.append([table])
            number = end
        else:
            replaced.append(lines[number])
            number += 1
    return replaced


def _is_wordy(lines: list[Line]) -> bool:
    return any(len(line) < 3 for line in lines) or any(
        len(one.words) >= LONGEST_CELL for line in lines for one in line
    )


def _table_end(lines: list[Line], start: int) -> int:
    """Index after the last line that may belong to the table at `start`."""
    end = start
    while end < len(lines):
        line = lines[end]
        if any(one.table for one in line):
            break
        if len(line) < 2 and not (end > start and _continues(line, lines[end - 1])):
            break
        if end > start and line[0].top - lines[end - 1][0].bottom > 2.5 * line[0].size:
            break
        end += 1
    while end > start and len(lines[end - 1]) < 2 and end - start <= FEWEST_ROWS:
        end -= 1
    return end


def _continues(line: Line, above: Line) -> bool:
    """Whether a single-piece line continues a cell above, rather than starting a paragraph."""
    piece = line[0]
    is_close = piece.top - max(cell.bottom for cell in above) < 0.35 * piece.size
    is_aligned = any(abs(cell.left - piece.left) < NEAR for cell in above)
    return is_close and is_aligned and not MARK.fullmatch(piece.words[0].text)


def _aligned_table(lines: list[Line]) -> Piece | None:
    """Convert lines to a table if their pieces align in columns and are short; else None."""
    pieces = [one for line in lines for one in line]
    widths = Counter(len(line) for line in lines if len(line) > 1).most_common(1)
    columns = _columns([line for line in lines if widths and len(line) == widths[0][0]])
    if len(columns) < 2 or sum(len(line) > 1 for line in lines) < FEWEST_ROWS:
        return None
    length = sum(len(one.words) for one in pieces) / len(pieces)
    if length > (LONGEST_CELL if len(columns) > 2 else LONGEST_CELL - 2):
        return None
    if len(columns) == 2 and sum(_is_mark(line[0]) for line in lines) > len(lines) / 2:
        return None  # a list
    rows: list[list[str]] = []
    for number, line in enumerate(lines):
        row = [""] * len(columns)
        for one in line:
            common = [min(one.right, right) - max(one.left, left) for left, right in columns]
            place = common.index(max(common))
            row[place] = f"{row[place]} {one.text}".strip()
        is_close = number and line[0].top - lines[number - 1][0].bottom < 0.35 * line[0].size
        if rows and not row[0] and is_close:
            rows[-1] = [
                f"{above} {cell}".strip() for above, cell in zip(rows[-1], row, strict=True)
            ]
        else:
            rows.append(row)
    filled = sum(sum(1 for cell in row if cell) >= 2 for row in rows)
    if len(rows) < FEWEST_ROWS or filled < 0.8 * len(rows):
        return None
    left, right = min(one.left for one in pieces), max(one.right for one in pieces)
    return Piece([], left, lines[0][0].top, right, lines[-1][0].bottom, pipe_table(rows))


def _is_mark(piece: Piece) -> bool:
    return len(piece.words) == 1 and (
        (piece.text.isdecimal() and len(piece.text) < 4) or bool(MARK.fullmatch(piece.text))
    )


def _columns(lines: Sequence[Line]) -> list[tuple[float, float]]:
    """Horizontal range of each column: overlapping pieces are in the same one."""
    columns: list[tuple[float, float]] = []
    for left, right in sorted((one.left, one.right) for line in lines for one in line):
        if columns and left < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns
