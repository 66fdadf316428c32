"""Rewrites what Markdown lacks: definition lists, and form controls, which are described in words."""

from typing import NamedTuple

from bs4 import Tag
from bs4.element import NavigableString

from knowledge.html.page import Page, above, attribute, children, first, size_of, tags, text_of

MOST_OPTIONS = 60  # options listed per control; the rest is counted
LONGEST_LABEL = 200  # characters of a hint or an option
_KINDS = {
    "checkbox": "checkbox", "radio": "option", "file": "file", "password": "password", "date": "date",
    "datetime-local": "date and time", "time": "time", "month": "month", "week": "week", "number": "number",
    "range": "number", "email": "email", "tel": "telephone", "url": "address", "search": "search",
    "color": "colour",
}  # fmt: skip
_BUTTON_TYPES = frozenset({"submit", "button", "reset", "image"})
LONG = 280  # minimum characters of an explanation that becomes a section
MOST_BESIDE = 200  # consecutive definition lists judged together
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
SECTIONS = "dl-sections"
_BLOCKS = ["p", "ul", "ol", "dl", "pre", "table", "div", "blockquote", "section"]


def replace_controls(page: Page, root: Tag) -> None:
    """Replace each control by a description. The user's input is never included."""
    labelled = {attribute(label, "for") for label in tags(page, "label") if "for" in label.attrs}
    for tag in list(tags(root, "input", "select", "textarea", "button")):
        if tag.decomposed:
            continue
        is_input_button = tag.name == "input" and attribute(tag, "type").lower() in _BUTTON_TYPES
        is_button = is_input_button or tag.name == "button"
        words = _button(tag) if is_button else _field(tag, labelled)
        tag.replace_with(NavigableString(words))


def _button(tag: Tag) -> str:
    label = text_of(tag) or attribute(tag, "aria-label") or attribute(tag, "title")
    label = label or attribute(tag, "value") or attribute(tag, "alt")
    short = " ".join(label.split())[:LONGEST_LABEL]
    return f" [button: {short}] " if short else " "


def _field(tag: Tag, labelled: set[str]) -> str:
    parts = [_kind(tag)]
    if "required" in tag.attrs or attribute(tag, "aria-required").lower() == "true":
        parts.append("required")
    if "disabled" in tag.attrs:
        parts.append("disabled")
    if span := _span(tag):
        parts.append(span)
    control = f"[{', '.join(parts)}{_hints(tag)}{_options(tag)}]"
    ident = attribute(tag, "id")
    has_label = (ident != "" and ident in labelled) or above(tag, "label") is not None
    label = "" if has_label else _own_label(tag)
    return f" {label}: {control} " if label else f" {control} "


def _kind(tag: Tag) -> str:
    if tag.name == "select":
        return "choices" if "multiple" in tag.attrs else "choice"
    if tag.name == "textarea":
        return "long text"
    return _KINDS.get(attribute(tag, "type").lower(), "text")


def _span(tag: Tag) -> str:
    """Allowed range of numbers or dates, or maximum length of text."""
    low, high = attribute(tag, "min")[:20], attribute(tag, "max")[:20]
    if low or high:
        return f"{low or '…'} to {high or '…'}"
    longest = attribute(tag, "maxlength")
    return f"at most {longest} characters" if longest.isdigit() and len(longest) < 5 else ""


def _hints(tag: Tag) -> str:
    """The placeholder. Text referenced by `aria-describedby` is on the page already."""
    hint = attribute(tag, "placeholder") or attribute(tag, "title")
    short = " ".join(hint.split())[:LONGEST_LABEL]
    return f", as in: {short}" if short and short != _own_label(tag) else ""


def _options(tag: Tag) -> str:
    if tag.name != "select":
        return ""
    labels: list[str] = []
    for group in tags(tag, "optgroup", "option"):
        label = attribute(group, "label") or text_of(group)
        if group.name == "option" and label:
            labels.append(label[:LONGEST_LABEL])
        elif group.name == "optgroup" and label:
            labels.append(f"({label[:LONGEST_LABEL]})")
    more = len(labels) - MOST_OPTIONS
    listed = " · ".join(labels[:MOST_OPTIONS])
    return f": {listed}" + (f" and {more} more" if more > 0 else "") if labels else ""


def _own_label(tag: Tag) -> str:
    """The name of a control whose label is not in the surrounding text."""
    label = attribute(tag, "aria-label")
    if not label and attribute(tag, "aria-labelledby"):
        return ""  # its label is on the page already
    label = label or attribute(tag, "placeholder") or attribute(tag, "title")
    return " ".join(label.split())[:LONGEST_LABEL]


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
        heading = next((inside[id(one)] for one in tag.parents if id(one) in inside), last)
        if _is_sectioned(tag):
            inside |= _as_sections(tag, min(heading.level + 1, 6))
            _reopen_section(page, tag, heading)
        else:
            _as_list(page, tag)


class _Heading(NamedTuple):
    level: int
    title: str


def _parts(tag: Tag) -> list[Tag]:
    """Terms and explanations in order, also if each pair is wrapped in a `div`."""
    parts: list[Tag] = []
    for child in children(tag):
        inner = children(child, "dt", "dd") if child.name == "div" else [child]
        parts += [one for one in inner if one.name in ("dt", "dd")]
    return parts


def _is_sectioned(tag: Tag) -> bool:
    """Whether terms have ids, and an explanation in this or a neighboring list is long."""
    if not _has_ids(tag):
        return False
    siblings = children(tag.parent, "dl") if tag.parent is not None else [tag]
    has_sections = tag.parent is not None and children(tag.parent, SECTIONS) != []
    return has_sections or any(_is_long(one) for one in siblings[:MOST_BESIDE] if _has_ids(one))


def _has_ids(tag: Tag) -> bool:
    return any("id" in part.attrs for part in _parts(tag) if part.name == "dt")


def _is_long(tag: Tag) -> bool:
    parts = _parts(tag)
    size = sum(size_of(part) for part in parts if part.name == "dd")
    return size >= LONG * max(1, sum(part.name == "dt" for part in parts))


def _as_sections(tag: Tag, level: int) -> dict[int, _Heading]:
    inside: dict[int, _Heading] = {}
    current = title = ""
    for part in _parts(tag):
        previous, current = current, part.name
        if part.name == "dd":
            part.name = "div"
            inside[id(part)] = _Heading(level, title)
        elif previous == "dt":
            part.name = "p"
        else:
            title = text_of(part)
            part.name = f"h{level}"
    tag.name = SECTIONS
    return inside


def _reopen_section(page: Page, tag: Tag, around: _Heading) -> None:
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
        explained = _move_part(item, part, more=explained)
    tag.name = "ul"
    for pair in children(tag, "div"):
        if children(pair, "li"):
            pair.unwrap()


def _move_part(item: Tag, part: Tag, *, more: bool) -> bool:
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
