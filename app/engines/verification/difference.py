"""What is different between two looks at a page."""

from dataclasses import dataclass, field, replace

from app.domain.dialog import DialogSeen
from app.domain.page import ClientObservations, Node, Observation
from app.engines.verification.matching import match
from app.engines.verification.messages import Message, new_messages, silenced
from app.engines.verification.snapshot import split_url, steady, without_numbers

_FLEETING = frozenset({"focused"})
_TICKING = 3  # lines; more that change their numbers at once are new content and no clock


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressChange:
    """Which parts of the address differ."""

    before: str
    after: str
    origin: bool = False
    path: bool = False
    query: bool = False
    fragment: bool = False

    @property
    def any(self) -> bool:
        """Whether any part differs."""
        return self.origin or self.path or self.query or self.fragment

    @property
    def page(self) -> bool:
        """Whether it is another page: another origin, path, or routing fragment."""
        routed = self.fragment and _fragment(self.after)[:1] in ("/", "!")
        return self.origin or self.path or routed


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One control, before and after, and what of it differs: value, states, name, options, hint."""

    before: Node
    after: Node
    kinds: frozenset[str]

    @property
    def gained(self) -> frozenset[str]:
        """States it has now and did not have."""
        return self.after.states - self.before.states

    @property
    def lost(self) -> frozenset[str]:
        """States it had and has no more."""
        return self.before.states - self.after.states


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What changed from one observation to the next, besides positions.

    `partner` maps ids of `before` to the nodes they are now; `opened` and `closed` name dialogs of
    the page, `asked` are those of the browser; `focus` is the control that has the focus now and had
    it not, `blurred` the other way round; `covered` and `bared` came to be behind something else, and
    from behind it; `text_added` and `text_gone` are lines of the summary, `silenced` messages that
    stand there no more; `scrolled` is where the page stood and stands, `moved` says that something is
    scrolled elsewhere. `client` is what the browser witnessed since the action. `solid`: more changed
    than numbers in texts.
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
    asked: tuple[DialogSeen, ...] = ()
    focus: Node | None = None
    blurred: Node | None = None
    covered: tuple[Node, ...] = ()
    bared: tuple[Node, ...] = ()
    silenced: tuple[str, ...] = ()
    text_added: tuple[str, ...] = ()
    text_gone: tuple[str, ...] = ()
    scrolled: tuple[str, str] | None = None
    moved: bool = False
    client: ClientObservations = ClientObservations()
    solid: bool = False

    @property
    def any(self) -> bool:
        """Whether anything changed but focus and scrolling."""
        return self.solid or self.numbers_only

    @property
    def numbers_only(self) -> bool:
        """Whether the only thing that changed are numbers in texts, as counters do by themselves."""
        touched = self.title or self.changed or self.added or self.removed or self.text_added
        return bool(touched or self.text_gone) and not self.solid

    @property
    def count(self) -> int:
        """How many things differ; what the client witnessed is none of them."""
        lists = (
            self.added, self.removed, self.changed, self.messages, self.silenced, self.opened,
            self.closed, self.asked, self.covered, self.bared, self.text_added, self.text_gone,
        )  # fmt: skip
        flags = (self.address.any, self.title, self.focus, self.blurred, self.scrolled)
        return sum(map(len, lists)) + sum(map(bool, flags))

    @property
    def errors(self) -> tuple[str, ...]:
        """The new messages that tell of a failure."""
        return tuple(m.text for m in self.messages if m.kind == "error" and not m.again)

    @property
    def successes(self) -> tuple[str, ...]:
        """The new messages that tell of a success; one that stood there before is none."""
        return tuple(m.text for m in self.messages if m.kind == "success" and not m.again)

    def change_of(self, node_id: str) -> Change | None:
        """What changed of the control that had that id before."""
        return next((c for c in self.changed if c.before.id == node_id), None)


def difference(before: Observation, after: Observation) -> Difference:
    """Compare two looks at a page. Controls are matched by id, then by signature in order."""
    pairs, removed, added = match(before, after)
    lines_added, lines_gone = compared(before.summary, after.summary)
    dialogs_before, dialogs_after = dialogs(before), dialogs(after)
    focus, blurred = _focus(before, after)
    veiled = [pair for pair in pairs if pair[1].occluded is not pair[0].occluded]
    found = Difference(
        address=_address(before.url, after.url),
        title=(before.title, after.title) if before.title != after.title else None,
        added=added, removed=removed,
        changed=_changes(pairs),
        partner={b.id: a for b, a in pairs},
        messages=new_messages(before, after),
        opened=tuple(d for d in dialogs_after if d not in dialogs_before),
        closed=tuple(d for d in dialogs_before if d not in dialogs_after),
        asked=after.dialogs,
        focus=focus, blurred=blurred,
        covered=tuple(a for _, a in veiled if a.occluded),
        bared=tuple(a for b, a in veiled if b.occluded),
        silenced=silenced(before, after),
        text_added=lines_added, text_gone=lines_gone,
        scrolled=(before.scroll, after.scroll) if before.scroll != after.scroll else None,
        moved=before.scroll != after.scroll or _shifted(pairs),
        client=after.client,
    )  # fmt: skip
    return replace(found, solid=_is_solid(found))


def _changes(pairs: list[tuple[Node, Node]]) -> tuple[Change, ...]:
    """What changed of the controls that are still there; most are as they were."""
    unlike = [
        (b, a) for b, a in pairs
        if b.value != a.value or b.states != a.states or b.name != a.name
        or b.hint != a.hint or b.options != a.options
    ]  # fmt: skip
    return tuple([found for b, a in unlike if (found := _change(b, a)) is not None])


def _change(before: Node, after: Node) -> Change | None:
    kinds = set()
    if (before.value or "") != (after.value or ""):
        kinds.add("value")
    if before.states != after.states and before.states - _FLEETING != after.states - _FLEETING:
        kinds.add("states")
    if before.name != after.name and steady(before.name) != steady(after.name):
        kinds.add("name")
    if before.options != after.options:
        kinds.add("options")
    if before.hint != after.hint and steady(before.hint) != steady(after.hint):
        kinds.add("hint")
    if not kinds:
        return None
    return Change(before=before, after=after, kinds=frozenset(kinds))


def dialogs(page: Observation) -> tuple[str, ...]:
    """The dialogs that are open, by their labels ("dialog" where one has none), outermost first."""
    found: dict[str, None] = {}
    seen: set[str] = set()
    for node in page.tree.nodes:
        if "dialog" in node.group and node.group not in seen:
            seen.add(node.group)
            found.update((label or kind, None) for kind, label in node.groups if kind == "dialog")
    return tuple(found)


def _address(before: str, after: str) -> AddressChange:
    if before == after:
        return AddressChange(before=before, after=after)
    old, new = split_url(before), split_url(after)
    return AddressChange(
        before=before, after=after, origin=old[0] != new[0], path=old[1] != new[1],
        query=old[2] != new[2], fragment=old[3] != new[3],
    )  # fmt: skip


def _fragment(url: str) -> str:
    return split_url(url)[3]


def _focus(before: Observation, after: Observation) -> tuple[Node | None, Node | None]:
    """The control that has the focus now, unless it had it before; and the other way round."""
    now = next((n for n in after.tree.nodes if n.states and "focused" in n.states), None)
    was = next((n for n in before.tree.nodes if n.states and "focused" in n.states), None)
    if now is not None and was is not None and (was.id == now.id or was.signature == now.signature):
        return None, None
    return now, was


def _shifted(pairs: list[tuple[Node, Node]]) -> bool:
    """Whether most controls that are still there stand elsewhere by a pixel or more."""
    placed = [(b.center, a.center) for b, a in pairs if b.center and a.center]
    apart = [(b, a) for b, a in placed if b != a]
    if len(apart) * 2 <= len(placed):
        return False
    count = sum(abs(b[0] - a[0]) >= 1 or abs(b[1] - a[1]) >= 1 for b, a in apart)
    return count * 2 > len(placed)


def _is_solid(diff: Difference) -> bool:
    return bool(
        diff.address.any
        or diff.messages
        or diff.opened
        or diff.closed
        or (diff.title and _tells(*diff.title))
        or any(_is_more_than_a_number(change) for change in diff.changed)
        or _named(diff.added) != _named(diff.removed)
        or _worded(diff.text_added) != _worded(diff.text_gone)
        or len(diff.text_added) > _TICKING
    )


def _is_more_than_a_number(change: Change) -> bool:
    return change.kinds != {"name"} or _tells(change.before.name, change.after.name)


def _tells(before: str, after: str) -> bool:
    """Whether two texts differ in more than numbers."""
    return without_numbers(before) != without_numbers(after)


def _named(nodes: tuple[Node, ...]) -> list[tuple[str, str]]:
    """Role and name; in plain text without its numbers."""
    return sorted((n.role, without_numbers(n.name) if n.role == "txt" else n.name) for n in nodes)


def _worded(lines: tuple[str, ...]) -> list[str]:
    return sorted(without_numbers(line) for line in lines)


def compared(before: str, after: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lines that came and lines that went, clocks aside; of one long line, the part that differs."""
    if before == after:
        return (), ()
    old = {steady(line.strip()): line.strip() for line in before.splitlines() if line.strip()}
    new = {steady(line.strip()): line.strip() for line in after.splitlines() if line.strip()}
    if len(old) == len(new) == 1:
        return _middle(next(iter(old)), next(iter(new)))
    return (
        tuple(line for key, line in new.items() if key not in old),
        tuple(line for key, line in old.items() if key not in new),
    )


def _middle(old: str, new: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is left of each between the words both begin and end with."""
    a, b = old.split(), new.split()
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    gone, came = " ".join(a[start : len(a) - end]), " ".join(b[start : len(b) - end])
    return ((came,) if came else ()), ((gone,) if gone else ())
