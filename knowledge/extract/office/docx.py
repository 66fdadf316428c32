"""Reads DOCX: headings, paragraphs, lists, tables, links and notes, in order."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from app.errors import Unreadable
from app.text import patterns
from knowledge.extract import markdown as md
from knowledge.extract.markdown import Cell, fill_spans, pipe_table
from knowledge.extract.office.package import (
    main_part,
    open_package,
    package_title,
    part_of_kind,
    reference,
    relations,
)
from knowledge.extract.port import Extracted, Raw
from knowledge.extract.xml_files import child, descendants, local_name, parse_xml, xml_attribute

BODY_LEVEL = 9  # the outline level of body text
MOST_LEVELS = 9
_LIST = patterns.compile(r"list (?:bullet|number|continue) ([2-5])")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
# Deleted or moved text, fallback content for old readers, headers and footers.
SKIPPED = {"del", "moveFrom", "Fallback", "instrText", "delText", "pPr", "rPr", "tblPr", "sectPr"}
BREAKS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}


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
    elements = {xml_attribute(one, "styleId"): one for one in descendants(parse_xml(data), "style")}
    return {name: _style(name, elements) for name in elements}


def _style(name: str, elements: dict[str, Element]) -> Style:
    level, list_id, depth, within, title, code = None, "", 0, 0, False, False
    seen: set[str] = set()
    while name in elements and name not in seen:
        seen.add(name)
        element = elements[name]
        style_name = value(child(element, "name")).lower()
        if not within and (list_name := _LIST.fullmatch(style_name)):
            within = int(list_name[1]) - 1
        title = title or style_name == "title"
        code = code or style_name in {"html preformatted", "source code", "code", "macro text"}
        outline = value(child(element, "pPr", "outlineLvl"))
        if level is None and style_name.startswith("heading ") and style_name[8:].isdecimal():
            level = int(style_name[8:])
        elif level is None and outline.isdecimal():
            level = 0 if int(outline) >= BODY_LEVEL else int(outline) + 1
        list_id = list_id or value(child(element, "pPr", "numPr", "numId"))
        depth = depth or int(value(child(element, "pPr", "numPr", "ilvl")) or 0)
        name = value(child(element, "basedOn"))
    return Style(min(level or 0, 9), list_id, depth, within, title, code)


def value(element: Element | None) -> str:
    """The `val` of an element; "" if it has none."""
    return "" if element is None else xml_attribute(element, "val")


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
    numberings = Numberings()
    if not data:
        return numberings
    root = parse_xml(data)
    for element in descendants(root, "abstractNum"):
        levels = {}
        for level in (each for each in element if local_name(each.tag) == "lvl"):
            depth = xml_attribute(level, "ilvl")
            if depth.isdecimal():
                form = value(child(level, "numFmt")) or "decimal"
                levels[int(depth)] = (form, value(child(level, "lvlText")))
        numberings.formats[xml_attribute(element, "abstractNumId")] = levels
    for element in descendants(root, "num"):
        numberings.same[xml_attribute(element, "numId")] = value(child(element, "abstractNumId"))
    return numberings


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


@dataclass(slots=True)
class _Document:
    styles: dict[str, Style]
    numberings: Numberings
    links: dict[str, str]
    notes: dict[str, Element]
    title: str = ""
    owed: list[str] = field(default_factory=list)  # notes referenced by the current block
    boxes: list[Element] = field(default_factory=list)  # text boxes anchored in the current block


def read(raw: Raw) -> Extracted:
    with open_package(raw.data) as package:
        name = main_part(package)
        root = parse_xml(package.read(name))
        body = child(root, "body")
        if body is None:
            raise Unreadable("The file is damaged: its main part is missing.")
        links = {
            key: one.target
            for key, one in relations(package, name).items()
            if one.kind == "hyperlink" and one.outside
        }
        notes = {
            f"{kind}{xml_attribute(one, 'id')}": one
            for kind in ("footnote", "endnote")
            if (data := part_of_kind(package, name, f"{kind}s"))
            for one in descendants(parse_xml(data), kind)
        }
        styles = styles_of(part_of_kind(package, name, "styles"))
        numberings = numberings_of(part_of_kind(package, name, "numbering"))
        document = _Document(styles, numberings, links, notes)
        blocks = list(_blocks(body, document))
        return Extracted(
            markdown=_join_blocks(blocks),
            kind="docx",
            title=package_title(package) or document.title,
        )


def _join_blocks(blocks: Iterable[tuple[bool, str]]) -> str:
    """Join blocks: list items by a newline, others by a blank line."""
    text: list[str] = []
    after_item = False
    for is_item, block in blocks:
        if not block:
            continue
        if text:
            text.append("\n" if is_item and after_item else "\n\n")
        text.append(block)
        after_item = is_item
    return "".join(text)


def _blocks(parent: Element, document: _Document) -> Iterator[tuple[bool, str]]:
    """Yield each block and whether it is a list item."""
    for element in parent:
        name = local_name(element.tag)
        if name == "p":
            yield _paragraph(element, document)
        elif name == "tbl":
            yield False, _table(element, document)
        elif name not in SKIPPED:  # a content control, custom markup, inserted blocks
            yield from _blocks(element, document)
            continue
        else:
            continue
        boxes, document.boxes = document.boxes, []
        for box in boxes:
            yield from _blocks(box, document)
        keys, document.owed = document.owed, []
        for key in keys:
            text = " ".join(block for _, block in _blocks(document.notes[key], document))
            yield False, f"[^{_mark(key)}]: {' '.join(text.split())}"


def _paragraph(element: Element, document: _Document) -> tuple[bool, str]:
    text = "".join(_inline(element, document)).strip()
    style = document.styles.get(value(child(element, "pPr", "pStyle")), Style())
    outline = value(child(element, "pPr", "outlineLvl"))
    level = int(outline) + 1 if outline.isdecimal() and int(outline) < 9 else style.level
    label = _label(element, style, document.numberings) if text else None
    if not text:
        return False, ""
    if style.is_title and not level:
        document.title = document.title or " ".join(text.split())
        return False, md.heading_line(1, text)
    if level:
        document.title = document.title or " ".join(text.split())
        return False, md.heading_line(
            level, f"{label.text} {text}" if label and label.text else text
        )
    if label is not None:
        return True, md.item(text, max(label.depth, style.within), label.number)
    return (False, md.code(text)) if style.is_code else (False, md.paragraph(text))


def _label(element: Element, style: Style, numberings: Numberings) -> Label | None:
    own = child(element, "pPr", "numPr")
    list_id = value(child(own, "numId")) if own is not None else ""
    depth = value(child(own, "ilvl")) if own is not None else ""
    return numberings.label(
        list_id or style.list_id, int(depth) if depth.isdecimal() else style.depth
    )


def _inline(parent: Element, document: _Document) -> Iterator[str]:
    for element in parent:
        name = local_name(element.tag)
        if name == "t":
            yield element.text or ""
        elif name in BREAKS:
            yield "" if xml_attribute(element, "type") == "page" else BREAKS[name]
        elif name == "hyperlink":
            words = "".join(_inline(element, document))
            yield md.web_link(words, document.links.get(reference(element), ""))
        elif name in ("footnoteReference", "endnoteReference"):
            key = f"{name.removesuffix('Reference')}{xml_attribute(element, 'id')}"
            if key in document.notes and key not in document.owed:
                document.owed.append(key)
                yield f"[^{_mark(key)}]"
        elif name == "txbxContent":
            document.boxes.append(element)
        elif name == "docPr" and (description := element.attrib.get("descr", "").strip()):
            yield f" [{description}] "
        elif name not in SKIPPED and not _is_hidden(element):
            yield from _inline(element, document)


def _is_hidden(run: Element) -> bool:
    vanish = child(run, "rPr", "vanish")
    return vanish is not None and value(vanish) not in ("0", "false", "off")


def _mark(key: str) -> str:
    """A note's label: the number of a footnote; "e" and the number of an endnote."""
    return key.removeprefix("footnote").replace("endnote", "e")


def _table(element: Element, document: _Document) -> str:
    """Convert a table. Vertically merged cells (`vMerge`) become a row span of their first cell."""
    rows: list[list[Cell]] = []
    open_above: dict[int, tuple[int, int]] = {}  # by column: the first cell of a vertical merge
    header_rows = 0
    for row in _rows(element):
        skipped = value(child(row, "trPr", "gridBefore"))
        column = min(int(skipped), 100) if skipped.isdecimal() else 0
        number, cells = len(rows), list[Cell]()
        cells += [Cell("")] * column
        if child(row, "trPr", "tblHeader") is not None and header_rows == number:
            header_rows += 1
        for cell in _cells(row):
            across = max(1, int(value(child(cell, "tcPr", "gridSpan")) or 1))
            merge = child(cell, "tcPr", "vMerge")
            is_continued = merge is not None and value(merge) in ("", "continue")
            if is_continued and column in open_above:
                top, index = open_above[column]
                top_cell = rows[top][index]
                rows[top][index] = Cell(top_cell.text, top_cell.across, number - top + 1)
            else:
                open_above.pop(column, None)
                if merge is not None:
                    open_above[column] = (number, len(cells))
                cells.append(Cell(_cell(cell, document), across))
            column += across
        rows.append(cells)
    grid, heads = fill_spans(rows)
    return pipe_table(grid, max(heads, header_rows))


def _cell(element: Element, document: _Document) -> str:
    """A cell's blocks, one per line. A nested table becomes lines of its cells."""
    lines = []
    for block in element:
        if local_name(block.tag) == "tbl":
            for row in _rows(block):
                lines.append(", ".join(filter(None, (_cell(c, document) for c in _cells(row)))))
        elif local_name(block.tag) == "p":
            text = "".join(_inline(block, document)).strip()
            style = document.styles.get(value(child(block, "pPr", "pStyle")), Style())
            label = _label(block, style, document.numberings) if text else None
            mark = "" if label is None else f"{label.text or '-'} "
            lines.append(mark + text)
        elif local_name(block.tag) in ("sdt", "sdtContent", "ins", "customXml"):
            lines.append(_cell(block, document))
    return "\n".join(line for line in lines if line)


def _rows(element: Element) -> Iterator[Element]:
    for node in element:
        if local_name(node.tag) == "tr":
            if child(node, "trPr", "del") is None:
                yield node
        elif local_name(node.tag) not in SKIPPED:
            yield from _rows(node)


def _cells(row: Element) -> Iterator[Element]:
    for node in row:
        if local_name(node.tag) == "tc":
            yield node
        elif local_name(node.tag) in ("sdt", "sdtContent", "customXml", "ins"):
            yield from _cells(node)
