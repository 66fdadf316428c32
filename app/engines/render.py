"""An observation as the compact lines, or the markup, that a model is shown."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.domain.page import Node, Observation, TabSeen
from app.engines.markup.facts import ID
from app.text import patterns

LEAST = 3  # rows; fewer cost no more as they are
_KINDS = ("row:", "item:")


@dataclass(frozen=True, slots=True)
class Group:
    """Nodes that follow one another in the same container."""

    path: str
    nodes: tuple[Node, ...]

    @property
    def parent(self) -> str:
        """The path of what is around the container."""
        return self.path.rpartition(" > ")[0]

    @property
    def label(self) -> str:
        """The container itself, `row: 1, Karin Kowalski`."""
        return self.path.rpartition(" > ")[2]

    @property
    def roles(self) -> tuple[str, ...]:
        """What the nodes are, in order."""
        return tuple(node.role for node in self.nodes)


def groups_of(nodes: Sequence[Node]) -> list[Group]:
    """Neighbours of one container together, in order."""
    found: list[Group] = []
    start = 0
    for end in range(1, len(nodes) + 1):
        if end == len(nodes) or nodes[end].group != nodes[start].group:
            found.append(Group(nodes[start].group, tuple(nodes[start:end])))
            start = end
    return found


def tables_of(groups: Sequence[Group]) -> Iterator[tuple[Group, ...]]:
    """The groups in order; rows that are alike and at least `LEAST` together, all others alone."""
    start = 0
    while start < len(groups):
        end = start + 1
        while end < len(groups) and _alike(groups[start], groups[end]):
            end += 1
        if end - start < LEAST:
            end = start + 1
        yield tuple(groups[start:end])
        start = end


def _alike(one: Group, other: Group) -> bool:
    return (
        one.label.startswith(_KINDS)
        and other.label.startswith(_KINDS)
        and one.parent == other.parent
        and one.roles == other.roles
    )


@dataclass(frozen=True, slots=True)
class Column:
    """What the nodes at one place of the rows have in common. `name`: all are called so."""

    role: str
    name: str | None
    named_in_row: bool

    @staticmethod
    def of(rows: Sequence[Group], at: int) -> "Column":
        """The column at that place."""
        cells = [(row.label, row.nodes[at]) for row in rows]
        names = {node.name for _, node in cells}
        same = names.pop() if len(names) == 1 else None
        within = same is None and all(node.name and node.name in label for label, node in cells)
        return Column(cells[0][1].role, same, within)


MARGIN = 0.25  # of the window's height: what a small scroll would bring is worth its tokens
MAX_OPTIONS = 20  # as many as the page sends
MAX_VALUE = 200  # characters of a value; more says no more about what is to be done
MAX_FAR = 20  # controls out of view that are named like what is asked for
_WORD = patterns.compile(r"\w{3,}")
# Worth no tokens: the default of a text field, and what is told by its value or options.
_PLAIN_TYPES = frozenset({"text", "submit", "button", "select-one"})
_STATES = (
    "disabled", "readonly", "required", "invalid", "checked", "mixed", "selected", "pressed",
    "current", "expanded", "collapsed", "haspopup", "focused", "alert", "status", "modal",
)  # fmt: skip


def lines(observation: Observation, *, about: str = "") -> str:
    """What is in the window and close below and above it, in the page's order.

    `about` is what the model is asked for: controls further away whose names share a word with it
    are listed too. Occluded controls are left out, since no click reaches them. Where a picture came
    along, each says where in the window it is: `14 @640,32 btn "Save"`.
    """
    open_to_use = [node for node in observation.tree if not node.occluded]
    near = [node for node in open_to_use if _is_near(node, observation)]
    shown = {node.id for node in near}
    away = [node for node in open_to_use if node.id not in shown]
    far = _named_like(away, about)
    if observation.screenshot is not None:
        near = [_placed(node) for node in near]
    parts = [*_grouped(near)]
    if far:
        parts += ["out of view:", *_grouped(far)]
    left = len(away) - len(far)
    if left:
        parts.append(_not_shown(away, far, observation))
    parts += [_one_line(scroller) for scroller in observation.scrollables]
    parts += [
        f"a frame of {_one_line(frame.origin)} cannot be read" for frame in observation.unreachable
    ]
    parts += [_tab(tab) for tab in observation.tabs]
    return "\n".join(parts)


def _placed(node: Node) -> Node:
    if node.center is None:
        return node
    x, y = node.center
    return replace(node, id=f"{node.id} @{x:.0f},{y:.0f}")


def _tab(tab: TabSeen) -> str:
    here = " (this one)" if tab.active else ""
    return f"tab {tab.index} {_quoted(tab.title)} {_one_line(tab.url)}{here}"


def _is_near(node: Node, observation: Observation) -> bool:
    """Whether it is in the window or at most MARGIN of its height above or below."""
    if node.scrolled_out:
        return False
    if node.box is None or observation.viewport is None:
        return True
    width, height = observation.viewport
    x, y, w, h = node.box
    margin = height * MARGIN
    return y < height + margin and y + h > -margin and x < width and x + w > 0


def _named_like(nodes: list[Node], about: str) -> list[Node]:
    wanted = set(_WORD.findall(about.casefold()))
    if not wanted:
        return []
    return [node for node in nodes if wanted & set(_WORD.findall(node.name.casefold()))][:MAX_FAR]


def _not_shown(away: list[Node], far: list[Node], observation: Observation) -> str:
    listed = {node.id for node in far}
    rest = [node for node in away if node.id not in listed]
    above = sum(node.box is not None and node.box[1] < 0 for node in rest)
    counts = [(above, "above"), (len(rest) - above, "below")]
    said = ", ".join(f"{count} {where}" for count, where in counts if count)
    return f"not shown: {said}"


def _grouped(nodes: list[Node]) -> Iterator[str]:
    """A header for each container, "-" for those in none; rows that are alike as a table."""
    inside = False
    for table in tables_of(groups_of(nodes)):
        first = table[0]
        if len(table) > 1:
            yield from _table(table)
        elif first.path:
            yield f"{_one_line(first.path)}:"
            yield from map(_line, first.nodes)
        else:
            yield from ["-"] * inside
            yield from map(_line, first.nodes)
        inside = bool(first.path)


def _table(rows: Sequence[Group]) -> Iterator[str]:
    columns = [Column.of(rows, at) for at in range(len(rows[0].nodes))]
    parent = _one_line(rows[0].parent)
    yield f"{parent + ', ' if parent else ''}each row: {', '.join(map(_heading, columns))}"
    for row in rows:
        cells = (_cell(node, column) for node, column in zip(row.nodes, columns, strict=True))
        yield f"{_one_line(row.label)}: {', '.join(cells)}"


def _heading(column: Column) -> str:
    if column.name is not None:
        return f"{column.role} {_quoted(column.name)}"
    return f"{column.role} named in the row" if column.named_in_row else column.role


def _cell(node: Node, column: Column) -> str:
    name = [] if column.name is not None or column.named_in_row else [_quoted(node.name)]
    return " ".join([node.id, *name, *_facts(node)])


def _line(node: Node) -> str:
    return " ".join([node.id, node.role, _quoted(node.name), *_facts(node)])


def _facts(node: Node) -> Iterator[str]:
    """What is known of a control beyond its name."""
    if node.value:
        kept = "\n".join(map(_one_line, node.value[:MAX_VALUE].splitlines()))
        yield "=" + json.dumps(kept, ensure_ascii=False)
    if node.input_type and node.input_type not in _PLAIN_TYPES:
        yield _one_line(node.input_type)
    yield from (state for state in _STATES if state in node.states)
    if node.options:
        yield "[" + " | ".join(map(_one_line, node.options[: MAX_OPTIONS + 1])) + "]"
    if node.hint:
        yield f"({_one_line(node.hint)})"
    if node.role == "img" and node.box is not None:  # only coordinates reach what is drawn in it
        yield "at " + ",".join(str(round(number)) for number in node.box)


def _quoted(text: str) -> str:
    """In quotes with the page's own escaped, so that no name can pass for a state or a line."""
    return json.dumps(_one_line(text), ensure_ascii=False)


def _one_line(text: str) -> str:
    return " ".join(text.split())


PICTURE_WIDTH = 1_024  # CONTRACT, "screenshot"
_ID = patterns.compile(rf'\b{ID}="([^"]*)"')


def form(observation: Observation) -> str:
    """The markup, with the ids of the list as `i=14`, and what the picture shows; empty for a tree.

    The markup was bounded when it came in.
    """
    parts = [_picture(observation)] if observation.mode == "hybrid" else []
    if observation.markup:
        parts.append(f"as HTML, i is the id:\n{_ID.sub(_short, observation.markup)}")
    return "\n".join(filter(None, parts))


def _short(found: patterns.Match) -> str:
    return f"i={found[1]}" if patterns.fullmatch(r"[\d:]+", found[1]) else found[0]


def _picture(observation: Observation) -> str:
    """How to point: the picture may be smaller than the window that coordinates are of."""
    if observation.screenshot is None:
        return "no picture could be taken"
    if observation.viewport is None:
        return "the picture shows the window"
    width, height = (round(side) for side in observation.viewport)
    scale = "" if width == PICTURE_WIDTH else f", drawn {PICTURE_WIDTH} wide"
    return (
        f"the picture shows the window, {width}x{height}{scale}; @x,y is where a control is in it"
    )
