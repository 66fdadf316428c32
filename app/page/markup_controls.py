"""Extracts controls with their roles and states from markup."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from app.domain.page import MASK, MAX_NODES, Node, Tree
from app.page.markup import HiddenFilter
from app.page.tags import ID, ROLES, VOID, Open, is_secret_input, tokenize
from app.text import patterns

_INPUTS = {
    "checkbox": "chk", "radio": "rad", "submit": "btn", "button": "btn", "reset": "btn",
    "image": "btn", "file": "file", "range": "range",
}  # fmt: skip
_TAGS = {
    "a": "link", "button": "btn", "summary": "btn", "select": "sel", "textarea": "inp",
    "option": "opt", "img": "img", "canvas": "img", "svg": "img",
}  # fmt: skip
_OWN = ("disabled", "readonly", "required", "checked")
_STATES = {
    ("aria-checked", "mixed"): "mixed", ("aria-expanded", "true"): "expanded",
    ("aria-expanded", "false"): "collapsed",
    **{(f"aria-{name}", "true"): name for name in (*_OWN, "selected", "pressed", "invalid")},
}  # fmt: skip


def role_of(tag: Open) -> str:
    declared = ROLES.get(tag.attributes.get("role", "").lower())
    if tag.name == "input":
        implied = _INPUTS.get(tag.attributes.get("type", "").lower(), "inp")
        return declared if declared and implied == "btn" else implied
    return declared or _TAGS.get(tag.name, "el")


def states_of(tag: Open) -> Iterator[str]:
    own = {name: value.lower() for name, value in tag.attributes.items()}
    yield from (name for name in _OWN if name in own)
    yield from (state for (name, value), state in _STATES.items() if own.get(name) == value)
    for state in ("current", "haspopup"):  # these hold a kind or "false"
        if own.get(f"aria-{state}", "false") != "false":
            yield state


MAX_NAME = 80  # characters, as in the page script
MAX_OPTIONS = 21
_ID = patterns.compile(r"\d{1,9}(:\d{1,9})?")
_GROUPS = {
    "form": "form", "dialog": "dialog", "fieldset": "fieldset", "nav": "nav", "tr": "row",
    "li": "item",
}  # fmt: skip
_TEXT_NAMED = frozenset({"tr", "li"})


@dataclass(slots=True)
class _Open:
    """An element and the text inside it."""

    tag: Open
    words: list[str] = field(default_factory=list)
    room: int = MAX_NAME
    options: list[str] = field(default_factory=list)
    selected: str | None = None
    around: tuple["_Open", ...] = ()

    @property
    def text(self) -> str:
        return " ".join(self.words)[:MAX_NAME].strip()

    def add_words(self, words: str) -> None:
        if self.room > 0:
            self.words.append(words)
            self.room -= len(words) + 1


def list_controls(html: str) -> Tree:
    """Return the elements with an id in page order, without invalid and repeated ids."""
    walk = _ControlCollector()
    hidden = HiddenFilter()
    for token in tokenize(html):
        if hidden.skips(token):
            continue
        if isinstance(token, str):
            walk.text(token)
        elif isinstance(token, Open):
            walk.open(token)
        else:
            walk.close(token.name)
    return Tree.of(walk.nodes())


class _ControlCollector:
    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._found: dict[str, _Open] = {}
        self._labels: dict[str, _Open] = {}

    def text(self, text: str) -> None:
        """Add words to every enclosing open element; option texts are not added to their list."""
        words = " ".join(text.split())[:MAX_NAME]
        for element in reversed(self._open if words else ()):
            element.add_words(words)
            if element.tag.name == "option":
                return

    def open(self, tag: Open) -> None:
        if tag.name in ("tr", "li", "option"):
            self._close_unclosed(tag.name)
        element = _Open(tag, around=tuple(self._open))
        own = tag.attributes.get(ID, "")
        if _ID.fullmatch(own) and len(self._found) < MAX_NODES:
            self._found.setdefault(own, element)
        if tag.name == "label" and "for" in tag.attributes:
            self._labels.setdefault(tag.attributes["for"], element)
        if tag.name not in VOID and (own or tag.name in _TRACKED) and len(self._open) < _DEEPEST:
            self._open.append(element)

    def close(self, name: str) -> None:
        at = next(
            (i for i in reversed(range(len(self._open))) if self._open[i].tag.name == name), None
        )
        if at is None:
            return
        for element in self._open[at:]:
            self._add_option(element)
        del self._open[at:]

    def nodes(self) -> Iterator[Node]:
        for element in self._open:
            self._add_option(element)
        for node_id, element in self._found.items():
            yield self._node(node_id, element)

    def _close_unclosed(self, name: str) -> None:
        """Close an unclosed element before the next one, unless that one is in a nested list."""
        inner = {name, "ul", "ol", "table", "select"}
        nearest = next((one.tag.name for one in reversed(self._open) if one.tag.name in inner), "")
        if nearest == name:
            self.close(name)

    def _add_option(self, element: _Open) -> None:
        lists = [one for one in element.around if one.tag.name == "select"]
        if element.tag.name == "option" and lists:
            if len(lists[-1].options) < MAX_OPTIONS:
                lists[-1].options.append(element.text)
            if "selected" in element.tag.attributes or lists[-1].selected is None:
                lists[-1].selected = element.text

    def _node(self, node_id: str, element: _Open) -> Node:
        tag = element.tag
        return Node(
            id=node_id,
            role=role_of(tag),
            name=self._name(element),
            value=_value(element),
            states=frozenset(states_of(tag)),
            frame=int(node_id.partition(":")[0]) if ":" in node_id else 0,
            input_type=tag.attributes.get("type") if tag.name == "input" else None,
            options=tuple(element.options),
            group=" > ".join(_groups(element.around)),
            hint=tag.attributes.get("placeholder", "")[:MAX_NAME],
        )

    def _name(self, element: _Open) -> str:
        own, is_field = element.tag.attributes, element.tag.name in ("input", "select", "textarea")
        label = self._labels.get(own.get("id", ""))
        around = [one for one in element.around if one.tag.name == "label" and is_field]
        candidates = (
            own.get("aria-label", ""),
            label.text if label else "",
            around[-1].text if around else "",
            "" if is_field else element.text,
            own.get("title", ""),
            own.get("alt", ""),
            own.get("value", "") if own.get("type") in ("submit", "button", "reset") else "",
            own.get("placeholder", ""),
        )
        return next((" ".join(c.split())[:MAX_NAME] for c in candidates if c.strip()), "")


_TRACKED = frozenset({"label", "select", "option", "legend", "ul", "ol", "table", *_GROUPS})
_DEEPEST = 60


def _value(element: _Open) -> str | None:
    tag = element.tag
    if tag.name == "select":
        return element.selected or ""
    if tag.name == "textarea":
        return element.text
    if role_of(tag) not in ("inp", "range"):
        return None
    value = tag.attributes.get("value", "")
    return (MASK if value else "") if is_secret_input(tag) else value


def _groups(around: Iterable[_Open]) -> Iterator[str]:
    for element in around:
        kind = _GROUPS.get(element.tag.name)
        text = element.text if element.tag.name in _TEXT_NAMED else ""
        label = element.tag.attributes.get("aria-label", text)
        if kind and label:
            yield f"{kind}: {' '.join(label.split())[:MAX_NAME]}"
