"""What stands on a PDF page. Places are in points from the upper left corner, as the text is read."""

from collections.abc import Sequence
from dataclasses import dataclass, field

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Colour = tuple[int, int, int]


@dataclass(slots=True)
class Style:
    """Of a text object: what its words share. `order` is its place among the drawn objects; `colour` is
    None where it is painted with a pattern. `quarters` is where its lines run: 0 to the right, 1 upwards.
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
    """Letters without a space between them. A soft hyphen at the end: it goes on in the next line."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    style: Style


@dataclass(slots=True)
class Fill:
    """An area that is painted: `colour` is None for a picture. One that is not `solid` does not cover all
    of its box, or lets shine through what is below.
    """

    box: Box
    colour: Colour | None
    order: int
    solid: bool


@dataclass(slots=True)
class Drawn:
    """What is drawn on a page, still in its own places: points from below, not turned. Rules are straight
    lines, as (x0, y0, x1, y1). `styles` are those of the text objects, by address.
    """

    styles: dict[int, Style] = field(default_factory=dict)
    fills: list[Fill] = field(default_factory=list)
    rules: list[Box] = field(default_factory=list)
    objects: int = 0
    pictures: int = 0


@dataclass(slots=True)
class Page:
    """One page. `aside` are words that run in another direction than most. `hidden` counts those that
    nobody sees; they are not among the others. `pictured` says that most of it is a picture.
    """

    width: float
    height: float
    words: list[Word]
    rules: list[Box]
    aside: list[Word]
    hidden: int = 0
    pictured: bool = False


class Turning:
    """From a page's own places (points, from below) to those in which its text is read."""

    def __init__(self, box: Sequence[float], quarters: int) -> None:
        self._left, self._bottom, self._right, self._top = box
        self._quarters = quarters
        width, height = self._right - self._left, self._top - self._bottom
        self.width, self.height = (height, width) if quarters % 2 else (width, height)

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """A box, from any two opposite corners."""
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
