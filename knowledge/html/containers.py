"""Names the parts of a page, and records where they are in its Markdown."""

from bs4 import Tag
from bs4.element import NavigableString, PageElement

from app.text import patterns
from knowledge.extract import Region
from knowledge.html.page import attribute, first, tags, text_of

_NAMED_WORDS = "dialog menu listbox tabpanel form region article details table main complementary"
NAMED = frozenset(_NAMED_WORDS.split())
"""Roles that make an element a container if it has a name."""
BARE = frozenset({"dialog", "menu", "listbox", "tabpanel", "form", "main"})
"""The ones among them that need no name."""
LONGEST_NAME = 80  # characters
LONGEST_ID = 64
MOST_REGIONS = 2_000  # per page

_BY_TAG = {
    "dialog": "dialog", "main": "main", "form": "form", "article": "article", "details": "details",
    "table": "table", "menu": "menu", "aside": "complementary",
}  # fmt: skip
_HOLDERS_WORDS = (
    "div section article main aside form fieldset dialog details table ul ol dl menu body template"
)
_HOLDERS = frozenset(_HOLDERS_WORDS.split())
_STABLE = patterns.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_NUMBERED = patterns.compile(r"\d{4}")
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"
_FIRST = 0xF0000  # private-use characters, which `page` has removed from the text
_MARK = patterns.compile(f"[{_OPEN}{_CLOSE}](.)", patterns.DOTALL)
_HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6", "legend"]


def container_name(role: str, ident: str, name: str) -> str:
    """The name of a container: `dialog[New patient]`, `#orders`, `main`; "" if it has none.

    1. A role of `NAMED` other than `main` with an accessible name: `role[name]`. Whitespace in the
    name is collapsed, brackets become round, and it is cut at `LONGEST_NAME` characters.
    `alertdialog` counts as dialog.

    2. Else a stable id: `#id`. It begins with a letter, consists of letters, digits and `-_.`, has
    no four digits in a row, and at most `LONGEST_ID` characters.

    3. Else a role of `BARE` alone.

    The extension names captures by the same rule; see `containers` of a capture.
    """
    kind = "dialog" if role == "alertdialog" else role
    short = " ".join(name.split()).replace("[", "(").replace("]", ")")[:LONGEST_NAME].strip()
    if kind in NAMED and kind != "main" and short:
        return f"{kind}[{short}]"
    if kind != "main" and is_stable(ident):
        return f"#{ident}"
    return kind if kind in BARE else ""


def is_stable(ident: str) -> bool:
    """Whether an id looks hand-written rather than generated."""
    return (
        len(ident) <= LONGEST_ID
        and _STABLE.fullmatch(ident) is not None
        and _NUMBERED.search(ident) is None
    )


def container_role(tag: Tag) -> str:
    """The role that makes an element a container; "" if none."""
    roles = attribute(tag, "role").lower().split()
    if attribute(tag, "aria-modal").lower() == "true" or (roles and roles[0] == "alertdialog"):
        return "dialog"
    if roles:
        return roles[0]
    if tag.name in ("section", "div") and (
        "aria-label" in tag.attrs or "aria-labelledby" in tag.attrs
    ):
        return "region"
    return _BY_TAG.get(tag.name, "")


def _accessible_name(tag: Tag, role: str, by_id: dict[str, Tag]) -> str:
    if label := attribute(tag, "aria-label").strip():
        return label
    labels = [by_id[one] for one in attribute(tag, "aria-labelledby").split() if one in by_id]
    if labels:
        return " ".join(text_of(one) for one in labels)
    if role == "details":
        return _first(tag, ["summary"])
    if role == "table":
        return _first(tag, ["caption"])
    if role == "main":
        return ""
    return _first(tag, _HEADINGS)


def _first(tag: Tag, names: list[str]) -> str:
    element = first(tag, *names)
    return text_of(element) if element is not None else ""


def insert_marks(root: Tag, by_id: dict[str, Tag]) -> list[str]:
    """Mark the first and last word of each named container; returns the names in that order."""
    # All names first: a name may be read from text that gets a mark.
    containers = [(tag, name) for tag in tags(root) for name in _container_names(tag, by_id)]
    names: list[str] = []
    for tag, name in containers:
        if len(names) < MOST_REGIONS and _mark(tag, chr(_FIRST + len(names))):
            names.append(name)
    return names


def _container_names(tag: Tag, by_id: dict[str, Tag]) -> list[str]:
    if tag.name not in _HOLDERS and "role" not in tag.attrs:
        return []
    role, ident = container_role(tag), attribute(tag, "id")
    label = _accessible_name(tag, role, by_id) if role in NAMED else ""
    possible = [container_name(role, ident, label)]
    if is_stable(ident) and tag.name in _HOLDERS:
        possible.append(f"#{ident}")
    return [name for name in dict.fromkeys(possible) if name]


def _mark(tag: Tag, letter: str) -> bool:
    if (first := _first_words(tag)) is None:
        return False
    last: PageElement = tag
    while isinstance(last, Tag) and last.contents:
        last = last.contents[-1]
    while not (isinstance(last, NavigableString) and last.strip()):
        last = last.previous_element or first
    _insert_mark(last, f"{_CLOSE}{letter}", at_end=True)
    _insert_mark(_first_words(tag) or first, f"{_OPEN}{letter}", at_end=False)
    return True


def _first_words(tag: Tag) -> NavigableString | None:
    texts = (one for one in tag.descendants if isinstance(one, NavigableString) and one.strip())
    return next(texts, None)


def _insert_mark(text: NavigableString, mark: str, *, at_end: bool) -> None:
    """Insert the mark next to the word, so that surrounding whitespace can still be trimmed."""
    words = str(text)
    inner = words.strip()
    at = words.index(inner)
    marked = f"{inner}{mark}" if at_end else f"{mark}{inner}"
    text.replace_with(NavigableString(words[:at] + marked + words[at + len(inner) :]))


def extract_regions(text: str, names: list[str]) -> tuple[str, tuple[Region, ...]]:
    """Remove the marks from a text and return the regions they delimit, extended to whole lines."""
    parts: list[str] = []
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    position = length = 0
    for mark in _MARK.finditer(text):
        parts.append(text[position : mark.start()])
        length += mark.start() - position
        position = mark.end()
        number = ord(mark[1]) - _FIRST
        if mark[0][0] == _OPEN:
            starts.setdefault(number, length)
        else:
            ends[number] = length
    parts.append(text[position:])
    plain = "".join(parts)
    regions = []
    for number in sorted(starts.keys() & ends.keys()):
        start = plain.rfind("\n", 0, starts[number]) + 1
        end = plain.find("\n", ends[number])
        regions.append(
            Region(container=names[number], start=start, end=len(plain) if end < 0 else end)
        )
    return plain, tuple(regions)
