"""Reads ODT and ODP, OpenDocument texts and presentations."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from app.errors import Unreadable
from knowledge.extract import markdown as md
from knowledge.extract.markdown import MOST_SPAN, Cell, SlideDeck, fill_spans, pipe_table
from knowledge.extract.office.package import Package, open_package
from knowledge.extract.port import Extracted, Raw
from knowledge.extract.xml_files import child, descendants, local_name, parse_xml, xml_attribute

SKIPPED = {
    "tracked-changes", "annotation", "annotation-end", "sequence-decls", "variable-decls", "forms",
    "user-field-decls", "table-of-content", "alphabetical-index", "note-citation", "object-ole",
}  # fmt: skip
MOST_SPACES = 100


@dataclass(slots=True)
class _Document:
    numbered: set[str]  # names of numbered list styles
    titles: set[str]  # names of paragraph styles for the document title
    owed: list[tuple[str, Element]] = field(default_factory=list)  # notes of the current block
    frames: list[Element] = field(default_factory=list)  # text boxes anchored in the current block
    title: str = ""


def read(raw: Raw) -> Extracted:
    with open_package(raw.data) as package:
        if b"encryption-data" in package.read("META-INF/manifest.xml", most=10_000_000):
            raise Unreadable("The file is password-protected.", "DOCUMENT_ENCRYPTED")
        root = parse_xml(package.read("content.xml"))
        document = _Document(*_styles(root, package))
        title = _meta_title(package)
        slides = child(root, "body", "presentation")
        if slides is not None:
            return _presentation(slides, document, title)
        body = child(root, "body", "text")
        if body is None:
            raise Unreadable("The file is damaged: its main part is missing.")
        blocks = [block for block in _blocks(body, document) if block]
        return Extracted(
            markdown="\n\n".join(blocks),
            kind="odt",
            title=title or document.title,
        )


def _styles(root: Element, package: Package) -> tuple[set[str], set[str]]:
    numbered, titles = set(), {"Title"}
    roots = [root]
    if data := package.read("styles.xml"):
        roots.insert(0, parse_xml(data))
    for one in roots:
        for style in descendants(one, "list-style"):
            first = next(iter(style), None)
            if first is not None and local_name(first.tag) == "list-level-style-number":
                numbered.add(xml_attribute(style, "name"))
        for style in descendants(one, "style"):
            if xml_attribute(style, "parent-style-name") in titles:
                titles.add(xml_attribute(style, "name"))
    return numbered, titles


def _meta_title(package: Package) -> str:
    data = package.read("meta.xml")
    element = next(descendants(parse_xml(data), "title"), None) if data else None
    return "".join(element.itertext()).strip() if element is not None else ""


def _presentation(slides: Element, document: _Document, title: str) -> Extracted:
    pages = SlideDeck()
    for number, page in enumerate(descendants(slides, "page"), 1):
        heading, blocks = "", []
        for shape in page:
            if local_name(shape.tag) == "notes":
                words = " ".join(_words(one, document) for one in descendants(shape, "p")).strip()
                blocks.append(md.paragraph(f"Notes: {words}") if words else "")
            elif xml_attribute(shape, "class") == "title" and not heading:
                heading = " ".join(_words(one, document) for one in descendants(shape, "p")).strip()
            else:
                blocks += _blocks([shape], document)
        pages.add(number, heading, blocks)
    return pages.extracted("odp", title=title or pages.first_heading)


def _blocks(parent: Element | list[Element], document: _Document) -> Iterator[str]:
    for one in parent:
        name = local_name(one.tag)
        if name in ("h", "p"):
            yield _paragraph(one, document)
        elif name == "list":
            yield "\n".join(_items(one, document, 0, xml_attribute(one, "style-name")))
        elif name == "table":
            yield _table(one, document)
        elif name not in SKIPPED:  # sections, frames, text boxes, groups
            yield from _blocks(list(one), document)
            continue
        yield from _anchored_blocks(document)


def _anchored_blocks(document: _Document) -> Iterator[str]:
    frames, document.frames = document.frames, []
    for frame in frames:
        yield from _blocks(list(frame), document)
    notes, document.owed = document.owed, []
    for mark, note in notes:
        words = " ".join(_words(one, document) for one in descendants(note, "p"))
        yield f"[^{mark}]: {words}"


def _paragraph(element: Element, document: _Document) -> str:
    text = _words(element, document).strip()
    level = xml_attribute(element, "outline-level") if local_name(element.tag) == "h" else ""
    if xml_attribute(element, "style-name") in document.titles and text:
        level = "1"
    if not level.isdecimal():
        return md.paragraph(text)
    document.title = document.title or " ".join(text.split())
    return md.heading_line(int(level), text)


def _items(element: Element, document: _Document, depth: int, style: str) -> Iterator[str]:
    style = xml_attribute(element, "style-name") or style
    number = 0
    for entry in element:
        if local_name(entry.tag) not in ("list-item", "list-header"):
            continue
        number += 1
        for one in entry:
            if local_name(one.tag) == "list":
                yield from _items(one, document, depth + 1, style)
            elif local_name(one.tag) in ("p", "h") and (text := _words(one, document).strip()):
                if local_name(one.tag) == "h":
                    yield f"\n{_paragraph(one, document)}\n"
                else:
                    yield md.item(text, depth, number if style in document.numbered else None)


def _words(element: Element, document: _Document) -> str:
    return "".join(_inline(element, document))


def _inline(element: Element, document: _Document) -> Iterator[str]:
    yield element.text or ""
    for one in element:
        name = local_name(one.tag)
        if name == "s":
            count = xml_attribute(one, "c")
            yield " " * min(int(count) if count.isdecimal() else 1, MOST_SPACES)
        elif name in ("tab", "line-break"):
            yield " " if name == "tab" else "\n"
        elif name == "a":
            yield md.web_link(_words(one, document), xml_attribute(one, "href"))
        elif name == "note":
            mark = "".join(next(descendants(one, "note-citation"), one).itertext()).strip()
            document.owed.append((mark[:10], one))
            yield f"[^{mark[:10]}]"
        elif name == "frame":
            document.frames.append(one)
        elif name not in SKIPPED:
            yield _words(one, document)
        yield one.tail or ""


def _table(element: Element, document: _Document) -> str:
    rows: list[list[Cell]] = []
    header_rows = 0
    for row, is_head in _rows(element):
        cells = []
        for one in row:
            if local_name(one.tag) != "table-cell":
                continue  # covered by a spanning cell
            blocks = (each for each in one.iter() if local_name(each.tag) in ("p", "h"))
            text = "\n".join(filter(None, (_words(each, document).strip() for each in blocks)))
            repeated = _count(one, "number-columns-repeated") if text else 1
            spans = _count(one, "number-columns-spanned"), _count(one, "number-rows-spanned")
            cells += [Cell(text, *spans)] * repeated
        header_rows += is_head and header_rows == len(rows)
        rows.append(cells)
    grid, heads = fill_spans(rows)
    return pipe_table(grid, max(heads, header_rows))


def _rows(element: Element) -> Iterator[tuple[Element, bool]]:
    for one in element:
        name = local_name(one.tag)
        if name == "table-row":
            yield one, False
        elif name == "table-header-rows":
            yield from ((row, True) for row, _ in _rows(one))
        elif name in ("table-rows", "table-row-group"):
            yield from _rows(one)


def _count(element: Element, name: str) -> int:
    count = xml_attribute(element, name)
    return min(int(count), MOST_SPAN) if count.isdecimal() and int(count) else 1
