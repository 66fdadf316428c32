"""Parses XML safely: no entities, no external documents, bounded depth."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from app.errors import Unreadable

DEEPEST = 400  # nesting depth; documents reach 60


def parse_xml(data: bytes) -> Element:
    """Parse XML. Raises `Unreadable` if it is not well-formed, or declares entities."""
    try:
        root: Element = fromstring(data, forbid_dtd=False, forbid_entities=True)
    except DefusedXmlException:
        raise Unreadable("The file declares XML entities, which are not supported.") from None
    except (ParseError, ValueError, LookupError):
        raise Unreadable("A part of the file is damaged or truncated.") from None
    if _too_deep(root):
        raise Unreadable("The document is nested too deeply.")
    return root


def local_name(tag: object) -> str:
    """A tag or attribute name without its namespace; "" for a comment."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str:
    """An attribute in any namespace; "" if missing."""
    for key, value in element.attrib.items():
        if local_name(key) == name:
            return value
    return ""


def child(element: Element, *path: str) -> Element | None:
    """Follow a path of first children, in any namespace; None if one is missing."""
    found: Element | None = element
    for name in path:
        if found is None:
            return None
        found = next((one for one in found if local_name(one.tag) == name), None)
    return found


def descendants(element: Element, name: str) -> Iterator[Element]:
    """All descendants of this name, in any namespace."""
    return (one for one in element.iter() if local_name(one.tag) == name)


def _too_deep(root: Element) -> bool:
    level = [root]
    for _ in range(DEEPEST):
        level = [one for parent in level for one in parent]
        if not level:
            return False
    return True
