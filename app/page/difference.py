"""Compares two observations of a page, and describes the difference in sentences."""

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace

from app.domain.action import Action
from app.domain.directive import ROLE_WORDS
from app.domain.page import MASK, Node, Observation, ObservedDialog, ObservedDownload, Tree
from app.page.controls import enclosing_form
from app.page.messages import Message, new_messages
from app.page.snapshot import drop_volatile, routing_fragment, split_url, without_numbers
from app.text import patterns

_TRANSIENT_STATES = frozenset({"focused"})
_MOST_COUNTERS = 3  # lines; if more change their numbers at once, it is new content, not a clock
_KEYS: tuple[Callable[[Node], Hashable], ...] = (
    lambda node: (node.id, node.role, node.name, node.group),
    lambda node: (node.role, node.name, node.group),
    lambda node: (node.id, node.role),
)
"""Keys that match a control across observations, most reliable first."""


@dataclass(frozen=True, slots=True)
class AddressChange:
    """The parts of the address that differ."""

    url: str
    origin: bool
    path: bool
    query: bool
    fragment: bool

    @property
    def is_changed(self) -> bool:
        return self.origin or self.path or self.query or self.fragment

    @property
    def is_other_page(self) -> bool:
        """Whether the origin, path or routing fragment differs."""
        return self.origin or self.path or (self.fragment and bool(routing_fragment(self.url)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One control before and after. `kinds`: value, states, name, options, looks or hint."""

    before: Node
    after: Node
    kinds: frozenset[str]

    @property
    def gained(self) -> frozenset[str]:
        return self.after.states - self.before.states

    @property
    def lost(self) -> frozenset[str]:
        return self.before.states - self.after.states


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What changed between two observations, ignoring positions.

    `partner` maps ids of `before` to their nodes in `after`. `opened` and `closed` are names of
    dialogs, `focus` is the newly focused control; texts are lines of the summary. `is_scrolled`:
    something scrolled. `is_substantial`: more than numbers in texts changed.
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
    is_scrolled: bool = False
    is_substantial: bool = False

    @property
    def has_changes(self) -> bool:
        return self.is_substantial or self.has_only_numbers

    @property
    def has_only_numbers(self) -> bool:
        """Whether only numbers in texts changed, as counters and clocks do."""
        touched = self.title or self.changed or self.added or self.removed or self.text_added
        return bool(touched or self.text_gone) and not self.is_substantial

    @property
    def errors(self) -> tuple[str, ...]:
        return tuple(m.text for m in self.messages if m.kind == "error" and not m.is_repeated)

    @property
    def successes(self) -> tuple[str, ...]:
        """New success messages, without repeated ones."""
        return tuple(m.text for m in self.messages if m.kind == "success" and not m.is_repeated)

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
        is_scrolled=before.scroll != after.scroll or _is_shifted(pairs),
    )
    return replace(found, is_substantial=_is_substantial(found))


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
            "states": b.states != a.states
            and b.states - _TRANSIENT_STATES != a.states - _TRANSIENT_STATES,
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
    before_focus, after_focus = (
        next((n for n in page.tree.nodes if "focused" in n.states), None)
        for page in (before, after)
    )
    if before_focus is None or after_focus is None:
        return after_focus
    is_same = after_focus.id == before_focus.id or after_focus.signature == before_focus.signature
    return None if is_same else after_focus


def _is_shifted(pairs: list[tuple[Node, Node]]) -> bool:
    """Whether most of the remaining controls moved by at least one pixel."""
    placed = [(b.center, a.center) for b, a in pairs if b.center and a.center]
    count = sum(abs(b[0] - a[0]) >= 1 or abs(b[1] - a[1]) >= 1 for b, a in placed)
    return count * 2 > len(placed)


def _is_substantial(diff: Difference) -> bool:
    return bool(
        diff.address.is_changed
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
        or len(diff.text_added) > _MOST_COUNTERS
    )


def _differs_in_words(before: str, after: str) -> bool:
    return without_numbers(before) != without_numbers(after)


def _roles_and_names(nodes: tuple[Node, ...]) -> list[tuple[str, str]]:
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


LEAST_FOLDED = 8  # controls; folding fewer saves nothing
MOST_CHANGED = 0.34  # share of the controls; beyond it, the page is rendered in full
_NEIGHBOURS = 2  # controls kept on each side of a changed one
_WORD = patterns.compile(r"\w{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageUpdate:
    """A page reduced to its changed parts.

    `marks` maps control ids to "+" (new, or scrolled into view) or "~" (changed). `gone` are the
    removed controls; `folded` is the number of omitted ones.
    """

    page: Observation
    marks: Mapping[str, str]
    gone: tuple[Node, ...]
    folded: int


def page_update(page: Observation, before: Observation, *, about: str) -> PageUpdate | None:
    """Reduce the page to its changes and what `about` names; None if that saves nothing."""
    found = compare_pages(before, page)
    nodes = [node for node in page.tree if not node.occluded]
    hidden_before = {node.id for node in before.tree if node.scrolled_out}
    appeared = (
        now for was, now in found.partner.items() if was in hidden_before and not now.scrolled_out
    )
    marks = {node.id: "+" for node in (*found.added, *appeared)}
    marks |= {one.after.id: "~" for one in found.changed}
    # After a scroll, everything that came into view must be listed.
    elsewhere = found.address.is_changed or page.scroll != before.scroll
    if elsewhere or not nodes or len(marks) > MOST_CHANGED * len(nodes):
        return None
    task_words = set(_WORD.findall(about.casefold()))
    places = {enclosing_form(node) for node in nodes if node.id in marks} - {None}
    touched = {at for at, node in enumerate(nodes) if node.id in marks or "focused" in node.states}
    beside = {at + step for at in touched for step in range(-_NEIGHBOURS, _NEIGHBOURS + 1)}
    kept_ids = {
        node.id
        for at, node in enumerate(nodes)
        if at in beside
        or enclosing_form(node) in places
        or task_words & set(_WORD.findall(f"{node.name} {node.hint}".casefold()))
    }
    if len(nodes) - len(kept_ids) < LEAST_FOLDED:
        return None
    summary_before = " ".join(before.summary.split())
    texts = tuple(
        one
        for one in page.texts
        if one.before in kept_ids or " ".join(one.text.split()) not in summary_before
    )
    tree = Tree.of(node for node in page.tree if node.id in kept_ids)
    return PageUpdate(
        page=replace(page, tree=tree, texts=texts),
        marks=marks,
        gone=tuple(node for node in found.removed if not node.occluded and node.name),
        folded=len(nodes) - len(kept_ids),
    )


MOST_SENTENCES = 8  # sentences; more are noise
NO_CHANGE = "Nothing changed"
_MOST_NAMES = 5  # names per sentence
_STATES = {"expanded": "open", "collapsed": "closed", "invalid": "marked as invalid"}
_REPEATED = "A message is still shown"
_PREFIXES = {"error": "An error appeared"} | dict.fromkeys(
    ("success", "info"), "A message appeared"
)
_TEXT = 120  # characters of a quoted text


def describe_difference(diff: Difference, action: Action | None = None) -> tuple[str, ...]:
    """Describe the difference in at most `MOST_SENTENCES` sentences, starting with the control acted on."""
    own = diff.change_of(action.target) if action is not None and action.target else None
    others = [change for change in diff.changed if change is not own]
    items = [n.name for n in diff.added if n.role in ("menu", "opt") and n.name]
    added = [label_of(n) for n in diff.added if n.role not in ("menu", "opt", "txt")]
    removed = [label_of(n) for n in diff.removed if n.role != "txt"]
    sentences = [
        *(describe_change(own) if own is not None else ()),
        *(
            f"{_REPEATED if m.is_repeated else _PREFIXES[m.kind]}: {quote(m.text)}"
            for m in diff.messages
        ),
        f"The page went to {quote(diff.address.url)}" if diff.address.is_changed else "",
        f"The title is now {quote(diff.title[1])}" if diff.title else "",
        *(f"A dialog opened: {quote(label)}" for label in diff.opened),
        *(f"The dialog closed: {quote(label)}" for label in diff.closed),
        f"A menu opened: {_join_names(items)}" if items else "",
        *(text for change in others for text in describe_change(change)),
        f"New on the page: {_join_names(added)}" if added else "",
        f"No longer on the page: {_join_names(removed)}" if removed else "",
        f"New text: {quote(' | '.join(diff.text_added))}" if diff.text_added else "",
        f"Text removed: {quote(' | '.join(diff.text_gone))}" if diff.text_gone else "",
        f"The focus is on {label_of(diff.focus)}" if diff.focus is not None else "",
        "The page scrolled" if diff.is_scrolled else "",
    ]
    unique = tuple(dict.fromkeys(filter(None, sentences)))
    if not diff.has_changes:
        return (NO_CHANGE, *unique[: MOST_SENTENCES - 1])
    return unique[:MOST_SENTENCES] or ("Something on the page changed",)


def label_of(node: Node) -> str:
    """Return the quoted name, or the kind of control if it has no name."""
    return quote(node.name or node.hint) or f"the {ROLE_WORDS.get(node.role, 'control')}"


def quote(text: str) -> str:
    """Shorten the text to one line of at most `_TEXT` characters."""
    line = " ".join(text.split())
    return line if len(line) <= _TEXT else line[: _TEXT - 1] + "…"


def describe_change(change: Change) -> tuple[str, ...]:
    name, node = label_of(change.after), change.after
    sentences = []
    if "value" in change.kinds:
        secret = node.input_type == "password" or node.value == MASK
        value = "something" if secret else f"'{quote(node.value or '')}'"
        sentences.append(f"{name} now holds {value}" if node.value else f"{name} is now empty")
    if "states" in change.kinds:
        gained, lost = sorted(change.gained - {"focused"}), sorted(change.lost - {"focused"})
        sentences += [f"{name} is now {_STATES.get(state, state)}" for state in gained]
        sentences += [f"{name} is no longer {_STATES.get(s, s)}" for s in lost if not gained]
    if "name" in change.kinds:
        sentences.append(f"{label_of(change.before)} is now called {name}")
    if "options" in change.kinds:
        sentences.append(f"{name} offers other choices")
    if "looks" in change.kinds:
        sentences.append(f"The drawing in {name} changed")
    if "hint" in change.kinds:
        sentences.append(f"The hint of {name} is now: {quote(node.hint)}")
    return tuple(sentences)


def describe_download(file: ObservedDownload) -> str:
    return f"Downloaded {quote(file.name)}"


def describe_dialog(dialog: ObservedDialog) -> str:
    if dialog.kind == "beforeunload":
        return "The page was left without saving what was entered in it"
    answer = "accepted" if dialog.accepted else "dismissed"
    return f"{dialog.kind} '{quote(dialog.message)}' was {answer}"


def _join_names(names: list[str]) -> str:
    joined = ", ".join(quote(name) for name in names[:_MOST_NAMES])
    return joined + (f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else "")
