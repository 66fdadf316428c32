"""Renders an observation as compact lines or markup for a model."""

import json
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from types import MappingProxyType

from app.domain.page import Node, Observation, PlacedText
from app.page.tags import ID
from app.text import patterns

LEAST_ROWS = 3  # rows; a table of fewer saves no tokens
_RECORD_PREFIXES = ("row:", "item:")
MARGIN = 0.25  # share of the window's height listed above and below the window
MAX_OPTIONS = 20  # as many as the extension sends
MAX_VALUE = 200  # characters of a value
READING_CHARS = 1_000  # characters of the texts between controls
LONGEST_TEXT = 240  # characters of one text; longer texts are folded
MAX_FAR = 20  # out-of-view controls listed because their names match the task
_WORD = patterns.compile(r"\w{3,}")
# Input types not worth tokens: defaults, and those implied by value or options.
_PLAIN_TYPES = frozenset({"text", "submit", "button", "select-one"})
_STATES = (
    "disabled", "readonly", "required", "invalid", "checked", "mixed", "selected", "pressed",
    "current", "draggable", "expanded", "collapsed", "haspopup", "focused", "alert", "status", "modal",
)  # fmt: skip


def render_lines(
    observation: Observation,
    *,
    about: str = "",
    reading: int = READING_CHARS,
    marks: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Render the controls in and near the window, with at most `reading` characters of text.

    Controls further away are listed if their names share a word with the task text `about`.
    Occluded controls are omitted, since no click reaches them. With a picture, lines include
    positions: `14 @640,32 80x20 btn "Save"`. `marks` maps ids to line prefixes.
    """
    visible = [node for node in observation.tree if not node.occluded]
    near = [node for node in visible if _is_near(node, observation)]
    close = {node.id for node in near}
    away = [node for node in visible if node.id not in close]
    wanted = set(_WORD.findall(about.casefold()))
    far = [node for node in away if wanted & set(_WORD.findall(node.name.casefold()))][:MAX_FAR]
    texts = _place_texts(observation, close, reading)
    near = _add_positions(
        near, everywhere=observation.screenshot is not None, scale=picture_scale(observation)
    )
    parts = [*_render_groups(near, texts, marks), *map(_render_text, texts.get("", ()))]
    if far:
        parts += ["out of view:", *_render_groups(far, {}, marks)]
    if len(away) > len(far):
        parts.append(_count_hidden(away, far))
    parts += [_one_line(scroller) for scroller in observation.scrollables]
    parts += [
        f"a frame of {_one_line(frame.origin)} cannot be read" for frame in observation.unreachable
    ]
    parts += [
        f"tab {tab.index} {_quoted(tab.title)} {_one_line(tab.url)}{' (this one)' * tab.active}"
        for tab in observation.tabs
    ]
    return "\n".join(parts)


Texts = Mapping[str, Sequence[PlacedText]]  # keyed by the id of the control they precede


def _place_texts(observation: Observation, close: Container[str], room: int) -> Texts:
    """Return the texts nearest to the window, keyed by the next listed control, up to `room`
    characters, and the number omitted. Texts of unlisted rows are left out.
    """
    seen = [text for text in observation.texts if text.before in close or not text.in_row]
    chosen: set[int] = set()
    for at in sorted(range(len(seen)), key=lambda at: seen[at].away):
        if room > 0:
            chosen.add(at)
            room -= min(len(seen[at].text), LONGEST_TEXT)
    placed: dict[str, list[PlacedText]] = defaultdict(list)
    queued: dict[str, list[PlacedText]] = defaultdict(list)
    for at in sorted(chosen):
        queued[seen[at].before].append(seen[at])
    waiting: list[PlacedText] = []
    for node in observation.tree:
        waiting += queued.pop(node.id, [])
        if node.id in close and waiting:
            placed[node.id], waiting = waiting, []
    left = [*waiting, *(text for some in queued.values() for text in some)]
    if chosen and len(chosen) < len(seen):
        left.append(PlacedText(before="", text=f"… {len(seen) - len(chosen)} more lines of text"))
    placed[""] = left
    return placed


def _render_text(text: PlacedText) -> str:
    return f"> {_fold_text(text.text)}"


def cut_text(text: str, most: int) -> str:
    left = len(text) - most
    return text if left <= 0 else f"{text[:most]}… ({left} more characters)"


def _fold_text(text: str) -> str:
    return cut_text(_one_line(text), LONGEST_TEXT)


def picture_scale(observation: Observation) -> float:
    """Return window pixels per picture pixel; 1 without a picture."""
    if observation.screenshot is None or observation.viewport is None:
        return 1.0
    return PICTURE_WIDTH / max(1.0, observation.viewport[0])


def _add_positions(nodes: Sequence[Node], *, everywhere: bool, scale: float) -> list[Node]:
    """Add positions (`@640,32 80x20`) to nodes with equal names, drag sources and pictures."""
    alike = Counter((node.role, node.name, node.group) for node in nodes)
    return [
        replace(node, id=f"{node.id} {_format_position(node.box, node.center, scale)}")
        if node.box is not None
        and (
            everywhere
            or node.role == "img"
            or "draggable" in node.states
            or not node.name
            or alike[node.role, node.name, node.group] > 1
        )
        else node
        for node in nodes
    ]


def _format_position(
    box: tuple[float, float, float, float], at: tuple[float, float] | None, scale: float
) -> str:
    """Format the centre (or the clickable point if the centre is cut off) and the size."""
    x, y, width, height = (side * scale for side in box)
    across, down = (side * scale for side in at) if at else (x + width / 2, y + height / 2)
    return f"@{across:.0f},{down:.0f} {width:.0f}x{height:.0f}"


def _is_near(node: Node, observation: Observation) -> bool:
    """Whether the node is in the window or at most MARGIN of its height above or below."""
    if node.scrolled_out:
        return False
    if node.box is None or observation.viewport is None:
        return True
    width, height = observation.viewport
    x, y, w, h = node.box
    margin = height * MARGIN
    return y < height + margin and y + h > -margin and x < width and x + w > 0


def _count_hidden(away: list[Node], far: list[Node]) -> str:
    listed = {node.id for node in far}
    rest = [node for node in away if node.id not in listed]
    above = sum(node.box is not None and node.box[1] < 0 for node in rest)
    counts = [(above, "above"), (len(rest) - above, "below")]
    return f"not shown: {', '.join(f'{count} {where}' for count, where in counts if count)}"


Group = tuple[str, tuple[Node, ...]]  # a container's path and its consecutive nodes


def _render_groups(nodes: list[Node], texts: Texts, marks: Mapping[str, str]) -> Iterator[str]:
    """Yield a header per container, texts and controls in order, and similar rows as a table."""
    groups = [
        (path, tuple(members)) for path, members in groupby(nodes, key=lambda node: node.group)
    ]
    inside = False
    for shape, alike in groupby(groups, key=_table_key):
        rows = list(alike)
        if shape is not None and len(rows) >= LEAST_ROWS:
            yield from _table(rows, texts, marks)
            inside = True
            continue
        for path, members in rows:
            before = texts.get(_id(members[0]), ())
            yield from (_render_text(text) for text in before if not text.in_row)
            if path or inside:
                yield f"{_one_line(path)}:" if path else "-"
            yield from (_render_text(text) for text in before if text.in_row)
            for at, node in enumerate(members):
                yield from map(_render_text, texts.get(_id(node), ()) if at else ())
                yield _add_mark(render_control(node), (node,), marks)
            inside = bool(path)


def _id(node: Node) -> str:
    return node.id.partition(" ")[0]  # without the position


def _table_key(group: Group) -> tuple[str, tuple[str, ...]] | None:
    """Return what the rows of one table have in common; None for other groups."""
    parent, _, label = group[0].rpartition(" > ")
    return (
        (parent, tuple(one.role for one in group[1]))
        if label.startswith(_RECORD_PREFIXES)
        else None
    )


def _add_mark(text: str, nodes: Iterable[Node], marks: Mapping[str, str]) -> str:
    found = next((marks[_id(node)] for node in nodes if _id(node) in marks), "")
    return f"{found} {text}" if found else text


def _table(rows: Sequence[Group], texts: Texts, marks: Mapping[str, str]) -> Iterator[str]:
    parent = _one_line(rows[0][0].rpartition(" > ")[0])
    labels = [path.rpartition(" > ")[2] for path, _ in rows]
    columns = [
        _column(labels, cells) for cells in zip(*(members for _, members in rows), strict=True)
    ]
    headings = ", ".join(heading for heading, _ in columns)
    yield from (_render_text(text) for text in texts.get(_id(rows[0][1][0]), ()) if not text.in_row)
    yield f"{parent + ', ' if parent else ''}each row: {headings}"
    for at, (label, (_, members)) in enumerate(zip(labels, rows, strict=True)):
        cells = (
            " ".join([node.id, *([_quoted(node.name)] if is_named else []), *_attributes(node)])
            for node, (_, is_named) in zip(members, columns, strict=True)
        )
        of_row = [text for node in members for text in texts.get(_id(node), ())]
        before = [text for text in of_row if not text.in_row]
        yield from map(_render_text, before if at else ())
        labels_and_texts = [
            _one_line(label),
            *(_fold_text(text.text) for text in of_row if text.in_row),
        ]
        yield _add_mark(f"{' | '.join(labels_and_texts)}: {', '.join(cells)}", members, marks)


def _column(labels: Sequence[str], cells: Sequence[Node]) -> tuple[str, bool]:
    """Return the column's header and whether each cell has its own name."""
    role, name = cells[0].role, cells[0].name
    if all(cell.name == name for cell in cells):
        return f"{role} {_quoted(name)}", False
    in_row = all(
        cell.name and cell.name in label for label, cell in zip(labels, cells, strict=True)
    )
    return (f"{role} named in the row", False) if in_row else (role, True)


def render_control(node: Node, *, most: int = MAX_VALUE) -> str:
    """Render a control's id, role, name and attributes; its value has at most `most` characters."""
    return " ".join([node.id, role_and_name(node), *_attributes(node, most)])


def role_and_name(node: Node) -> str:
    return f"{node.role} {_quoted(node.name)}"


def _attributes(node: Node, most: int = MAX_VALUE) -> Iterator[str]:
    if node.value:
        value = "\n".join(node.value[:most].splitlines())
        yield "=" + json.dumps(value + "…" * (len(node.value) > most), ensure_ascii=False)
    if node.input_type and node.input_type not in _PLAIN_TYPES:
        yield _one_line(node.input_type)
    yield from (state for state in _STATES if state in node.states)
    if node.options:
        yield "[" + " | ".join(map(_one_line, node.options[: MAX_OPTIONS + 1])) + "]"
    if node.hint:
        yield f"({_one_line(node.hint)})"


def _quoted(text: str) -> str:
    """Quote the text and escape its quotes, so that no name can imitate a state or a line."""
    return json.dumps(_one_line(text), ensure_ascii=False)


def _one_line(text: str) -> str:
    return " ".join(text.split())


PICTURE_WIDTH = 1_024  # CONTRACT, "screenshot"
_ID = patterns.compile(rf'\b{ID}="([^"]*)"')


def render_markup(observation: Observation) -> str:
    """Return markup with control ids as `i=14` and a note on the picture; empty for a tree."""
    wanted = observation.mode == "hybrid" or observation.screenshot is not None
    parts = [_picture(observation)] if wanted else []
    if observation.markup:
        markup = _ID.sub(
            lambda m: f"i={m[1]}" if patterns.fullmatch(r"[\d:]+", m[1]) else m[0],
            observation.markup,
        )
        parts.append(f"as HTML, i is the id:\n{markup}")
    return "\n".join(filter(None, parts))


def _picture(observation: Observation) -> str:
    """Explain coordinates in the picture, which may be smaller than the window."""
    if observation.screenshot is None:
        return f"no picture could be taken: {explain_missing_picture(observation)}"
    if observation.viewport is None:
        return "the picture shows the window, with ids marked"
    width, height = observation.viewport
    one = width / PICTURE_WIDTH
    return (
        f"the picture shows the window, {PICTURE_WIDTH}x{height / one:.0f} of its pixels, with ids marked; "
        f"points and @x,y are its pixels, 1 is {one:.3g} of the page"
    )


def explain_missing_picture(observation: Observation) -> str:
    return _NO_PICTURE.get(observation.no_picture, "the browser gives none of this tab")


_NO_PICTURE = {
    "NOT_IN_FRONT": "the tab is not in front, or its window is minimized",
    "NOT_GRANTED": "the person has not allowed pictures of this site",
    "TOO_OFTEN": "the browser takes only two a second",
}
