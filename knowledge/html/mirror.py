"""A tree of `beautifulsoup4` as one of `lxml`, without writing it down and parsing it again."""

from typing import TYPE_CHECKING

from bs4 import Tag
from bs4.element import NavigableString

from app.text import patterns
from knowledge.html.page import attribute

if TYPE_CHECKING:
    from lxml.html import HtmlElement

KEY = "data-at"
"""The attribute that numbers elements, from 0 on in the order of the page."""
_KEPT = ("class", "id", "role", "itemprop", "href", "alt", "src")
_NAME = patterns.compile(r"[a-z][a-z0-9]*$")


def mirrored(body: Tag) -> "HtmlElement":
    """A page of the body. What is hidden is not told: that has been judged."""
    from lxml.etree import SubElement  # noqa: PLC0415 - only pages that are scored
    from lxml.html import Element  # noqa: PLC0415

    root = Element("html")
    copies: dict[int, HtmlElement] = {id(body): SubElement(root, "body")}
    number = 0
    for node in body.descendants:
        copy = copies[id(node.parent)]
        if isinstance(node, Tag):
            made = SubElement(copy, node.name if _NAME.match(node.name) else "div")
            made.set(KEY, str(number))
            number += 1
            for name in _KEPT:
                if value := attribute(node, name):
                    made.set(name, value)
            copies[id(node)] = made
        elif isinstance(node, NavigableString):
            _say(copy, str(node))
    return root


def _say(copy: "HtmlElement", text: str) -> None:
    """Put a text behind what an element has already."""
    if len(copy):
        copy[-1].tail = (copy[-1].tail or "") + text
    else:
        copy.text = (copy.text or "") + text
