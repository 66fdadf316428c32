"""Classifies controls, and finds the form or record around one."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from rapidfuzz.distance import OSA

from app.domain.action import Action
from app.domain.page import Node, Observation
from app.text import patterns
from app.text.lexicon import speaks_of, words
from app.text.value_words import COMMANDS, COMMON, GLUE

FORMS = frozenset({"form", "dialog"})
ENTRIES = frozenset({"inp", "sel", "chk", "rad", "range", "file"})
RECORDS = frozenset({"row", "item"})  # containers that hold one record each
_REMEMBERED = 16_384  # groups, each for forms, dialogs and records
_NEAR = 12.0  # CSS pixels: hit radius of a control whose box is unknown
_SHORT = 4  # words; a longer name is a sentence, not a command


def enclosing_form(node: Node) -> str | None:
    """Return the `group` prefix up to the innermost form or dialog; None outside of one."""
    return cut_group(node.group, FORMS) or None


@lru_cache(maxsize=_REMEMBERED)
def cut_group(group: str, kinds: frozenset[str]) -> str:
    """Return the group up to its innermost container of these kinds; empty if there is none."""
    parts = group.split(" > ")
    for end in range(len(parts), 0, -1):
        if parts[end - 1].partition(":")[0].strip() in kinds:
            return " > ".join(parts[:end])
    return ""


def is_inside(node: Node, group: str) -> bool:
    """Whether the node is inside the container with that group prefix."""
    return node.group == group or node.group.startswith(group + " > ")


def fields_in(page: Observation, group: str | None) -> tuple[Node, ...]:
    """Return the fields of a container; with `None`, those outside any form or dialog."""
    fields = page.tree.of_roles(ENTRIES)
    if group is None:
        return tuple([n for n in fields if not cut_group(n.group, FORMS)])
    return tuple([n for n in fields if is_inside(n, group)])


def is_opener(node: Node) -> bool:
    """Whether the control opens a menu, list or section."""
    return bool(node.states & {"haspopup", "expanded", "collapsed"})


def is_closed(node: Node) -> bool:
    return bool(node.states & {"haspopup", "collapsed"}) and "expanded" not in node.states


def is_submit(node: Node, page: Observation) -> bool:
    """Whether clicking the control submits a form.

    True if its type is submit, or its name is a submit command and it has fields beside it. "Add"
    or "New" without fields opens something instead. The page's search box does not count as a
    field.
    """
    if node.role not in ("btn", "img", "el", "inp") or is_opener(node):
        return False
    if speaks_of("dismiss", node.name) and not speaks_of("submit", node.name):
        return False
    if node.role == "inp":
        return node.input_type in ("submit", "image")
    fields = _fields_beside(node, page)
    if node.input_type in ("submit", "image"):
        return bool(fields) or enclosing_form(node) is not None
    in_form = enclosing_form(node) is not None
    of_record = not in_form and bool(node.groups) and node.groups[-1][0] in RECORDS
    if of_record and not any(is_inside(field, node.group) for field in fields):
        return False  # "Add to cart" in a row or card submits nothing
    named = len(words(node.name).split()) <= _SHORT and speaks_of("submit", node.name)
    return named and (bool(fields) or in_form)


def _fields_beside(node: Node, page: Observation) -> tuple[Node, ...]:
    """Return the fields of its form; outside a form, the page's fields except search boxes."""
    group = enclosing_form(node)
    fields = fields_in(page, group)
    if group is not None or speaks_of("search", node.name):
        return fields
    return tuple(field for field in fields if not is_search_field(field))


def is_search_field(field: Node) -> bool:
    return field.input_type == "search" or speaks_of("search", field.name or field.hint)


def is_dismiss_button(node: Node) -> bool:
    """Whether the control closes an overlay without agreeing to anything."""
    if node.role not in ("btn", "link", "img", "el"):
        return False
    short = len(words(node.name).split()) <= _SHORT
    return short and speaks_of("dismiss", node.name)


def affected_controls(action: Action, page: Observation) -> tuple[Node, ...]:
    """Return the controls an action affects, including those under its point or in focus for a key."""
    pointed = controls_at((*action.points[:1], *action.points[-1:]), page)
    if action.name in ("hover", "scroll", "wait", "setValue", "selectText", "uploadFile"):
        return ()
    if action.points and action.target is None:
        return pointed
    key = str(action.args.get("key", "")).casefold()
    if action.name == "pressKey" and key in ("enter", "space", " "):
        return _controls_with_focus(page, enters=key == "enter")
    named = (page.tree.get(str(action.args.get(key, ""))) for key in ("id", "targetId"))
    return (*(node for node in named if node is not None), *pointed)


def controls_at(points: Iterable[tuple[int, int]], page: Observation) -> tuple[Node, ...]:
    """Return the controls at any of these points (CSS pixels of the window)."""
    at = tuple(points)
    return tuple(node for node in page.tree if any(_is_hit(node, x, y) for x, y in at))


def _is_hit(node: Node, x: int, y: int) -> bool:
    if node.box is not None:
        left, top, width, height = node.box
        return left <= x <= left + width and top <= y <= top + height
    return node.center is not None and abs(node.center[0] - x) + abs(node.center[1] - y) <= _NEAR


def _controls_with_focus(page: Observation, *, enters: bool) -> tuple[Node, ...]:
    """Return the focused control; for Enter in a field, also the form's submit button."""
    focused = [node for node in page.tree if "focused" in node.states]
    forms = {enclosing_form(node) for node in focused if node.role == "inp"} if enters else set()
    submits = [
        node
        for node in page.tree
        if is_submit(node, page) and any(f is not None and is_inside(node, f) for f in forms)
    ]
    return (*focused, *submits)


_RECORDS_AND_FORMS = RECORDS | {"form"}
_LEAST_MISSPELT = 4  # letters; shorter words are not matched with typing errors
_LEAST = 3  # letters of a distinctive word
_QUOTED = patterns.compile(
    "(?<!\\w)'(.{40,}?)'(?!\\w)|\"(.{40,}?)\"|\u201c(.{40,}?)\u201d|\u201e(.{40,}?)[\u201c\u201d]|\u00ab(.{40,}?)\u00bb",
    patterns.DOTALL,
)  # shorter quotations are control names and values
GENERIC = GLUE | COMMANDS


@lru_cache(maxsize=256)
def strip_quotations(text: str) -> str:
    """Remove long quotations, which someone else may have written."""
    return _QUOTED.sub(" ", text)


def is_only_quoted(value: str, text: str) -> bool:
    part, own = value.strip().casefold(), strip_quotations(text).casefold()
    if not part or part in own:
        return False
    quotes = (next(filter(None, found)) for found in _QUOTED.findall(text))
    return any(part in one.casefold() and part != one.strip().casefold() for one in quotes)


def distinctive_words(text: str) -> Iterator[str]:
    for word in words(text).split():
        if (len(word) >= _LEAST or not word.isascii()) and word not in GENERIC:
            yield word


def distinctive_tokens(text: str) -> frozenset[str]:
    """Return the words of a text that tell one thing from another."""
    return frozenset(word for word in words(text).split() if word not in COMMON)


def enclosing_record(node: Node, kinds: frozenset[str] = RECORDS) -> str | None:
    return next((name for kind, name in reversed(node.groups) if kind in kinds), None)


def fits_other_better(node: Node, page: Observation, text: str) -> bool:
    """Whether the person's words fit the record of another such control at least as well.

    Of two equal fits, the record with fewer unmatched words wins; a tie counts as ambiguous.
    Without a named record ("the oldest one") words cannot decide.
    """
    own = enclosing_record(node, _RECORDS_AND_FORMS)
    if own is None or speaks_of("totality", text):
        return False
    tokens = distinctive_tokens(strip_quotations(text))
    others = {
        enclosing_record(n, _RECORDS_AND_FORMS)
        for n in page.tree
        if n.name == node.name and n.role == node.role and n != node
    } - {own, None}
    best = max((_fit(other, tokens) for other in others if other), default=(0, 0))
    own_fit = _fit(own, tokens)
    if best[0] != own_fit[0] or not best[0]:
        return best[0] > own_fit[0]
    return best[1] >= own_fit[1]


def _fit(record: str, tokens: frozenset[str]) -> tuple[int, int]:
    own = frozenset(
        word for word in distinctive_tokens(record) if not word.isdigit() or word in tokens
    )
    return len(own & tokens), -len(own - tokens)


def is_near_miss(record: str, text: str) -> bool:
    """Whether the record's name nearly matches, but is not, one that the person said."""
    text_words, name_words = set(words(text).split()), set(distinctive_words(record))
    if not text_words & name_words:
        return False
    return any(
        word.isalpha() and other.isalpha() and word[0] == other[0]
        and min(len(word), len(other)) >= _LEAST_MISSPELT
        and OSA.distance(word, other, score_cutoff=1) <= 1
        for word in name_words - text_words
        for other in text_words - name_words
    )  # fmt: skip
