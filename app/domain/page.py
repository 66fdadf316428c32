"""An observation of the page as sent by the extension: nodes, tree, dialogs, downloads."""

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
    "el",  # clickable, with an unknown role
    "txt",  # text worth an id: messages (alert, status, toast) and dialog headings
]

PageMode = Literal["semantic_v3", "semantic", "skeleton", "hybrid", "full"]
"""What an observation contains: the tree alone, also the page as markup, or hybrid: also a screenshot."""

_UNNAMED = frozenset({"btn", "link", "img", "el"})
MAX_NODES = 2_000  # CONTRACT, "413"
MASK = "••••••"  # what the page sends for a non-empty password field
DialogKind = Literal["alert", "confirm", "prompt", "print", "beforeunload"]


class DialogDecision(Value):
    """How to answer dialogs that an action opens; `text` is for a prompt.

    If `about` is given, only a dialog with these words is accepted; any other is dismissed, as if there
    were no decision.
    """

    accept: bool
    text: str | None = None
    about: tuple[str, ...] | None = None


class ObservedDialog(Value):
    """A dialog that opened, and how it was answered. `foreseen`: by an earlier decision."""

    kind: DialogKind
    message: str = ""
    accepted: bool = False
    foreseen: bool = False

    @property
    def declined(self) -> bool:
        """Whether the dialog asked for confirmation and was declined, so that the action did not happen."""
        return self.kind in ("confirm", "prompt") and not self.accepted


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedDownload:
    """A download as reported by the client.

    `url` is its source, "" if the page generated it; `data` is the content, None if unavailable: `unread`
    says why.
    """

    name: str
    url: str = ""
    size: int | None = None
    mime: str = ""
    data: bytes | None = field(default=None, repr=False)
    unread: str = ""


class ElementRef(Value):
    """A control identified by what survives a re-render; never by its id."""

    role: str
    name: str = ""
    group: str = ""

    @classmethod
    def of(cls, signature: tuple[str, str, str]) -> "ElementRef":
        """The reference to the control with this (role, name, group)."""
        role, name, group = signature
        return cls(role=role, name=name, group=group)

    @property
    def text(self) -> str:
        """The control in words: 'btn "Save" in form: New patient'."""
        place = f" in {self.group}" if self.group else ""
        return f'{self.role} "{self.name}"{place}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One control as seen by the extension.

    `id` is a string ("14", in frame 2 "2:14"). `group` lists the containers from the outside in, `"dialog:
    New patient > fieldset: Contact"`; a kind is one of form, dialog, fieldset, row, item, menu, list,
    tablist, tabpanel, nav, section, toolbar, tree, frame. `center` is in CSS pixels of the viewport, `box`
    is (x, y, width, height). `scrolled_out`: scrolled out of view in a container. `looks` is a fingerprint
    of drawn content that has no text.
    """

    id: str
    role: str
    name: str = ""
    value: str | None = None
    states: frozenset[str] = frozenset()  # such as disabled, required, checked, expanded, modal
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
        return "disabled" not in self.states and not self.occluded

    @property
    def groups(self) -> tuple[tuple[str, str], ...]:
        """The containers as (kind, label), outermost first."""
        pairs = (part.partition(":") for part in self.group.split(" > ") if part)
        return tuple((kind.strip(), label.strip()) for kind, _, label in pairs)

    @property
    def signature(self) -> tuple[str, str, str]:
        """What survives a re-render: (role, name, group)."""
        return (self.role, self.name, self.group)


@dataclass(frozen=True)
class Tree:
    """The nodes in document order."""

    nodes: tuple[Node, ...] = ()

    @cached_property
    def by_id(self) -> Mapping[str, Node]:
        return {node.id: node for node in self.nodes}

    @cached_property
    def _of_roles(self) -> dict[frozenset[str], tuple[Node, ...]]:
        return {}

    def of_roles(self, roles: frozenset[str]) -> tuple[Node, ...]:
        """The nodes with these roles in document order, cached per set of roles."""
        found = self._of_roles.get(roles)
        if found is None:
            found = tuple([node for node in self.nodes if node.role in roles])
            self._of_roles[roles] = found
        return found

    def get(self, node_id: str) -> Node | None:
        """The node with that id, or None if the page no longer has it."""
        return self.by_id.get(node_id)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    @staticmethod
    def of(nodes: Iterable[Node]) -> "Tree":
        return Tree(tuple(nodes))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientObservations:
    """What the page script observed since the last action; None if unknown.

    `pending`: it stopped waiting for a network response; `restless`: for the page to settle.
    `still_loading`: the page shows loading placeholders, or its document is still being parsed, however
    long that has lasted.
    """

    network: bool | None = None
    mutated: bool | None = None
    url_changed: bool | None = None
    pending: bool | None = None
    restless: bool | None = None
    still_loading: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedTab:
    """A tab of the run, with its position in the window from 0; `active` is the observed one."""

    index: int
    title: str
    url: str
    active: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreachableFrame:
    """A visible frame that the extension may not read; `name` may be empty."""

    origin: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedText:
    """Text that belongs to no control.

    `before`: the id of the following control, "" after the last; `away`: its distance from the viewport in
    CSS pixels, 1,000,000 for boilerplate repeated on every page; `in_row`: it is in the same row as that
    control. `at` is the middle of its first line in the viewport, and `cells` those of the parts joined by
    " | ".
    """

    before: str
    text: str
    away: float = 0.0
    in_row: bool = False
    at: tuple[float, float] | None = None
    cells: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One observation of the page.

    `texts` are in reading order, empty if the client does not locate them. `summary` is the page's headings
    and visible text, at most 4,000 characters; `viewport` is (width, height) in CSS pixels. `dialogs`
    opened since the last observation; `tabs` are those the run used, empty for a single one; `downloads`
    were saved since the last observation. `unreachable` frames are visible but may not be read.

    `markup` is the page as bounded HTML in every `mode` but the first, with the tree's ids as
    `data-llm-id`; `screenshot` is a JPEG of the viewport, None if there is none or it did not change
    (`pictured`: the client took one); `no_picture` is the error code if none could be taken. Neither is
    written to checkpoints.
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
        """Whether the controls alone say too little without a screenshot: something is drawn, a control has
        no name, or there are none.
        """
        usable = [node for node in self.tree if not node.occluded]
        unnamed = (n.role in _UNNAMED and not (n.name or n.hint) for n in usable)
        return not usable or any(unnamed) or any(node.looks for node in usable)
