"""What an element's own style says of its being seen: shown, hidden until something opens it, or never."""

from bs4 import Tag

from app.text import patterns
from knowledge.html.page import attribute

_HIDDEN = patterns.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden)"
)
_ZERO = r"\s*:\s*0*\.?0*1?(?:px|pt|em|rem|%|vw|vh)?\s*(?:!important\s*)?(?:;|$)"
_TINY = patterns.compile(
    rf"(?:^|;)\s*(?:font-size\s*:\s*0*(?:[01](?:\.\d+)?(?:px|pt)|\.?0*\d?(?:em|rem|%)?)|font\s*:\s*0[^;]*|zoom{_ZERO[2:]}"
    r"|opacity\s*:\s*0*(?:\.0\d*)?%?|(?:-webkit-)?text-fill-color\s*:\s*transparent|color\s*:\s*transparent"
    r"|transform\s*:[^;]*scale[xy]?\(\s*0*\.?0*\s*[,)]|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)[^;]*)\s*(?:!important\s*)?(?=;|$)"
)
_AWAY = patterns.compile(
    r"(?:^|;)\s*(?:left|right|top|bottom|text-indent|margin-left|margin-top)\s*:\s*-\s*(?:\d{4,}px|\d{3,}(?:em|rem|vw|vh|%))"
    r"|translate[xy3d]*\(\s*-\s*(?:\d{4,}px|\d{3,}(?:em|rem|vw|vh|%))"
)
_NO_SIZE = patterns.compile(rf"(?:^|;)\s*(?:max-)?(?:width|height){_ZERO}")
_COLOR = patterns.compile(r"(?:^|;)\s*color\s*:\s*([^;!]+)")
_GROUND = patterns.compile(r"(?:^|;)\s*background(?:-color)?\s*:\s*([^;!]+)")
_HEX = patterns.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])")
_RGB = patterns.compile(r"rgba?\(\s*(\d+)\s*[, ]\s*(\d+)\s*[, ]\s*(\d+)\s*\)")
_NAMES = {"white": "#ffffff", "black": "#000000", "transparent": "", "inherit": "", "none": ""}
_WHITES = frozenset({"#ffffff", "#fefefe", "#fdfdfd"})


def is_hidden(tag: Tag, style: str) -> bool:
    """Not shown now; something may show it later."""
    if "hidden" in tag.attrs:
        return True
    return bool(style) and _HIDDEN.search(style) is not None


def is_unseen(tag: Tag, style: str) -> bool:
    """Nobody ever sees it, whatever they open: text for machines alone."""
    if "data-unseen" in tag.attrs:
        return True
    if not style:
        return False
    if _TINY.search(style) or _AWAY.search(style):
        return True
    if "overflow" in style and "hidden" in style and _NO_SIZE.search(style):
        return True
    return _blends(tag, style)


def _blends(tag: Tag, style: str) -> bool:
    """Its letters have the colour of what is behind them: of its own ground, or white where no ground of its
    own or around it is named.
    """
    said = _COLOR.search(style)
    if said is None:
        return False
    color = _one(said[1])
    for around in (tag, *tag.parents):
        ground = _GROUND.search(attribute(around, "style").lower())
        behind = _one(ground[1]) if ground else attribute(around, "bgcolor").lower()
        if ground and ("url(" in ground[1] or "gradient" in ground[1]):
            return False
        if behind:
            return bool(color) and color == behind
        if attribute(around, "class"):
            return False  # a sheet may give it a ground
    return color in _WHITES


def _one(color: str) -> str:
    """A colour as six digits, where it is one that can be told without a browser."""
    said = color.strip().lower()
    said = _NAMES.get(said, said)
    if found := _HEX.fullmatch(said):
        return "#" + "".join(digit * 2 for digit in found.groups())
    if found := _RGB.fullmatch(said):
        return "#" + "".join(f"{min(255, int(part)):02x}" for part in found.groups())
    return said
