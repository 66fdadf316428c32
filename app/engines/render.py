"""An observation as the compact lines, or the markup, that a model is shown."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from app.domain.page import Node, Observation, TabSeen
from app.engines.markup.facts import ID
from app.text import patterns

LEAST = 3  # rows that are a table; fewer cost no more as they are
_KINDS = ("row:", "item:")
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
    shown = [node for node in observation.tree if not node.occluded]
    near = [node for node in shown if _is_near(node, observation)]
    close = {node.id for node in near}
    away = [node for node in shown if node.id not in close]
    wanted = set(_WORD.findall(about.casefold()))
    far = [node for node in away if wanted & set(_WORD.findall(node.name.casefold()))][:MAX_FAR]
    if observation.screenshot is not None:
        near = [_placed(node) for node in near]
    parts = [*_grouped(near)]
    if far:
        parts += ["out of view:", *_grouped(far)]
    if len(away) > len(far):
        parts.append(_not_shown(away, far))
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


def _not_shown(away: list[Node], far: list[Node]) -> str:
    listed = {node.id for node in far}
    rest = [node for node in away if node.id not in listed]
    above = sum(node.box is not None and node.box[1] < 0 for node in rest)
    counts = [(above, "above"), (len(rest) - above, "below")]
    return f"not shown: {', '.join(f'{count} {where}' for count, where in counts if count)}"


Group = tuple[str, tuple[Node, ...]]  # the path of a container, and the nodes in it that follow


def _grouped(nodes: list[Node]) -> Iterator[str]:
    """A header for each container, "-" for those in none; rows that are alike as a table."""
    groups = [(path, tuple(held)) for path, held in groupby(nodes, key=lambda node: node.group)]
    inside = False
    for shape, alike in groupby(groups, key=_shape):
        rows = list(alike)
        if shape is not None and len(rows) >= LEAST:
            yield from _table(rows)
            inside = True
            continue
        for path, held in rows:
            if path or inside:
                yield f"{_one_line(path)}:" if path else "-"
            yield from map(_line, held)
            inside = bool(path)


def _shape(group: Group) -> tuple[str, tuple[str, ...]] | None:
    """What rows of one table have in common; None for what is no row."""
    parent, _, label = group[0].rpartition(" > ")
    return (parent, tuple(one.role for one in group[1])) if label.startswith(_KINDS) else None


def _table(rows: Sequence[Group]) -> Iterator[str]:
    parent = _one_line(rows[0][0].rpartition(" > ")[0])
    labels = [path.rpartition(" > ")[2] for path, _ in rows]
    columns = [_column(labels, cells) for cells in zip(*(held for _, held in rows), strict=True)]
    headings = ", ".join(heading for heading, _ in columns)
    yield f"{parent + ', ' if parent else ''}each row: {headings}"
    for label, (_, held) in zip(labels, rows, strict=True):
        cells = (
            " ".join([node.id, *([_quoted(node.name)] if is_named else []), *_facts(node)])
            for node, (_, is_named) in zip(held, columns, strict=True)
        )
        yield f"{_one_line(label)}: {', '.join(cells)}"


def _column(labels: Sequence[str], cells: Sequence[Node]) -> tuple[str, bool]:
    """How a column is headed, and whether each of its cells is named by itself."""
    role, name = cells[0].role, cells[0].name
    if all(cell.name == name for cell in cells):
        return f"{role} {_quoted(name)}", False
    in_row = all(
        cell.name and cell.name in label for label, cell in zip(labels, cells, strict=True)
    )
    return (f"{role} named in the row", False) if in_row else (role, True)


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
