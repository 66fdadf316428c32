"""XML without what XML can do to a reader: no entities, no documents from elsewhere, no endless depth."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from app.errors import Unreadable

DEEPEST = 400  # elements in each other; documents come to 60


def parse_xml(data: bytes) -> Element:
    """The tree of a part of a package. Raises `Unreadable` for what is no XML or declares entities."""
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
    """A tag or an attribute without its namespace; "" for a comment."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str:
    """An attribute of any namespace; "" for none."""
    for key, value in element.attrib.items():
        if local_name(key) == name:
            return value
    return ""


def child(element: Element, *path: str) -> Element | None:
    """The first child of each name in turn, of any namespace."""
    found: Element | None = element
    for name in path:
        if found is None:
            return None
        found = next((one for one in found if local_name(one.tag) == name), None)
    return found


def descendants(element: Element, name: str) -> Iterator[Element]:
    """All elements of a name below one, of any namespace."""
    return (one for one in element.iter() if local_name(one.tag) == name)


def _too_deep(root: Element) -> bool:
    level = [root]
    for _ in range(DEEPEST):
        level = [one for parent in level for one in parent]
        if not level:
            return False
    return True
