"""Parses XML safely (no entities, no external documents, bounded depth), and reads it as text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from app.errors import Unreadable
from app.text import patterns
from knowledge.extract import markdown as md
from knowledge.extract.charset import decode_text
from knowledge.extract.markdown import pipe_table
from knowledge.extract.port import Extracted, Raw

DEEPEST = 400  # nesting depth; documents reach 60
MOST_BYTES = 50_000_000  # of XML: the parsed tree takes eight times as much
MOST_COLUMNS = 40
LONG = 400  # characters: a longer field is a text of its own
SENTENCES = 100  # characters: a longer text is prose, whose element name is irrelevant
NAMES = ("title", "name", "head", "label", "id", "key")
_ENCODING = patterns.compile(r"""<\?xml[^>]*encoding=["']([\w.-]+)""", patterns.ASCII)
_DECLARATION = patterns.compile(r"^\s*<\?xml[^>]*\?>")


def parse_xml(data: bytes) -> Element:
    """Parse XML. Raises `Unreadable` if it is not well-formed, or declares entities."""
    try:
        root: Element = fromstring(data, forbid_dtd=False, forbid_entities=True)
    except DefusedXmlException:
        raise Unreadable("The file declares XML entities, which are not supported.") from None
    except (ParseError, ValueError, LookupError):
        raise Unreadable("A part of the file is damaged or truncated.") from None
    level = [root]
    for _ in range(DEEPEST):
        level = [one for parent in level for one in parent]
    if level:
        raise Unreadable("The document is nested too deeply.")
    return root


def local_name(tag: object) -> str:
    """A tag or attribute name without its namespace; "" for a comment."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def xml_attribute(element: Element, name: str) -> str:
    """An attribute in any namespace; "" if missing."""
    return next((value for key, value in element.attrib.items() if local_name(key) == name), "")


def child(element: Element, *path: str) -> Element | None:
    """Follow a path of first children, in any namespace; None if one is missing."""
    found: Element | None = element
    for name in path:
        children = found if found is not None else ()
        found = next((one for one in children if local_name(one.tag) == name), None)
    return found


def descendants(element: Element, name: str) -> Iterator[Element]:
    return (one for one in element.iter() if local_name(one.tag) == name)


def read(raw: Raw) -> Extracted:
    """Read XML. Raises `Unreadable` if it is not well-formed, or declares entities."""
    if len(raw.data) > MOST_BYTES:
        raise Unreadable("XML files over 50 MB are not supported.", "DOCUMENT_TOO_LARGE")
    # Re-encoded as UTF-8, since declared encodings are often wrong.
    encoding = _ENCODING.search(raw.data[:200].decode("latin-1"))
    text, notes = decode_text(raw.data, f"charset={encoding[1]}" if encoding else raw.declared)
    root = parse_xml(_DECLARATION.sub("", text.lstrip("\ufeff")).encode("utf-8", "replace"))
    blocks = [block for block in _blocks(root, 1) if block]
    return Extracted(markdown="\n\n".join(blocks), kind="xml", title=_title(root), notes=notes)


def _title(root: Element) -> str:
    for path in (("title",), ("channel", "title"), ("info", "title"), ("head", "title")):
        element = child(root, *path)
        if element is not None and (text := _all_text(element)):
            return text[:200]
    return ""


def _blocks(element: Element, level: int) -> Iterator[str]:
    """Convert an element: plain fields to a list, equal records to a table, others to sections."""
    if _is_prose(element):
        yield md.paragraph(_all_text(element))
        return
    plain = [
        md.item(f"{local_name(key)}: {value}") for key, value in element.attrib.items() if value
    ]
    children = [one for one in element if local_name(one.tag)]
    for _, group in groupby(children, key=lambda one: one.tag):
        siblings = list(group)
        if len(siblings) == 1 and _is_field(siblings[0]):
            plain += [md.item(field) for field in [_field(siblings[0])] if field]
            continue
        if plain:
            yield "\n".join(plain)
            plain = []
        yield from _sibling_blocks(siblings, level)
    if plain:
        yield "\n".join(plain)


def _sibling_blocks(elements: Sequence[Element], level: int) -> Iterator[str]:
    if table := _table(elements):
        yield table
        return
    if all(map(_is_field, elements)):
        words = [_all_text(one) for one in elements]
        if any(len(one) > SENTENCES for one in words) and not any(one.attrib for one in elements):
            yield from map(md.paragraph, words)
            return
        yield "\n".join(md.item(field) for field in map(_field, elements) if field)
        return
    for one in elements:
        if _is_prose(one):
            yield md.paragraph(_all_text(one))
        else:
            yield _heading(one, level)
            yield from _blocks(one, level + 1)


def _table(elements: Sequence[Element]) -> str:
    """A table of records whose fields are all plain and unique; else ""."""
    if len(elements) < 2:
        return ""
    rows: list[dict[str, str]] = []
    for one in elements:
        row = {local_name(key): value for key, value in one.attrib.items()}
        fields = [each for each in one if local_name(each.tag)]
        names = Counter(local_name(each.tag) for each in fields)
        if not all(map(_is_field, fields)) or any(count > 1 for count in names.values()):
            return ""
        if not fields and (one.text or "").strip():
            row[local_name(one.tag)] = _all_text(one)
        row |= {local_name(each.tag): _value(each) for each in fields}
        rows.append(row)
    columns = list(dict.fromkeys(key for row in rows for key in row))
    if not 2 <= len(columns) <= MOST_COLUMNS:
        return ""
    if any(len(cell) > LONG for row in rows for cell in row.values()):
        return ""
    return pipe_table([columns, *([row.get(column, "") for column in columns] for row in rows)])


def _is_field(element: Element) -> bool:
    return not len(element) and len(element.text or "") <= LONG


def _is_prose(element: Element) -> bool:
    """Whether an element is mixed content, or one long text."""
    if not len(element):
        return bool((element.text or "").strip()) and not element.attrib
    return any((one.tail or "").strip() for one in element) or bool((element.text or "").strip())


def _field(element: Element) -> str:
    value = _value(element)
    return f"{local_name(element.tag)}: {value}" if value else ""


def _value(element: Element) -> str:
    text = _all_text(element)
    attributes = ", ".join(
        f"{local_name(key)}={value}" for key, value in element.attrib.items() if value
    )
    return f"{text} ({attributes})" if text and attributes else text or attributes


def _all_text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def _heading(element: Element, level: int) -> str:
    label = ""
    for name in NAMES:
        named = child(element, name)
        label = element.attrib.get(name, "") or (_all_text(named) if named is not None else "")
        if label:
            break
    text = f"{local_name(element.tag)}: {label[:120]}" if label else local_name(element.tag)
    return md.section_heading(level, text)
