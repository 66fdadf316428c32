"""Finds the main content of a page, if that loses nothing important."""

import logging
from itertools import islice
from typing import TYPE_CHECKING

from bs4 import Tag
from bs4.element import NavigableString

from app.text import patterns
from knowledge.html.page import Page, attribute, first, size_of, tags

if TYPE_CHECKING:
    from lxml.html import HtmlElement


KEY = "data-at"
"""Attribute that numbers the elements in document order, from 0."""
_COPIED_ATTRIBUTES = ("class", "id", "role", "itemprop", "href", "alt", "src")
_NAME = patterns.compile(r"[a-z][a-z0-9]*$")
LEAST_SHARE = (
    0.6  # minimum share of the page's text in its main part; below it, content would be lost
)
LEAST_MARKED_SHARE = 0.25  # the same for a part that the author marked as main
MOST_SCORED = 6_000  # elements of a page that is scored: quadratic time in the worst case
MOST_LINKS_READ = 4  # fewer consecutive links count as text
MOSTLY_LINKS = 0.8  # share of the letters in a list of links that must be links
_CONTROLS = frozenset({"select", "optgroup", "option", "button", "textarea", "input", "label"})
_BOXES = ("div", "ul", "ol", "dl", "table", "p", "section", "aside")
_DIALOG_ROLES = ("dialog", "alertdialog", "tabpanel")
_HEADINGS = ["h1", "h2", "h3"]


def to_lxml(body: Tag) -> "HtmlElement":
    """Copy a body to lxml. Hidden attributes are left out, since hidden parts have been handled."""
    from lxml.etree import SubElement  # noqa: PLC0415 - only pages that are scored
    from lxml.html import Element  # noqa: PLC0415

    root = Element("html")
    copies: dict[int, HtmlElement] = {id(body): SubElement(root, "body")}
    number = 0
    for node in body.descendants:
        copy = copies[id(node.parent)]
        if isinstance(node, Tag):
            element = SubElement(copy, node.name if _NAME.match(node.name) else "div")
            element.set(KEY, str(number))
            number += 1
            for name in _COPIED_ATTRIBUTES:
                if value := attribute(node, name):
                    element.set(name, value)
            copies[id(node)] = element
        elif isinstance(node, NavigableString):
            _append_text(copy, str(node))
    return root


def _append_text(copy: "HtmlElement", text: str) -> None:
    if len(copy):
        copy[-1].tail = (copy[-1].tail or "") + text
    else:
        copy.text = (copy.text or "") + text


def find_main_parts(page: Page) -> list[Tag]:
    """The main parts of a page in order: those marked by the author, else those that look like
    an article. Returns the whole body if they would lose a form, a table, a definition list,
    code, a heading or much of the text.
    """
    body = page.body
    if body is None:
        return [page]
    marked = _outermost([tag for tag in tags(body) if tag.name == "main" or _role(tag) == "main"])
    if marked:
        parts = marked + _dialogs(body, marked)
        return (
            parts if not _loses_content(body, parts, LEAST_MARKED_SHARE, headings=False) else [body]
        )
    readable = _readable_parts(body)
    if readable:
        parts = readable + _dialogs(body, readable)
        if not _loses_content(body, parts, LEAST_SHARE, headings=True):
            return parts
    remove_link_lists(body)
    return [body]


def remove_link_lists(body: Tag) -> None:
    """Remove lists of links if the rest of the text is most of the page."""
    elements = list(tags(body))
    if len(elements) > MOST_SCORED:
        return
    link_lists = [tag for tag in elements if tag.name in _BOXES and _is_link_list(tag)]
    outer = _outermost(link_lists)
    if 2 * sum(map(size_of, outer)) < size_of(body):
        for tag in outer:
            tag.decompose()


def _is_link_list(tag: Tag) -> bool:
    links = list(tags(tag, "a"))
    if (
        len(links) < MOST_LINKS_READ
        or first(tag, "input", "select", "textarea", "pre", *_HEADINGS) is not None
    ):
        return False
    return sum(map(size_of, links)) >= MOSTLY_LINKS * size_of(tag)


def _role(tag: Tag) -> str:
    return attribute(tag, "role").lower()


def _outermost(candidates: list[Tag]) -> list[Tag]:
    chosen = {id(tag) for tag in candidates}
    return [tag for tag in candidates if not any(id(outer) in chosen for outer in tag.parents)]


def _dialogs(body: Tag, parts: list[Tag]) -> list[Tag]:
    """Dialogs outside of the main parts; they are mostly at the end of a page."""
    dialogs = _outermost(
        [tag for tag in tags(body) if tag.name == "dialog" or _role(tag) in _DIALOG_ROLES]
    )
    part_ids = {id(part) for part in parts}
    return [
        tag for tag in dialogs if not any(id(above) in part_ids for above in [tag, *tag.parents])
    ]


def _weights(parts: list[Tag], *, headings: bool) -> dict[str, int]:
    weights = {"text": sum(map(size_of, parts))}
    for part in parts:
        for tag in tags(part, "form", "table", "dl", "pre", *(_HEADINGS if headings else [])):
            if _is_substantial(tag):
                kind = "heading" if tag.name in _HEADINGS else tag.name
                weights[kind] = weights.get(kind, 0) + 1
    return weights


def _is_substantial(tag: Tag) -> bool:
    """Whether losing it would matter: a form with more than a search field, a table with data rows, etc."""
    if tag.name == "form":
        fields = [
            one
            for one in tags(tag, "input", "select", "textarea")
            if attribute(one, "type").lower()
            not in ("hidden", "submit", "button", "search", "image")
        ]
        return len(fields) > 1
    if tag.name == "table":
        return len(list(islice(tags(tag, "tr"), 2))) > 1
    return size_of(tag) > 0


def _loses_content(body: Tag, parts: list[Tag], least: float, *, headings: bool) -> bool:
    whole, remaining = _weights([body], headings=headings), _weights(parts, headings=headings)
    if remaining["text"] < least * whole["text"]:
        return True
    return any(remaining.get(kind, 0) < count for kind, count in whole.items() if kind != "text")


def _readable_parts(body: Tag) -> list[Tag]:
    """The elements that `readability` selects as the article."""
    elements = list(tags(body))
    if not 5 < len(elements) <= MOST_SCORED:
        return []
    chosen = set(_article(body))
    parts = [tag for number, tag in enumerate(elements) if number in chosen]
    return [] if any(tag.name in _CONTROLS for tag in parts) else parts


def _article(body: Tag) -> list[int]:
    """Numbers of the elements that make up the article, in document order."""
    from lxml import etree  # noqa: PLC0415 - only pages without marked main content
    from lxml.html import fromstring  # noqa: PLC0415
    from readability import Document  # noqa: PLC0415
    from readability.readability import Unparseable  # noqa: PLC0415

    logging.getLogger("readability").setLevel(logging.CRITICAL)
    try:
        article = fromstring(Document(to_lxml(body)).summary(html_partial=True))
    except (Unparseable, etree.LxmlError, ValueError):
        return []
    inside = f"//*[@{KEY} and not(ancestor::*[@{KEY}])]/@{KEY}"
    return [int(key) for key in article.xpath(inside) if key.isdecimal()]
