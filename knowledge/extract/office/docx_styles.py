"""Resolves the styles and numbering of a DOCX's paragraphs."""

from collections import defaultdict
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from app.text import patterns
from knowledge.extract.xml_tree import attribute, child, descendants, local_name, parse_xml

BODY_LEVEL = 9  # the outline level of body text
MOST_LEVELS = 9
_LIST = patterns.compile(r"list (?:bullet|number|continue) ([2-5])")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph style. `level` is 1 to 9 for headings, else 0; `list_id` and `depth` are set for
    lists.

    `within` is the nesting level in the names of Word's own list styles, such as "List Bullet 2".
    """

    level: int = 0
    list_id: str = ""
    depth: int = 0
    within: int = 0
    is_title: bool = False
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A list label: `number` within its list, `text` such as "2.1"; bullets have neither."""

    depth: int
    number: int | None = None
    text: str = ""


def styles_of(data: bytes) -> dict[str, Style]:
    """Parse styles by id; attributes are inherited from the base style."""
    if not data:
        return {}
    elements = {attribute(one, "styleId"): one for one in descendants(parse_xml(data), "style")}
    return {name: _style(name, elements) for name in elements}


def _style(name: str, elements: dict[str, Element]) -> Style:
    level, list_id, depth, inner, title, code = None, "", 0, 0, False, False
    seen: set[str] = set()
    while name in elements and name not in seen:
        seen.add(name)
        element = elements[name]
        called = value(child(element, "name")).lower()
        if not inner and (listed := _LIST.fullmatch(called)):
            inner = int(listed[1]) - 1
        title = title or called == "title"
        code = code or called in {"html preformatted", "source code", "code", "macro text"}
        said = value(child(element, "pPr", "outlineLvl"))
        if level is None and called.startswith("heading ") and called[8:].isdecimal():
            level = int(called[8:])
        elif level is None and said.isdecimal():
            level = 0 if int(said) >= BODY_LEVEL else int(said) + 1
        list_id = list_id or value(child(element, "pPr", "numPr", "numId"))
        depth = depth or int(value(child(element, "pPr", "numPr", "ilvl")) or 0)
        name = value(child(element, "basedOn"))
    return Style(min(level or 0, 9), list_id, depth, inner, title, code)


def value(element: Element | None) -> str:
    """The `val` of an element; "" if it has none."""
    return "" if element is None else attribute(element, "val")


@dataclass(slots=True)
class Numberings:
    """Counts the items of a document's lists in reading order, as Word does."""

    formats: dict[str, dict[int, tuple[str, str]]] = field(default_factory=dict)
    same: dict[str, str] = field(default_factory=dict)
    counts: dict[str, list[int]] = field(
        default_factory=lambda: defaultdict(lambda: [0] * MOST_LEVELS)
    )

    def label(self, list_id: str, depth: int) -> Label | None:
        """Label of the next paragraph in this list; None if the list does not exist."""
        depth = max(0, min(depth, MOST_LEVELS - 1))
        abstract = self.same.get(list_id)
        if abstract is None:
            return None
        kind, pattern = self.formats.get(abstract, {}).get(depth, ("decimal", ""))
        counts = self.counts[abstract]
        counts[depth] += 1
        counts[depth + 1 :] = [0] * (MOST_LEVELS - depth - 1)
        if kind in ("bullet", "none", "picture"):
            return Label(depth)
        text = pattern
        for level in range(depth + 1):
            form = self.formats.get(abstract, {}).get(level, ("decimal", ""))[0]
            text = text.replace(f"%{level + 1}", _count(max(1, counts[level]), form))
        return Label(depth, counts[depth], text.strip())


def numberings_of(data: bytes) -> Numberings:
    """Parse `numbering.xml`; b"" if the document has none."""
    found = Numberings()
    if not data:
        return found
    root = parse_xml(data)
    for one in descendants(root, "abstractNum"):
        levels = {}
        for level in (each for each in one if local_name(each.tag) == "lvl"):
            depth = attribute(level, "ilvl")
            if depth.isdecimal():
                form = value(child(level, "numFmt")) or "decimal"
                levels[int(depth)] = (form, value(child(level, "lvlText")))
        found.formats[attribute(one, "abstractNumId")] = levels
    for one in descendants(root, "num"):
        found.same[attribute(one, "numId")] = value(child(one, "abstractNumId"))
    return found


def _count(number: int, form: str) -> str:
    if form in ("lowerLetter", "upperLetter"):
        letter = chr(97 + (number - 1) % 26) * (1 + (number - 1) // 26)
        return letter if form == "lowerLetter" else letter.upper()
    if form in ("lowerRoman", "upperRoman"):
        text = ""
        for size, sign in _ROMAN:
            text += sign * (number // size)
            number %= size
        return text if form == "lowerRoman" else text.upper()
    return str(number)
