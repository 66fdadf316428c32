"""Compares two observations of a page."""

from collections import defaultdict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace

from app.domain.page import Node, Observation
from app.page.messages import Message, new_messages
from app.page.snapshot import drop_volatile, split_url, without_numbers

_FLEETING = frozenset({"focused"})
_TICKING = 3  # lines; if more change their numbers at once, it is new content, not a clock
_KEYS: tuple[Callable[[Node], Hashable], ...] = (
    lambda node: (node.id, node.role, node.name, node.group),
    lambda node: (node.role, node.name, node.group),
    lambda node: (node.id, node.role),
)
"""Keys that match a control across observations, most reliable first."""


@dataclass(frozen=True, slots=True)
class AddressChange:
    """The parts of the address that differ."""

    after: str
    origin: bool
    path: bool
    query: bool
    fragment: bool

    @property
    def any(self) -> bool:
        return self.origin or self.path or self.query or self.fragment

    @property
    def page(self) -> bool:
        """Whether the origin, path or routing fragment differs."""
        routed = self.fragment and split_url(self.after)[3][:1] in ("/", "!")
        return self.origin or self.path or routed


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One control before and after. `kinds`: value, states, name, options, looks or hint."""

    before: Node
    after: Node
    kinds: frozenset[str]

    @property
    def gained(self) -> frozenset[str]:
        """States the control has gained."""
        return self.after.states - self.before.states

    @property
    def lost(self) -> frozenset[str]:
        """States the control has lost."""
        return self.before.states - self.after.states


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What changed between two observations, ignoring positions.

    `partner` maps ids of `before` to their nodes in `after`. `opened` and `closed` are names of
    dialogs, `focus` is the newly focused control; texts are lines of the summary. `moved`:
    something scrolled. `solid`: more than numbers in texts changed.
    """

    address: AddressChange
    title: tuple[str, str] | None = None
    added: tuple[Node, ...] = ()
    removed: tuple[Node, ...] = ()
    changed: tuple[Change, ...] = ()
    partner: dict[str, Node] = field(default_factory=dict)
    messages: tuple[Message, ...] = ()
    opened: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    focus: Node | None = None
    text_added: tuple[str, ...] = ()
    text_gone: tuple[str, ...] = ()
    moved: bool = False
    solid: bool = False

    @property
    def any(self) -> bool:
        return self.solid or self.numbers_only

    @property
    def numbers_only(self) -> bool:
        """Whether only numbers in texts changed, as counters and clocks do."""
        touched = self.title or self.changed or self.added or self.removed or self.text_added
        return bool(touched or self.text_gone) and not self.solid

    @property
    def errors(self) -> tuple[str, ...]:
        """New error messages."""
        return tuple(m.text for m in self.messages if m.kind == "error" and not m.again)

    @property
    def successes(self) -> tuple[str, ...]:
        """New success messages, without repeated ones."""
        return tuple(m.text for m in self.messages if m.kind == "success" and not m.again)

    def change_of(self, node_id: str) -> Change | None:
        """Return the change of the control with that id in `before`; None if unchanged."""
        return next((c for c in self.changed if c.before.id == node_id), None)


def compare_pages(before: Observation, after: Observation) -> Difference:
    """Compare two observations. Controls are matched by id, then by signature in order."""
    pairs, removed, added = _match(before, after)
    lines_added, lines_gone = _compare_lines(before.summary, after.summary)
    dialogs_before, dialogs_after = _dialogs(before), _dialogs(after)
    parts = zip(split_url(before.url), split_url(after.url), strict=True)
    found = Difference(
        address=AddressChange(after.url, *(was != now for was, now in parts)),
        title=(before.title, after.title) if before.title != after.title else None,
        added=added,
        removed=removed,
        changed=_changes(pairs),
        partner={b.id: a for b, a in pairs},
        messages=new_messages(before, after),
        opened=tuple(d for d in dialogs_after if d not in dialogs_before),
        closed=tuple(d for d in dialogs_before if d not in dialogs_after),
        focus=_new_focus(before, after),
        text_added=lines_added,
        text_gone=lines_gone,
        moved=before.scroll != after.scroll or _is_shifted(pairs),
    )
    return replace(found, solid=_is_solid(found))


def _match(
    before: Observation, after: Observation
) -> tuple[list[tuple[Node, Node]], tuple[Node, ...], tuple[Node, ...]]:
    """Return the matched pairs, the nodes only in `before`, and those only in `after`."""
    pairs: list[tuple[Node, Node]] = []
    left, spare = before.tree.nodes, after.tree.nodes
    for key in _KEYS:
        waiting: dict[Hashable, deque[Node]] = defaultdict(deque)
        for node in spare:
            waiting[key(node)].append(node)
        rest = []
        for node in left:
            queue = waiting.get(key(node))
            if queue:
                pairs.append((node, queue.popleft()))
            else:
                rest.append(node)
        taken = {id(now) for _, now in pairs}
        left, spare = tuple(rest), tuple(n for n in spare if id(n) not in taken)
    return pairs, left, spare


def _changes(pairs: list[tuple[Node, Node]]) -> tuple[Change, ...]:
    found = []
    for b, a in pairs:
        differs = {
            "value": b.value != a.value and (b.value or "") != (a.value or ""),
            "states": b.states != a.states and b.states - _FLEETING != a.states - _FLEETING,
            "name": b.name != a.name and drop_volatile(b.name) != drop_volatile(a.name),
            "options": b.options != a.options,
            "looks": b.looks != a.looks,
            "hint": b.hint != a.hint and drop_volatile(b.hint) != drop_volatile(a.hint),
        }
        if any(differs.values()):
            kinds = frozenset(kind for kind, is_other in differs.items() if is_other)
            found.append(Change(before=b, after=a, kinds=kinds))
    return tuple(found)


def _dialogs(page: Observation) -> tuple[str, ...]:
    """Return the labels of the open dialogs ("dialog" if unlabelled), outermost first."""
    groups = dict.fromkeys(node.group for node in page.tree.nodes if "dialog" in node.group)
    parts = (part.partition(":") for group in groups for part in group.split(" > "))
    named = (label.strip() or kind.strip() for kind, _, label in parts if kind.strip() == "dialog")
    return tuple(dict.fromkeys(named))


def _new_focus(before: Observation, after: Observation) -> Node | None:
    was, now = (
        next((n for n in page.tree.nodes if "focused" in n.states), None)
        for page in (before, after)
    )
    if was is None or now is None:
        return now
    return None if now.id == was.id or now.signature == was.signature else now


def _is_shifted(pairs: list[tuple[Node, Node]]) -> bool:
    """Whether most of the remaining controls moved by at least one pixel."""
    placed = [(b.center, a.center) for b, a in pairs if b.center and a.center]
    count = sum(abs(b[0] - a[0]) >= 1 or abs(b[1] - a[1]) >= 1 for b, a in placed)
    return count * 2 > len(placed)


def _is_solid(diff: Difference) -> bool:
    return bool(
        diff.address.any
        or diff.messages
        or diff.opened
        or diff.closed
        or (diff.title and _differs_in_words(*diff.title))
        or any(
            c.kinds != {"name"} or _differs_in_words(c.before.name, c.after.name)
            for c in diff.changed
        )
        or _roles_and_names(diff.added) != _roles_and_names(diff.removed)
        or sorted(map(without_numbers, diff.text_added))
        != sorted(map(without_numbers, diff.text_gone))
        or len(diff.text_added) > _TICKING
    )


def _differs_in_words(before: str, after: str) -> bool:
    return without_numbers(before) != without_numbers(after)


def _roles_and_names(nodes: tuple[Node, ...]) -> list[tuple[str, str]]:
    """Return role and name of each node, ignoring numbers in plain text."""
    return sorted((n.role, without_numbers(n.name) if n.role == "txt" else n.name) for n in nodes)


def _compare_lines(before: str, after: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the added and removed lines, ignoring clocks."""
    if before == after:
        return (), ()
    old, new = (
        {drop_volatile(line.strip()): line.strip() for line in text.splitlines() if line.strip()}
        for text in (before, after)
    )
    return (
        tuple(line for key, line in new.items() if key not in old),
        tuple(line for key, line in old.items() if key not in new),
    )
