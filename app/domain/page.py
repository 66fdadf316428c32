"""An observation of the page, as the extension sends it: nodes, their tree, dialogs, downloads."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from app.domain.base import Value

Role = Literal[
    "btn",  # button, summary, anything clicked for its effect
    "link",
    "inp",  # text-like input, textarea, contenteditable, date, number; `input_type` says which
    "chk",  # checkbox or switch
    "rad",
    "sel",  # native select or a closed listbox combobox; `options` holds its labels
    "opt",  # one option of an open listbox
    "tab",
    "menu",  # an item inside a menu (openers are btn or link with state `haspopup`)
    "tree",  # a tree item
    "range",  # a slider or native range input
    "file",
    "row",  # a clickable row, card or list item
    "img",  # a clickable image, canvas or svg
    "el",  # clickable, but of no role that is known
    "txt",  # text worth an id: messages (alert, status, toast) and headings of dialogs
]


State = Literal[
    "disabled", "readonly", "required", "invalid",
    "checked", "mixed", "selected", "pressed", "current",
    "expanded", "collapsed", "haspopup", "draggable", "focused", "busy", "alert", "status", "modal",
]  # fmt: skip


PageMode = Literal["semantic_v3", "semantic", "skeleton", "hybrid", "full"]
"""What a look holds: the tree alone, or besides it the page as markup; hybrid: with a picture."""


_UNNAMED = frozenset({"btn", "link", "img", "el"})


MAX_NODES = 2_000  # CONTRACT, "413"


MASK = "••••••"  # what the page sends for a password field that holds something


DialogKind = Literal["alert", "confirm", "prompt", "print", "beforeunload"]


class DialogDecision(Value):
    """How dialogs that an action brings up are answered; `text` is for a prompt. With `about` given,
    only what is made of these words is accepted; any other is dismissed, as if nothing was decided.
    """

    accept: bool
    text: str | None = None
    about: tuple[str, ...] | None = None


class ObservedDialog(Value):
    """A dialog that came up, and how it was answered. `foreseen`: by a decision made before."""

    kind: DialogKind
    message: str = ""
    accepted: bool = False
    foreseen: bool = False

    @property
    def declined(self) -> bool:
        """Whether it asked for leave to go on and got none: what was asked about did not happen."""
        return self.kind in ("confirm", "prompt") and not self.accepted


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedDownload:
    """One as the client tells of it. `url` is where it came from, "" where the page made it; `data` what is
    in it, None where that cannot be told: `unread` says why.
    """

    name: str
    url: str = ""
    size: int | None = None
    mime: str = ""
    data: bytes | None = field(default=None, repr=False)
    unread: str = ""


class ElementRef(Value):
    """A control by what stays the same when a page is drawn anew; never by its id."""

    role: str
    name: str = ""
    group: str = ""

    @classmethod
    def of(cls, signature: tuple[str, str, str]) -> "ElementRef":
        """That of the control with this (role, name, group)."""
        role, name, group = signature
        return cls(role=role, name=name, group=group)

    @property
    def text(self) -> str:
        """In words: 'btn "Save" in form: New patient'."""
        place = f" in {self.group}" if self.group else ""
        return f'{self.role} "{self.name}"{place}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One control as the extension sees it.

    `id` is a string ("14", in frame 2 "2:14"). `group` names the containers from the outside in,
    `"dialog: New patient > fieldset: Contact"`; a kind is one of form, dialog, fieldset, row, item,
    menu, list, tablist, tabpanel, nav, section, toolbar, tree, frame. `center` is in CSS pixels of the
    viewport, `box` is (x, y, width, height). `scrolled_out`: out of sight in a container that scrolls.
    `looks` is a fingerprint of what is drawn in it, of which no text tells.
    """

    id: str
    role: str
    name: str = ""
    value: str | None = None
    states: frozenset[str] = frozenset()
    center: tuple[float, float] | None = None
    box: tuple[float, float, float, float] | None = None
    frame: int = 0
    input_type: str | None = None
    options: tuple[str, ...] = ()
    group: str = ""
    hint: str = ""
    occluded: bool = False
    scrolled_out: bool = False
    looks: str = ""

    @property
    def enabled(self) -> bool:
        """Whether a person could act on it now."""
        return "disabled" not in self.states and not self.occluded

    @property
    def groups(self) -> tuple[tuple[str, str], ...]:
        """The containers as (kind, label), from the outside in."""
        pairs = (part.partition(":") for part in self.group.split(" > ") if part)
        return tuple((kind.strip(), label.strip()) for kind, _, label in pairs)

    @property
    def signature(self) -> tuple[str, str, str]:
        """What stays the same when the page renders the control anew."""
        return (self.role, self.name, self.group)


@dataclass(frozen=True)
class Tree:
    """The nodes in document order."""

    nodes: tuple[Node, ...] = ()

    @cached_property
    def by_id(self) -> Mapping[str, Node]:
        """Nodes by their id."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def _of_roles(self) -> dict[frozenset[str], tuple[Node, ...]]:
        return {}

    def of_roles(self, roles: frozenset[str]) -> tuple[Node, ...]:
        """The nodes of these roles, in document order, found once for each set of roles."""
        found = self._of_roles.get(roles)
        if found is None:
            found = tuple([node for node in self.nodes if node.role in roles])
            self._of_roles[roles] = found
        return found

    def get(self, node_id: str) -> Node | None:
        """The node of that id, if the page still has it."""
        return self.by_id.get(node_id)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    @staticmethod
    def of(nodes: Iterable[Node]) -> "Tree":
        """A tree of these nodes."""
        return Tree(tuple(nodes))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientObservations:
    """What the page script witnessed since the last action; None where it could not tell.

    `pending`: it gave up waiting for the answer to a request; `restless`: for the page to be still.
    `still_loading`: the page shows placeholders of what it fetches, or its document is still being read,
    however long that has been so.
    """

    network: bool | None = None
    mutated: bool | None = None
    url_changed: bool | None = None
    pending: bool | None = None
    restless: bool | None = None
    still_loading: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedTab:
    """A tab of the run, by its place in the window from 0; `active` is the one looked at."""

    index: int
    title: str
    url: str
    active: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreachableFrame:
    """A frame that is shown and that the extension may not read; `name` is empty for one without."""

    origin: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedText:
    """A text that no control says. `before`: the id of the control it stands before, "" after the last;
    `away`: its distance from the window in CSS pixels, 1,000,000 for what every page repeats; `in_row`: it
    is part of the row that the control stands in. `at` is the middle of its first line, in the window,
    and `cells` the same of each of the parts that " | " joins.
    """

    before: str
    text: str
    away: float = 0.0
    in_row: bool = False
    at: tuple[float, float] | None = None
    cells: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One look at the page.

    `texts` are in reading order, none where the client does not place them. `summary` is the page's
    headings and visible text, at most 4,000 characters; `viewport` the width and height of the window in
    CSS pixels. `dialogs` came up since the last look; `tabs` are those the run went through, none while
    it has but one; `downloads` were saved since the last look. `unreachable` frames are shown, but may not
    be read.

    `markup` is the page as bounded HTML in any `mode` but the first, with the tree's ids as
    `data-llm-id`; `screenshot` a JPEG of the window, None where there is none or it did not change
    (`pictured`: the client took one), `no_picture` the code of why none could be taken.
    Neither is ever written to a checkpoint.
    """

    url: str
    tree: Tree = field(default_factory=Tree)
    title: str = ""
    summary: str = ""
    texts: tuple[PlacedText, ...] = ()
    errors: tuple[str, ...] = ()
    successes: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    client: ClientObservations = field(default_factory=ClientObservations)
    scroll: str = ""
    scrollables: tuple[str, ...] = ()
    viewport: tuple[float, float] | None = None
    unreachable: tuple[UnreachableFrame, ...] = ()
    dialogs: tuple[ObservedDialog, ...] = ()
    downloads: tuple[ObservedDownload, ...] = ()
    tabs: tuple[ObservedTab, ...] = ()
    mode: PageMode = "semantic_v3"
    markup: str = ""
    screenshot: bytes | None = field(default=None, repr=False)
    pictured: bool = False
    no_picture: str = ""

    @property
    def says_little(self) -> bool:
        """Whether the list of controls says too little without a picture: something is drawn, a control has
        no name, or there is none.
        """
        usable = [node for node in self.tree if not node.occluded]
        unnamed = (n.role in _UNNAMED and not (n.name or n.hint) for n in usable)
        return not usable or any(unnamed) or any(node.looks for node in usable)
