"""Converts definition lists: short ones to lists, those with long explanations to sections."""

from typing import NamedTuple

from bs4 import Tag
from bs4.element import NavigableString

from knowledge.html.page import Page, children, first, size_of, tags, text_of

LONG = 280  # minimum characters of an explanation that becomes a section
MOST_BESIDE = 200  # consecutive definition lists judged together
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
SECTIONS = "dl-sections"
_BLOCKS = ["p", "ul", "ol", "dl", "pre", "table", "div", "blockquote", "section"]


def rewrite_definition_lists(page: Page, root: Tag) -> None:
    """Rewrite each `dl`, which Markdown lacks. In documentation that defines every function as a
    term, the terms become headings, so that their explanations can be found.
    """
    last = _Heading(1, "")
    inside: dict[int, _Heading] = {}
    for tag in list(tags(root, *HEADINGS, "dl")):
        if tag.name != "dl":
            last = _Heading(int(tag.name[1]), text_of(tag))
            continue
        around = next((inside[id(one)] for one in tag.parents if id(one) in inside), last)
        if _is_sectioned(tag):
            inside |= _as_sections(tag, min(around.level + 1, 6))
            _go_on(page, tag, around)
        else:
            _as_list(page, tag)


class _Heading(NamedTuple):
    level: int
    title: str


def _parts(tag: Tag) -> list[Tag]:
    """Terms and explanations in order, also if each pair is wrapped in a `div`."""
    found: list[Tag] = []
    for child in children(tag):
        inner = children(child, "dt", "dd") if child.name == "div" else [child]
        found += [one for one in inner if one.name in ("dt", "dd")]
    return found


def _is_sectioned(tag: Tag) -> bool:
    """Whether terms have ids, and an explanation in this or a neighboring list is long."""
    if not _has_ids(tag):
        return False
    beside = children(tag.parent, "dl") if tag.parent is not None else [tag]
    done = tag.parent is not None and children(tag.parent, SECTIONS) != []
    return done or any(_is_long(one) for one in beside[:MOST_BESIDE] if _has_ids(one))


def _has_ids(tag: Tag) -> bool:
    return any("id" in part.attrs for part in _parts(tag) if part.name == "dt")


def _is_long(tag: Tag) -> bool:
    parts = _parts(tag)
    size = sum(size_of(part) for part in parts if part.name == "dd")
    return size >= LONG * max(1, sum(part.name == "dt" for part in parts))


def _as_sections(tag: Tag, level: int) -> dict[int, _Heading]:
    """Turn terms into headings followed by their explanations."""
    inside: dict[int, _Heading] = {}
    before = title = ""
    for part in _parts(tag):
        was, before = before, part.name
        if part.name == "dd":
            part.name = "div"
            inside[id(part)] = _Heading(level, title)
        elif was == "dt":
            part.name = "p"
        else:
            title = text_of(part)
            part.name = f"h{level}"
    tag.name = SECTIONS
    return inside


def _go_on(page: Page, tag: Tag, around: _Heading) -> None:
    """Repeat the enclosing heading before content that follows the list without one of its own."""
    following = next(
        (one for one in tag.next_siblings if isinstance(one, Tag) and size_of(one)), None
    )
    if following is None or not around.title or following.name in (*HEADINGS, "dl", "section"):
        return
    if first(following, *HEADINGS) is None:
        heading = page.new_tag(f"h{around.level}")
        heading.append(NavigableString(around.title))
        following.insert_before(heading)


def _as_list(page: Page, tag: Tag) -> None:
    """Turn a list into `- **term**: explanation`; several terms or explanations share an item."""
    for blank in [
        one for one in tag.contents if isinstance(one, NavigableString) and not one.strip()
    ]:
        blank.extract()
    item: Tag | None = None
    explained = True
    for part in _parts(tag):
        if part.name == "dt" and (explained or item is None):
            item = page.new_tag("li")
            part.insert_before(item)
        if item is None:
            part.name = "li"
            continue
        explained = _put(page, item, part, more=explained)
    tag.name = "ul"
    for pair in children(tag, "div"):
        if children(pair, "li"):
            pair.unwrap()


def _put(page: Page, item: Tag, part: Tag, *, more: bool) -> bool:
    """Move a term or an explanation into its item; returns whether it was an explanation."""
    part.extract()
    if part.contents and isinstance(part.contents[-1], NavigableString):
        part.contents[-1].replace_with(NavigableString(part.contents[-1].rstrip()))
    if part.name == "dt":
        if item.contents:
            item.append(NavigableString(", "))
        part.name = "strong" if first(part, *_BLOCKS) is None else "div"
        item.append(part)
        return False
    inline = first(part, *_BLOCKS) is None and not more
    item.append(NavigableString(": " if inline else ""))
    part.name = "span" if inline else "div"
    item.append(part)
    return True
