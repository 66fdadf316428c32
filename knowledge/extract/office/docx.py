"""Reads DOCX: headings, paragraphs, lists, tables, links and notes, in order."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from app.errors import Unreadable
from knowledge.extract import markdown as md
from knowledge.extract.markdown import Cell, fill_spans, pipe_table
from knowledge.extract.office.docx_styles import (
    Label,
    Numberings,
    Style,
    numberings_of,
    styles_of,
    value,
)
from knowledge.extract.office.package import (
    main_part,
    open_package,
    part_of_kind,
    reference,
    relations,
    title_of,
)
from knowledge.extract.port import Extracted, Raw
from knowledge.extract.xml_tree import attribute, child, descendants, local_name, parse_xml

# Deleted or moved text, fallback content for old readers, headers and footers.
SKIPPED = {"del", "moveFrom", "Fallback", "instrText", "delText", "pPr", "rPr", "tblPr", "sectPr"}
BREAKS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}


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
    """Read a Word document. Raises `Unreadable`."""
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
            f"{kind}{attribute(one, 'id')}": one
            for kind in ("footnote", "endnote")
            for one in _notes(part_of_kind(package, name, f"{kind}s"), kind)
        }
        styles = styles_of(part_of_kind(package, name, "styles"))
        numberings = numberings_of(part_of_kind(package, name, "numbering"))
        document = _Document(styles, numberings, links, notes)
        blocks = list(_blocks(body, document))
        return Extracted(
            markdown=_joined(blocks),
            kind="docx",
            title=title_of(package) or document.title,
        )


def _notes(data: bytes, kind: str) -> Iterable[Element]:
    return descendants(parse_xml(data), kind) if data else ()


def _joined(blocks: Iterable[tuple[bool, str]]) -> str:
    """Join blocks: list items by a newline, others by a blank line."""
    text: list[str] = []
    before = False
    for is_item, block in blocks:
        if not block:
            continue
        if text:
            text.append("\n" if is_item and before else "\n\n")
        text.append(block)
        before = is_item
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
        owed, document.owed = document.owed, []
        for key in owed:
            text = " ".join(block for _, block in _blocks(document.notes[key], document))
            yield False, f"[^{_mark(key)}]: {' '.join(text.split())}"


def _paragraph(element: Element, document: _Document) -> tuple[bool, str]:
    text = "".join(_inline(element, document)).strip()
    style = document.styles.get(value(child(element, "pPr", "pStyle")), Style())
    said = value(child(element, "pPr", "outlineLvl"))
    level = int(said) + 1 if said.isdecimal() and int(said) < 9 else style.level
    label = _label(element, style, document.numberings) if text else None
    if not text:
        return False, ""
    if style.is_title and not level:
        document.title = document.title or " ".join(text.split())
        return False, md.heading(1, text)
    if level:
        document.title = document.title or " ".join(text.split())
        return False, md.heading(level, f"{label.text} {text}" if label and label.text else text)
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
            yield "" if attribute(element, "type") == "page" else BREAKS[name]
        elif name == "hyperlink":
            words = "".join(_inline(element, document))
            yield md.link(words, document.links.get(reference(element), ""))
        elif name in ("footnoteReference", "endnoteReference"):
            key = f"{name.removesuffix('Reference')}{attribute(element, 'id')}"
            if key in document.notes and key not in document.owed:
                document.owed.append(key)
                yield f"[^{_mark(key)}]"
        elif name == "txbxContent":
            document.boxes.append(element)
        elif name == "docPr" and (said := element.attrib.get("descr", "").strip()):
            yield f" [{said}] "
        elif name not in SKIPPED and not _is_hidden(element):
            yield from _inline(element, document)


def _is_hidden(run: Element) -> bool:
    """Whether Word hides the run."""
    vanish = child(run, "rPr", "vanish")
    return vanish is not None and value(vanish) not in ("0", "false", "off")


def _mark(key: str) -> str:
    """A note's label: the number of a footnote; "e" and the number of an endnote."""
    return key.removeprefix("footnote").replace("endnote", "e")


def _table(element: Element, document: _Document) -> str:
    """Convert a table. Vertically merged cells (`vMerge`) become a row span of their first cell."""
    rows: list[list[Cell]] = []
    open_above: dict[int, tuple[int, int]] = {}  # by column: the first cell of a vertical merge
    marked = 0
    for row in _rows(element):
        number, column, cells = len(rows), _skipped(row), []
        cells += [Cell("")] * column
        if child(row, "trPr", "tblHeader") is not None and marked == number:
            marked += 1
        for one in _cells(row):
            across = max(1, int(value(child(one, "tcPr", "gridSpan")) or 1))
            merge = child(one, "tcPr", "vMerge")
            goes_on = merge is not None and value(merge) in ("", "continue")
            if goes_on and column in open_above:
                top, index = open_above[column]
                began = rows[top][index]
                rows[top][index] = Cell(began.text, began.across, number - top + 1)
            else:
                open_above.pop(column, None)
                if merge is not None:
                    open_above[column] = (number, len(cells))
                cells.append(Cell(_cell(one, document), across))
            column += across
        rows.append(cells)
    grid, heads = fill_spans(rows)
    return pipe_table(grid, max(heads, marked))


def _cell(element: Element, document: _Document) -> str:
    """A cell's blocks, one per line. A nested table becomes lines of its cells."""
    lines = []
    for one in element:
        if local_name(one.tag) == "tbl":
            for row in _rows(one):
                lines.append(", ".join(filter(None, (_cell(c, document) for c in _cells(row)))))
        elif local_name(one.tag) == "p":
            text = "".join(_inline(one, document)).strip()
            style = document.styles.get(value(child(one, "pPr", "pStyle")), Style())
            label = _label(one, style, document.numberings) if text else None
            mark = "" if label is None else f"{label.text or '-'} "
            lines.append(mark + text)
        elif local_name(one.tag) in ("sdt", "sdtContent", "ins", "customXml"):
            lines.append(_cell(one, document))
    return "\n".join(line for line in lines if line)


def _rows(element: Element) -> Iterator[Element]:
    for one in element:
        if local_name(one.tag) == "tr":
            if child(one, "trPr", "del") is None:
                yield one
        elif local_name(one.tag) not in SKIPPED:
            yield from _rows(one)


def _cells(row: Element) -> Iterator[Element]:
    for one in row:
        if local_name(one.tag) == "tc":
            yield one
        elif local_name(one.tag) in ("sdt", "sdtContent", "customXml", "ins"):
            yield from _cells(one)


def _skipped(row: Element) -> int:
    """Number of grid columns skipped before a row's first cell."""
    said = value(child(row, "trPr", "gridBefore"))
    return min(int(said), 100) if said.isdecimal() else 0
