"""Describes differences between observations as sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.domain.action import Action
from app.domain.directive_text import ROLE_WORDS
from app.domain.page import (
    MASK,
    Node,
    Observation,
    ObservedDialog,
    ObservedDownload,
    PlacedText,
    Tree,
)
from app.page.controls import enclosing_form
from app.page.difference import Change, Difference, compare_pages
from app.text import patterns

LEAST_FOLDED = 8  # controls; folding fewer saves nothing
MOST_CHANGED = 0.34  # share of the controls; beyond it, the page is rendered in full
_BESIDE = 2  # controls kept on each side of a changed one
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
    """Reduce the page to its changes since `before`; None if too much changed or nothing is saved.

    Controls whose names share a word with the task text `about` are kept.
    """
    found = compare_pages(before, page)
    nodes = [node for node in page.tree if not node.occluded]
    out = {node.id for node in before.tree if node.scrolled_out}
    came = (now for was, now in found.partner.items() if was in out and not now.scrolled_out)
    marks = {node.id: "+" for node in (*found.added, *came)}
    marks |= {one.after.id: "~" for one in found.changed}
    # After a scroll, everything that came into view must be listed.
    elsewhere = found.address.any or page.scroll != before.scroll
    if elsewhere or not nodes or len(marks) > MOST_CHANGED * len(nodes):
        return None
    wanted = set(_WORD.findall(about.casefold()))
    places = {enclosing_form(node) for node in nodes if node.id in marks} - {None}
    touched = {at for at, node in enumerate(nodes) if node.id in marks or "focused" in node.states}
    beside = {at + step for at in touched for step in range(-_BESIDE, _BESIDE + 1)}
    kept = {
        node.id
        for at, node in enumerate(nodes)
        if at in beside
        or enclosing_form(node) in places
        or wanted & set(_WORD.findall(f"{node.name} {node.hint}".casefold()))
    }
    if len(nodes) - len(kept) < LEAST_FOLDED:
        return None
    texts = tuple(text for text in page.texts if text.before in kept or _is_new(text, before))
    tree = Tree.of(node for node in page.tree if node.id in kept)
    return PageUpdate(
        page=replace(page, tree=tree, texts=texts),
        marks=marks,
        gone=tuple(node for node in found.removed if not node.occluded and node.name),
        folded=len(nodes) - len(kept),
    )


def _is_new(text: PlacedText, before: Observation) -> bool:
    return " ".join(text.text.split()) not in " ".join(before.summary.split())


MOST = 8  # sentences; more are noise
NOTHING = "Nothing changed"  # the text for no difference
_NAMED = 5  # names per sentence
_STATES = {"expanded": "open", "collapsed": "closed", "invalid": "marked as invalid"}
_CAME = {"error": "An error appeared"} | dict.fromkeys(("success", "info"), "A message appeared")
_TEXT = 120  # characters of a quoted text


def describe_difference(diff: Difference, action: Action | None = None) -> tuple[str, ...]:
    """Describe the difference in at most `MOST` sentences, starting with the control acted on."""
    own = diff.change_of(action.target) if action is not None and action.target else None
    others = [change for change in diff.changed if change is not own]
    items = [n.name for n in diff.added if n.role in ("menu", "opt") and n.name]
    came = [label_of(n) for n in diff.added if n.role not in ("menu", "opt", "txt")]
    went = [label_of(n) for n in diff.removed if n.role != "txt"]
    told = [
        *(describe_change(own) if own is not None else ()),
        *(
            f"{'A message stands there as before' if m.again else _CAME[m.kind]}: {quote(m.text)}"
            for m in diff.messages
        ),
        f"The page went to {quote(diff.address.after)}" if diff.address.any else "",
        f"The title is now {quote(diff.title[1])}" if diff.title else "",
        *(f"A dialog opened: {quote(label)}" for label in diff.opened),
        *(f"The dialog closed: {quote(label)}" for label in diff.closed),
        f"A menu opened: {_join_names(items)}" if items else "",
        *(text for change in others for text in describe_change(change)),
        f"New on the page: {_join_names(came)}" if came else "",
        f"No longer on the page: {_join_names(went)}" if went else "",
        f"New text: {quote(' | '.join(diff.text_added))}" if diff.text_added else "",
        f"Text gone: {quote(' | '.join(diff.text_gone))}" if diff.text_gone else "",
        f"The focus is on {label_of(diff.focus)}" if diff.focus is not None else "",
        "The page is scrolled elsewhere" if diff.moved else "",
    ]
    unique = tuple(dict.fromkeys(filter(None, told)))
    if not diff.any:
        return (NOTHING, *unique[: MOST - 1])
    return unique[:MOST] or ("Something on the page changed",)


def label_of(node: Node) -> str:
    """Return the quoted name, or the kind of control if it has no name."""
    return quote(node.name or node.hint) or f"the {ROLE_WORDS.get(node.role, 'control')}"


def quote(text: str) -> str:
    """Shorten the text to one line of at most `_TEXT` characters."""
    line = " ".join(text.split())
    return line if len(line) <= _TEXT else line[: _TEXT - 1] + "…"


def describe_change(change: Change) -> tuple[str, ...]:
    """Describe the change of one control."""
    name, node = label_of(change.after), change.after
    told = []
    if "value" in change.kinds:
        secret = node.input_type == "password" or node.value == MASK
        held = "something" if secret else f"'{quote(node.value or '')}'"
        told.append(f"{name} now holds {held}" if node.value else f"{name} is now empty")
    if "states" in change.kinds:
        gained, lost = sorted(change.gained - {"focused"}), sorted(change.lost - {"focused"})
        told += [f"{name} is now {_STATES.get(state, state)}" for state in gained]
        told += [f"{name} is no longer {_STATES.get(s, s)}" for s in lost if not gained]
    if "name" in change.kinds:
        told.append(f"{label_of(change.before)} is now called {name}")
    if "options" in change.kinds:
        told.append(f"{name} offers other choices")
    if "looks" in change.kinds:
        told.append(f"What is drawn in {name} is another")
    if "hint" in change.kinds:
        told.append(f"{name} says beside it: {quote(node.hint)}")
    return tuple(told)


def describe_download(file: ObservedDownload) -> str:
    """Describe a file that the browser saved."""
    return f"Downloaded {quote(file.name)}"


def describe_dialog(dialog: ObservedDialog) -> str:
    """Describe a browser dialog and its answer."""
    if dialog.kind == "beforeunload":
        return "The page was left without saving what was entered in it"
    answer = "accepted" if dialog.accepted else "dismissed"
    return f"{dialog.kind} '{quote(dialog.message)}' was {answer}"


def _join_names(names: list[str]) -> str:
    shown = ", ".join(quote(name) for name in names[:_NAMED])
    return shown + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
