"""Reads PPTX: each slide is a page with a heading, text, tables, charts and notes."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from app.errors import Unreadable
from knowledge.extract import markdown as md
from knowledge.extract.markdown import Cell, SlideDeck, fill_spans, pipe_table
from knowledge.extract.office.package import (
    Package,
    Relation,
    main_part,
    open_package,
    package_title,
    reference,
    relations,
)
from knowledge.extract.port import Extracted, Raw
from knowledge.extract.xml_files import child, descendants, local_name, parse_xml, xml_attribute

MOST_POINTS = 2_000
MOST_SLIDES = 5_000
TITLES = {"title", "ctrTitle"}
FURNITURE = {"dt", "ftr", "sldNum", "hdr", "sldImg"}  # repeated on every slide
BOXES = {"body", "obj", "subTitle", ""}


def chart_table(root: Element) -> str:
    """A table of a chart's cached values: categories as rows, series as columns."""
    columns: list[tuple[str, dict[int, str]]] = []
    names: dict[int, str] = {}
    for series in descendants(root, "ser"):
        series_name = " ".join(_points(child(series, "tx")).values())
        names = names or _points(child(series, "cat")) or _points(child(series, "xVal"))
        values = _points(child(series, "val")) or _points(child(series, "yVal"))
        columns.append((series_name or "Value", values))
    places = sorted(set(names).union(*(values for _, values in columns)))[:MOST_POINTS]
    if not places:
        return ""
    head = ["", *(series_name for series_name, _ in columns)]
    rows = [[names.get(at, ""), *(values.get(at, "") for _, values in columns)] for at in places]
    title = child(root, "chart", "title")
    caption = (
        "".join(one.text or "" for one in descendants(title, "t")) if title is not None else ""
    )
    table = pipe_table([head, *rows])
    return f"{caption}\n\n{table}" if caption.strip() else table


def _points(series_part: Element | None) -> dict[int, str]:
    values: dict[int, str] = {}
    for point in descendants(series_part, "pt") if series_part is not None else ():
        place = xml_attribute(point, "idx")
        text = next((one.text or "" for one in point if local_name(one.tag) == "v"), "")
        if place.isdecimal() and text:
            values[int(place)] = text
    return values


def read(raw: Raw) -> Extracted:
    with open_package(raw.data) as package:
        name = main_part(package)
        related = relations(package, name)
        slide_ids = child(parse_xml(package.read(name)), "sldIdLst")
        slides = [reference(slide) for slide in slide_ids] if slide_ids is not None else []
        if not slides:
            raise Unreadable("The presentation has no slides.", "DOCUMENT_EMPTY")
        pages = SlideDeck()
        for number, key in enumerate(slides[:MOST_SLIDES], 1):
            slide = related.get(key)
            if slide is not None and slide.target in package:
                _slide(pages, package, slide.target, number)
        title = package_title(package)
        first = pages.first_heading
        return pages.extracted(
            "pptx",
            title=first if title in ("", "PowerPoint Presentation") else title,
            notes=(f"Only the first {MOST_SLIDES} slides were read.",)
            if len(slides) > MOST_SLIDES
            else (),
        )


def _slide(pages: SlideDeck, package: Package, name: str, number: int) -> None:
    root = parse_xml(package.read(name))
    related = relations(package, name)
    tree = child(root, "cSld", "spTree")
    shapes = list(_shapes(tree)) if tree is not None else []
    title = next((_words(one) for one in shapes if _placeholder(one) in TITLES), "")
    blocks = [
        block
        for shape in shapes
        if _placeholder(shape) not in TITLES | FURNITURE
        for block in _blocks(shape, package, related)
    ]
    for one in related.values():
        if one.kind == "notesSlide" and one.target in package:
            boxes = descendants(parse_xml(package.read(one.target)), "sp")
            notes = (_words(shape) for shape in boxes if _placeholder(shape) == "body")
            blocks += [md.paragraph(f"Notes: {text}") for text in notes if text]
    pages.add(number, title, blocks)


def _shapes(tree: Element) -> Iterator[Element]:
    for one in tree:
        name = local_name(one.tag)
        if name == "grpSp":
            yield from _shapes(one)
        elif name == "AlternateContent":
            choice = child(one, "Choice")
            yield from _shapes(choice if choice is not None else one)
        elif name in ("sp", "graphicFrame", "pic", "cxnSp"):
            yield one


def _placeholder(shape: Element) -> str | None:
    """The placeholder type given by the layout; None for a free shape."""
    for one in shape:
        if local_name(one.tag).startswith("nv") and (ph := child(one, "nvPr", "ph")) is not None:
            return xml_attribute(ph, "type")
    return None


def _blocks(shape: Element, package: Package, related: dict[str, Relation]) -> Iterator[str]:
    if local_name(shape.tag) == "pic":
        description = next((xml_attribute(one, "descr") for one in descendants(shape, "cNvPr")), "")
        if len(description.split()) > 2:
            yield md.paragraph(f"[{description}]")
    elif local_name(shape.tag) == "graphicFrame":
        for one in descendants(shape, "tbl"):
            yield _table(one)
        for one in descendants(shape, "chart"):
            part = related.get(reference(one))
            if part and part.target in package:
                yield chart_table(parse_xml(package.read(part.target)))
        for one in descendants(shape, "relIds"):  # the text of a diagram is in a separate part
            part = related.get(reference(one, "dm"))
            if part and part.target in package:
                words = [_words(p) for p in descendants(parse_xml(package.read(part.target)), "t")]
                yield "\n".join(md.item(word) for word in words if word)
    else:
        yield _text(shape)


def _text(shape: Element) -> str:
    """Paragraphs of a text box; those of a slide's body become a list."""
    body = child(shape, "txBody")
    if body is None:
        return ""
    lines = []
    for one in (each for each in body if local_name(each.tag) == "p"):
        if text := _words(one):
            properties = child(one, "pPr")
            level = xml_attribute(properties, "lvl") if properties is not None else ""
            lines.append((text, int(level) if level.isdecimal() else 0))
    if len(lines) > 1 and _placeholder(shape) in BOXES:
        return "\n".join(md.item(text, depth) for text, depth in lines)
    return "\n\n".join(md.paragraph(text) for text, _ in lines)


def _words(element: Element) -> str:
    parts = []
    for one in element.iter():
        name = local_name(one.tag)
        if name == "t":
            parts.append(one.text or "")
        elif name in ("br", "p") and parts:
            parts.append("\n")
    return "".join(parts).replace("\v", "\n").strip()


def _table(element: Element) -> str:
    rows = []
    for row in (one for one in element if local_name(one.tag) == "tr"):
        cells = []
        for one in (each for each in row if local_name(each.tag) == "tc"):
            merged = {xml_attribute(one, "hMerge"), xml_attribute(one, "vMerge")}
            if merged & {"1", "true"}:
                continue
            across, down = (
                xml_attribute(one, "gridSpan") or "1",
                xml_attribute(one, "rowSpan") or "1",
            )
            cells.append(Cell(_words(one), int(across), int(down)))
        rows.append(cells)
    grid, heads = fill_spans(rows)
    return pipe_table(grid, heads)
