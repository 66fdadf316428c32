"""Whether what was entered is among the records the page lists: what a message says may be untrue."""

from collections.abc import Iterable

from app.domain.page import Node, Observation
from app.engines.risk.controls import container, entries
from app.engines.risk.lexicon import words
from app.engines.verification.evidence import Scene
from app.engines.verification.messages import is_message
from app.engines.verification.readback import counted, plain
from app.text import patterns

_LISTED = ("row", "item")
_PAGES = patterns.compile(
    r"\b(?:page|seite|pagina|página|strona|страница|sayfa)\s*\d+|\b\d+\s*[-–—]\s*\d+\s*(?:of|von|sur|de|di|van|z|из)\s*\d+"  # noqa: RUF001
    r"|\b(?:load|show|view) more\b|\b\d+ more (?:above|below)\b|lines in all",
    patterns.IGNORECASE,
)
_NEXT = patterns.compile(r"(?:next|previous|prev|last|first)(?: page)?|page \d+|\d{1,4}|[›»‹«>]")  # noqa: RUF001
_DIGITS, _UPPER, _LOWER = (
    patterns.compile(r"\d+"),
    patterns.compile(r"[A-Z][a-z]*"),
    patterns.compile(r"[a-z]+"),
)
_WHOLE = 3_600  # characters; a longer summary may have left something out
_FEW = 15  # lines; a longer list may go on out of sight
_STEM = 4  # letters in which two words of one thing agree: "task", "Tasks"
_RECORDS = 2  # that make a list
_BELOW = 1.2  # of the window: what stands lower shows that the page goes on


def structured(scene: Scene, text: str) -> bool:
    """Whether a text came up as a record does: a control of a row, or a line of a table or list."""
    wanted = plain(text)
    for node in (*scene.diff.added, *(c.after for c in scene.diff.changed)):
        where = node.group.rpartition(" > ")[2]
        listed = node.role == "row" or where.partition(":")[0].strip() in _LISTED
        if listed and wanted in plain(f"{node.name} {where}") and not is_message(node):
            return True
    return any(_is_line(line) and counted(plain(line), text) for line in scene.diff.text_added)


def another_named(scene: Scene) -> str | None:
    """The number of another line of the list that a success speaks of, where it does not name the own one."""
    last = scene.chain.actions[-1].action if scene.chain.actions else None
    node = scene.was(last) if last is not None else None
    own = _first_cells(() if node is None else (node,))
    if not own or not scene.diff.successes:
        return None
    said = plain(scene.diff.successes[0])
    if any(counted(said, cell) for cell in own):
        return None
    others = _first_cells(scene.before.tree) - own
    return next((c for c in others if _DIGITS.search(c) and counted(said, c)), None)


def _first_cells(nodes: Iterable[Node]) -> set[str]:
    """What the lines of lists in which these stand begin with."""
    lines = (label for node in nodes for kind, label in node.groups if kind in _LISTED)
    return {cell for label in lines if (cell := plain(label.partition(",")[0]))}


def missing_record(scene: Scene, target: Node | None, texts: Iterable[str]) -> str | None:
    """What was entered and is missing in the list it should be in.

    That is a table with a column that goes by the name of the field it was entered in, or a list
    under a heading that speaks of what the form or the message speaks of; it must stand there as it
    was before. None where the text is listed, or no such list is to be seen.
    """
    entered = set(texts)
    if not entered:
        return None
    return (
        _missing_row(scene, target, entered)
        or _missing_item(scene, target, entered)
        or _missing_label(scene, entered)
    )


def _missing_row(scene: Scene, target: Node | None, entered: set[str]) -> str | None:
    listed = [line for line in scene.after.summary.splitlines() if " | " in line]
    if len(listed) < 2:
        return None
    names = {plain(cell) for cell in listed[0].split("|")}
    form = entries(scene.before, container(target) if target is not None else None)
    columns = [field for field in form if field.role == "inp" and plain(field.name) in names]
    sought = [text for text in (_text_of(scene, field) for field in columns) if text in entered]
    was = {line for line in scene.before.summary.splitlines() if " | " in line}
    if not sought or any(counted(plain(line), text) for line in listed for text in sought):
        return None
    return sought[0] if not was or set(listed[1:]) <= was else None


def _missing_item(scene: Scene, target: Node | None, entered: set[str]) -> str | None:
    was, now = _lists(scene.before.summary), _lists(scene.after.summary)
    about = [*scene.diff.successes, *((target.name, target.group) if target is not None else ())]
    if scene.asked is not None and scene.asked.target is not None:
        about.append(scene.asked.target.phrase)
    stems = {word[:_STEM] for text in about for word in words(text).split() if len(word) >= _STEM}
    for heading, items in now.items():
        if not any(word[:_STEM] in stems for word in words(heading).split()):
            continue
        if heading in was and items != was[heading]:
            continue
        if heading not in was and not _of_its_kind(items, entered):
            continue
        if not any(counted(plain(item), text) for item in items for text in entered):
            return max(entered, key=len)
    return None


def _missing_label(scene: Scene, entered: set[str]) -> str | None:
    """The same of records known by their controls, on a page of what the step was to create."""
    asked = scene.asked
    if asked is None or asked.verb != "create" or asked.target is None:
        return None
    now = _labels(scene.after)
    headings = [scene.after.title, *(n.group for n in scene.after.tree if n.group)]
    headings += [line for line in scene.after.summary.splitlines() if line.startswith("# ")]
    stems = {word[:_STEM] for word in words(asked.target.phrase).split() if len(word) >= _STEM}
    about = any(word[:_STEM] in stems for text in set(headings) for word in words(text).split())
    if len(now) < _RECORDS or not about or not now <= _labels(scene.before):
        return None
    shown = any(counted(plain(label), text) for label in now for text in entered)
    return None if shown else max(entered, key=len)


def _labels(page: Observation) -> set[str]:
    """The records of a page, by what their lines say."""
    groups = {node.group for node in page.tree if "row:" in node.group or "item:" in node.group}
    pairs = (part.partition(":") for group in groups for part in group.split(" > "))
    return {label.strip() for kind, _, label in pairs if kind.strip() in _LISTED and label.strip()}


def _of_its_kind(items: list[str], texts: set[str]) -> bool:
    """Whether the lines begin as what was entered does: with two names, a number, an address."""
    shapes = [_shape(item.removeprefix("- ")) for item in items]
    return any(
        sum(shape.startswith(_shape(text)) for shape in shapes) * 2 > len(shapes) for text in texts
    )


def _shape(text: str) -> str:
    return _LOWER.sub("w", _UPPER.sub("W", _DIGITS.sub("9", text)))


def _lists(summary: str) -> dict[str, list[str]]:
    """The items of lists by the heading they stand under."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in summary.splitlines():
        if line.startswith("# "):
            heading = line
        elif line.startswith("- ") and heading:
            found.setdefault(heading, []).append(line)
    return found


def may_be_elsewhere(page: Observation) -> bool:
    """Whether the list shown may not be all of it: it has pages, is filtered, or goes on out of sight."""
    lines = sum(_is_line(line) for line in page.summary.splitlines())
    if lines > _FEW or len(page.summary) > _WHOLE or page.scrollables:
        return True
    if _PAGES.search(page.summary) or page.scroll not in ("", "0%"):
        return True
    low = _BELOW * page.viewport[1] if page.viewport is not None else float("inf")
    return any(_hints_at_more(node, low) for node in page.tree)


def _hints_at_more(node: Node, low: float) -> bool:
    if node.role in ("btn", "link") and _NEXT.fullmatch(words(node.name) or node.name.strip()):
        return True
    if node.value and (node.input_type == "search" or "filter" in words(node.name).split()):
        return True
    return node.center is not None and node.center[1] > low


def _is_line(line: str) -> bool:
    return " | " in line or line.startswith("- ")


def _text_of(scene: Scene, field: Node) -> str:
    """What was in a field when its form was handed in."""
    for planned in reversed(scene.chain.actions):
        if planned.action.target == field.id and "text" in planned.action.args:
            return str(planned.action.args["text"])
    return field.value or ""
