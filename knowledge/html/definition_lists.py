"""Lists of terms: short ones become lists, and long explanations sections with the term as their heading."""

from typing import NamedTuple

from bs4 import Tag
from bs4.element import NavigableString

from knowledge.html.page import Page, children, first, size_of, tags, text_of

LONG = 280  # characters that a term's explanation needs to be a section
MOST_BESIDE = 200  # lists of terms that are looked at together
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
SECTIONS = "dl-sections"
_BLOCKS = ["p", "ul", "ol", "dl", "pre", "table", "div", "blockquote", "section"]


def rewrite_definition_lists(page: Page, root: Tag) -> None:
    """Rewrite each `dl` of a tree, for Markdown has none: of documentation in which every function is a term,
    the term is what its explanation is found by.
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
    """Terms and explanations in their order, also where each pair has a `div` around it."""
    found: list[Tag] = []
    for child in children(tag):
        inner = children(child, "dt", "dd") if child.name == "div" else [child]
        found += [one for one in inner if one.name in ("dt", "dd")]
    return found


def _is_sectioned(tag: Tag) -> bool:
    """Its terms can be pointed at, and what explains one of them, or of those beside it, is long."""
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
    """Terms as headings; what stands in each explanation stands under its term."""
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
    """What follows the terms without a heading of its own is of what they are part of: that is said again."""
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
    """`- **term**: explanation`; several terms of one explanation, and several explanations, in one item."""
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
    """Put a term or an explanation into its item; whether it was an explanation."""
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
