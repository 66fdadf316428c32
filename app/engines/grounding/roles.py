"""Which roles a verb can act on, and which roles people call by each other's names."""

from collections.abc import Mapping

from app.domain.directive import Verb
from app.domain.page import Node

_ANY = 1.0
# Text is no control: a heading never beats a button of the same name, and alone it is hardly meant.
_TEXT = 0.5

_CLICK: Mapping[str, float] = {
    "chk": 0.97, "rad": 0.97, "img": 0.97, "el": 0.97, "row": 0.95, "sel": 0.95, "file": 0.95,
    "inp": 0.93, "range": 0.9, "txt": _TEXT,
}  # fmt: skip
_FILL: Mapping[str, float] = {
    "inp": 1.0, "sel": 0.9, "range": 0.9, "file": 0.7, "el": 0.6, "chk": 0.5, "rad": 0.5,
    "txt": 0.35, "": 0.3,
}  # fmt: skip
_CHECK: Mapping[str, float] = {
    "chk": 1.0, "rad": 0.98, "el": 0.85, "opt": 0.85, "menu": 0.85, "btn": 0.8, "row": 0.75,
    "img": 0.75, "": 0.5,
}  # fmt: skip
_SELECT: Mapping[str, float] = {
    "rad": 0.98, "menu": 0.97, "tab": 0.96, "el": 0.95, "row": 0.95, "img": 0.95, "chk": 0.93,
    "link": 0.93, "btn": 0.92, "inp": 0.85, "txt": _TEXT,
}  # fmt: skip
_LOOK: Mapping[str, float] = {}
_OPEN: Mapping[str, float] = {
    **_CLICK,
    "chk": 0.6,
    "rad": 0.8,
}  # ticking a thing shows nothing of it

FIT: Mapping[Verb, Mapping[str, float]] = {
    "fill": _FILL, "clear": _FILL, "check": _CHECK, "uncheck": _CHECK, "select": _SELECT,
    "open": _OPEN, "find": _LOOK, "read": _LOOK, "hover": _LOOK, "drag": _LOOK,
    "scroll": _LOOK,
    "focus": {"txt": _TEXT, "btn": 0.9, "link": 0.9},
}  # fmt: skip

# Roles a person says for one another: how well the second serves where the first was named.
ALIKE: Mapping[str, Mapping[str, float]] = {
    "btn": {"link": 0.94, "menu": 0.94, "el": 0.94, "img": 0.94, "tab": 0.9, "opt": 0.85, "row": 0.85},
    "link": {"btn": 0.94, "menu": 0.94, "tab": 0.92, "el": 0.92, "tree": 0.92, "row": 0.9, "img": 0.9},
    "inp": {"sel": 0.88, "range": 0.88, "el": 0.85, "file": 0.8, "txt": 0.4},
    "chk": {"rad": 0.85, "el": 0.85, "btn": 0.8, "opt": 0.8, "menu": 0.8},
    "rad": {"chk": 0.88, "opt": 0.88, "el": 0.85, "btn": 0.85, "tab": 0.8},
    "sel": {"inp": 0.88, "btn": 0.85, "el": 0.8, "menu": 0.7},
    "opt": {
        "rad": 0.94, "menu": 0.94, "el": 0.92, "sel": 0.9, "chk": 0.9, "row": 0.9, "tree": 0.9,
        "link": 0.88, "btn": 0.88,
    },
    "tab": {"link": 0.93, "btn": 0.92, "menu": 0.88, "rad": 0.85, "el": 0.88},
    "menu": {"btn": 0.93, "link": 0.93, "opt": 0.9, "sel": 0.88, "tab": 0.85, "el": 0.88},
    "tree": {"row": 0.92, "link": 0.92, "el": 0.92, "btn": 0.9, "menu": 0.85},
    "range": {"inp": 0.9, "el": 0.85},
    "file": {"btn": 0.9, "inp": 0.9, "el": 0.85},
    "row": {"link": 0.92, "el": 0.92, "opt": 0.9, "tree": 0.92, "btn": 0.88, "img": 0.85},
    "img": {"el": 0.95, "btn": 0.93, "link": 0.93},
    "el": {},
    "txt": {},
}  # fmt: skip
_UNLIKE = 0.72  # the person's word for the role and ours have nothing to do with each other

VERB_WORDS: Mapping[str, str] = {
    "create": "add", "edit": "edit", "delete": "delete", "close": "close", "search": "search",
    "login": "log in", "logout": "log out", "submit": "submit", "clear": "clear",
}  # fmt: skip

READONLY_FIT = 0.6  # a field that cannot be typed into, where typing is asked for


def verb_fit(verb: Verb, node: Node) -> float:
    """How well the verb can be done to the node, 0..1."""
    table = FIT.get(verb, _CLICK)
    fit = table.get(node.role, table.get("", _ANY))
    if table is _FILL and "readonly" in node.states:
        fit *= READONLY_FIT
    return fit


def role_fit(named: str | None, node: Node) -> float:
    """How well the node's role is what the person called it, 0..1."""
    if named is None or named in (node.role, "el"):
        return 1.0
    return ALIKE.get(named, {}).get(node.role, _UNLIKE)


def said_role(named: str | None, node: Node) -> bool:
    """Whether a person would count the node among the things of that role."""
    return named is None or role_fit(named, node) >= 0.9
