"""What was entered, and whether it is among the records the page lists: a message may be untrue."""

from collections import defaultdict
from collections.abc import Iterable

from app.domain.page import Node, Observation
from app.page.controls import container, entries
from app.page.messages import is_message
from app.text import patterns
from app.text.lexicon import words
from app.verification.evidence import Scene
from app.verification.readback import counted, plain

LINES = ("row", "item")  # groups that stand for a record each
_WAYS = frozenset({"nav", "menu", "tablist", "toolbar"})
_PAGED = patterns.compile(r"\d+\s*[-–—]\s*\d+\s*\w+\s*\d+|lines in all")  # noqa: RUF001
_NEXT = patterns.compile(
    r"(?:next|previous|last|first)(?: page)?|(?:load|show|view) more|page \d+|\d+"
)
_FEW = 15  # lines; a longer list may go on out of sight
_STEM = 4  # letters in which two words of one thing agree: "task", "Tasks"
_TELLING = 3  # characters; a shorter text stands on most pages anyway


def fields_before(scene: Scene, target: Node | None) -> tuple[Node, ...]:
    """The fields beside the control; without one, those beside the first that was acted on."""
    if target is None:
        ids = {a.action.target for a in scene.chain.actions}
        target = next((n for n in scene.before.tree if n.id in ids), None)
    return entries(scene.before, container(target)) if target is not None else ()


def form_gone(scene: Scene, target: Node | None) -> bool:
    """Whether the form's fields were there and none of them is any more."""
    fields, partner = fields_before(scene, target), scene.diff.partner
    if not fields:
        return target is not None and bool(scene.diff.closed) and target.id not in partner
    return all(partner.get(n.id) is None for n in fields)


def entered(scene: Scene, target: Node | None) -> list[str]:
    """The texts that were in the form when it was handed in, longest first; no passwords."""
    held = [n.value for n in fields_before(scene, target) if n.role == "inp" and n.value]
    held += _by_chain(scene)
    texts = {text for text in held if len(text.strip()) >= _TELLING and "•" not in text}
    return sorted(texts, key=lambda text: (-len(text), text))


def _by_chain(scene: Scene) -> list[str]:
    """What the chain itself entered."""
    secret = {n.id for n in scene.before.tree if n.input_type == "password"}
    return [
        str(a.action.args.get("text", a.action.args.get("label", "")))
        for a in scene.chain.actions
        if a.action.name in ("setValue", "selectOption") and a.action.target not in secret
    ]


def structured(scene: Scene, text: str) -> bool:
    """Whether a text came up as a record does: a control of a row, or a line of a table or list."""
    for node in (*scene.diff.added, *(c.after for c in scene.diff.changed)):
        kind, label = node.groups[-1] if node.groups else ("", "")
        listed = node.role == "row" or kind in LINES
        if listed and plain(text) in plain(f"{node.name} {label}") and not is_message(node):
            return True
    return any(_is_line(line) and counted(plain(line), text) for line in scene.diff.text_added)


def missing_record(scene: Scene, target: Node | None) -> str | None:
    """What the run entered and is missing in the list it should be in; None where no such list is seen.

    That is a list under a heading, or of columns, that speak of what the form, the message or the step
    speak of. It must stand there as it was before, where it did.
    """
    own = {one.value for one in scene.past.entered} | set(_by_chain(scene))
    texts = [text for text in entered(scene, target) if text in own]
    if any(structured(scene, text) for text in texts):
        return None
    about = [*scene.diff.successes, *((target.name, target.group) if target is not None else ())]
    about += [field.name for field in fields_before(scene, target) if field.role == "inp"]
    if scene.asked is not None and scene.asked.target is not None:
        about.append(scene.asked.target.phrase)
    was = _lists(scene.before)
    missing = None
    for heading, lines in _lists(scene.after).items():
        if _stems([heading]).isdisjoint(_stems(about)):
            continue
        if any(counted(plain(line), text) for line in lines for text in texts):
            return None
        if lines <= was.get(heading, lines):
            missing = next(iter(texts), None)
    return missing


def _lists(page: Observation) -> dict[str, set[str]]:
    """The lines of lists by the heading they stand under, and the first line of a table."""
    found: dict[str, set[str]] = defaultdict(set)
    heading = columns = ""
    for line in page.summary.splitlines():
        if line.startswith("# "):
            heading, columns = line, ""
        elif " | " in line and not columns:
            columns = line
        elif _is_line(line):
            found[f"{heading} {columns}"].add(line)
    for node in page.tree:
        around = [label for kind, label in node.groups if kind not in LINES]
        labels = [label for kind, label in node.groups if kind in LINES and label]
        if labels and not _WAYS.intersection(kind for kind, _ in node.groups):
            found[f"{page.title} {' '.join(around)}"].add(labels[-1])
    return {heading: lines for heading, lines in found.items() if len(lines) > 1 or "|" in heading}


def _stems(texts: Iterable[str]) -> set[str]:
    found = (word for text in texts for word in words(text).split())
    return {word[:_STEM] for word in found if len(word) >= _STEM}


def may_be_elsewhere(page: Observation) -> bool:
    """Whether the list shown may not be all of it: it has pages, is filtered, or goes on out of sight."""
    lines = sum(_is_line(line) for line in page.summary.splitlines())
    if lines > _FEW or page.scrollables or page.scroll not in ("", "0%"):
        return True
    return bool(_PAGED.search(page.summary)) or any(_hints_at_more(node) for node in page.tree)


def _hints_at_more(node: Node) -> bool:
    if node.role in ("btn", "link"):
        return _NEXT.fullmatch(words(node.name)) is not None
    return bool(node.value) and (node.input_type == "search" or "filter" in words(node.name))


def _is_line(line: str) -> bool:
    return " | " in line or line.startswith("- ")
