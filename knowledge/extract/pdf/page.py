"""The content of a PDF page. Coordinates are in points from the upper left, in reading direction."""

from collections.abc import Sequence
from dataclasses import dataclass, field

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Colour = tuple[int, int, int]


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
    """Letters without a space between them. A trailing soft hyphen means that the word continues on
    the next line.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    style: Style


@dataclass(slots=True)
class Fill:
    """A filled area; `colour` is None for an image. Unless `solid`, it covers its box only in part
    or is translucent.
    """

    box: Box
    colour: Colour | None
    order: int
    solid: bool


@dataclass(slots=True)
class Drawn:
    """Objects drawn on a page in its own coordinates: points from the lower left, unrotated.

    Rules are straight lines (x0, y0, x1, y1). `styles` are those of the text objects, by address.
    """

    styles: dict[int, Style] = field(default_factory=dict)
    fills: list[Fill] = field(default_factory=list)
    rules: list[Box] = field(default_factory=list)
    objects: int = 0
    pictures: int = 0


@dataclass(slots=True)
class Page:
    """One page.

    `aside`: words that run in another direction than most. `hidden`: number of invisible words,
    which are left out. `pictured`: an image covers most of the page.
    """

    width: float
    height: float
    words: list[Word]
    rules: list[Box]
    aside: list[Word]
    hidden: int = 0
    pictured: bool = False


class Turning:
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
