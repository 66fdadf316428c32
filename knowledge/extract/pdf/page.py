"""The content of a PDF page and its lines, ordered column by column.

Coordinates are in points from the upper left, in reading direction.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from app.text import patterns

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Colour = tuple[int, int, int]

APART = 1.0  # relative to the font size: words of one text are closer, even if justified
MOST_SPLITS = 5  # maximum nesting of columns
FEWEST_LINES = 4  # minimum lines of a column
LONG = 3  # words: columns of shorter pieces belong to a table or a list of terms
LEADERS = patterns.compile(r"[.·…_]{3,}|[.·…]")
MARK = patterns.compile(
    r"[•◦▪▫‣●○■□◆◇➢➤✓✔✗★\uf0b7\uf0a7\uf0d8\u2013\u2014*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]"
)
"""List markers, as separate words."""


@dataclass(slots=True)
class Style:
    """Style of a text object, shared by its words.

    `order` is its position in drawing order; `colour` is None for a pattern; `quarters` is the
    direction of its lines: 0 to the right, 1 upwards.
    """

    size: float
    bold: bool = False
    mono: bool = False
    unseen: bool = False
    colour: Colour | None = None
    order: int = 0
    quarters: int = 0


@dataclass(slots=True)
class Word:
    """Letters without a space; a trailing soft hyphen means that the next line continues it."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    style: Style


@dataclass(slots=True)
class Fill:
    """A filled area; an image if `colour` is None. Unless `solid`, it covers only part of its box."""

    box: Box
    colour: Colour | None
    order: int
    solid: bool


@dataclass(slots=True)
class Drawn:
    """Objects drawn on a page in its own coordinates: points from the lower left, unrotated.
    Rules are straight lines (x0, y0, x1, y1). `styles` are those of the text objects, by
    address.
    """

    styles: dict[int, Style] = field(default_factory=dict)
    fills: list[Fill] = field(default_factory=list)
    rules: list[Box] = field(default_factory=list)
    objects: int = 0


@dataclass(slots=True)
class Page:
    """`aside`: words that run in another direction than most. `hidden`: number of invisible
    words, which are left out. `pictured`: an image covers most of the page.
    """

    width: float
    height: float
    words: list[Word]
    rules: list[Box]
    aside: list[Word]
    hidden: int = 0
    pictured: bool = False


class Rotation:
    """Transformation from page coordinates (points from the lower left) to reading coordinates."""

    def __init__(self, box: Sequence[float], quarters: int) -> None:
        self._left, self._bottom, self._right, self._top = box
        self._quarters = quarters
        width, height = self._right - self._left, self._top - self._bottom
        self.width, self.height = (height, width) if quarters % 2 else (width, height)

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """A box from two opposite corners."""
        ax, ay = self._place(x0, y0)
        bx, by = self._place(x1, y1)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    def _place(self, x: float, y: float) -> tuple[float, float]:
        match self._quarters:
            case 1:
                return y - self._bottom, x - self._left
            case 2:
                return self._right - x, y - self._bottom
            case 3:
                return self._top - y, self._right - x
            case _:
                return x - self._left, self._top - y


@dataclass(slots=True)
class Piece:
    """Adjacent words of one line; or a `table` that was already built, in their place."""

    words: list[Word]
    left: float
    top: float
    right: float
    bottom: float
    table: str = ""

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def size(self) -> float:
        """Font size of most letters, in points."""
        sizes = Counter[float]()
        for word in self.words:
            sizes[word.style.size] += len(word.text)
        return sizes.most_common(1)[0][0] if sizes else 0.0


Line = list[Piece]
"""Pieces side by side, left to right."""


def piece_of(words: list[Word]) -> Piece:
    return Piece(
        words,
        min(word.left for word in words),
        min(word.top for word in words),
        max(word.right for word in words),
        max(word.bottom for word in words),
    )


def lines_of(words: Iterable[Word]) -> list[Line]:
    """Group words at one height into lines, top to bottom; gaps split a line into pieces."""
    rows: list[tuple[float, float, list[Word]]] = []
    for word in sorted(words, key=lambda one: (one.top + one.bottom, one.left)):
        for number in range(len(rows) - 1, max(-1, len(rows) - 4), -1):
            top, bottom, row = rows[number]
            common = min(bottom, word.bottom) - max(top, word.top)
            if common > 0.55 * min(bottom - top, word.bottom - word.top):
                row.append(word)
                break
        else:
            rows.append((word.top, word.bottom, [word]))
    return [line for _, _, row in rows if (line := _pieces(row))]


def _pieces(row: list[Word]) -> Line:
    row.sort(key=lambda one: one.left)
    groups: list[list[Word]] = []
    for word in row:
        if LEADERS.fullmatch(word.text) and len(row) > 1:
            continue  # dot leaders of a table of contents
        last = groups[-1] if groups else None
        if last and (
            word.left - last[-1].right < APART * min(word.style.size, last[-1].style.size)
            or (len(last) == 1 and MARK.fullmatch(last[0].text))
        ):
            last.append(word)
        else:
            groups.append([word])
    return [piece_of(words) for words in groups]


def reading_order(lines: list[Line], width: float, depth: int = 0) -> list[list[Line]]:
    """Split lines of a page, or part of one, into areas in reading order."""
    gutter = _gutter(lines, width) if depth < MOST_SPLITS else None
    if gutter is None:
        return [lines] if lines else []
    areas: list[list[Line]] = []
    for zone, split in _zones(lines, gutter):
        if not split:
            areas += reading_order(zone, width, MOST_SPLITS)
            continue
        for side in (
            [[one for one in line if one.right <= gutter] for line in zone],
            [[one for one in line if one.right > gutter] for line in zone],
        ):
            column = [line for line in side if line]
            column_width = max((line[-1].right for line in column), default=0.0) - min(
                (line[0].left for line in column), default=0.0
            )
            areas += reading_order(column, column_width, depth + 1)
    return areas


def _zones(lines: list[Line], gutter: float) -> list[tuple[list[Line], bool]]:
    """Split lines into runs that nothing connects across the gutter, and the runs between."""
    runs: list[tuple[list[Line], bool]] = []
    for line in lines:
        is_free = not any(one.left < gutter < one.right for one in line)
        if runs and runs[-1][1] == is_free:
            runs[-1][0].append(line)
        else:
            runs.append(([line], is_free))
    return [(run, is_free and _is_split(run, gutter)) for run, is_free in runs]


def _is_split(run: list[Line], gutter: float) -> bool:
    """Whether there is running text on both sides of the gutter."""
    for side in (
        [one for line in run for one in line if one.right <= gutter],
        [one for line in run for one in line if one.left >= gutter],
    ):
        lengths = sorted(len(one.words) for one in side if not one.table)
        if len(lengths) < FEWEST_LINES or lengths[len(lengths) // 2] < LONG:
            return False
    return True


def _gutter(lines: list[Line], width: float) -> float | None:
    """x position between two columns: left of where many pieces begin, crossed by few."""
    pieces = [one for line in lines for one in line]
    if len(pieces) < 2 * FEWEST_LINES or width <= 0:
        return None
    start = min(one.left for one in pieces)
    begins = Counter(round(one.left / 2) for one in pieces)
    best: tuple[int, float] | None = None
    for place, count in begins.items():
        gutter = 2.0 * place - 3
        if count + begins.get(place + 1, 0) < FEWEST_LINES or not (
            0.2 * width < gutter - start < 0.85 * width
        ):
            continue
        split = sum(len(run) for run, free in _zones(lines, gutter) if free)
        if split > len(lines) * 0.25 and (best is None or split > best[0]):
            best = split, gutter
    return best[1] if best else None
