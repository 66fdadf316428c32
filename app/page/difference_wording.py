"""A difference in plain words."""

from app.domain.action import Action
from app.domain.directive_wording import ROLE_WORDS
from app.domain.page import MASK, Node, ObservedDialog, ObservedDownload
from app.page.difference import Change, Difference

MOST = 8  # observations told; more is noise
NOTHING = "Nothing changed"  # what is told where there is no difference
_NAMED = 5  # names listed in one observation
_STATES = {"expanded": "open", "collapsed": "closed", "invalid": "marked as invalid"}
_CAME = {"error": "An error appeared"} | dict.fromkeys(("success", "info"), "A message appeared")
_TEXT = 120  # characters of a quoted text


def explain(diff: Difference, action: Action | None = None) -> tuple[str, ...]:
    """The difference as sentences, at most 8: the control acted on first, then what the page says."""
    own = diff.change_of(action.target) if action is not None and action.target else None
    others = [change for change in diff.changed if change is not own]
    items = [n.name for n in diff.added if n.role in ("menu", "opt") and n.name]
    came = [label_of(n) for n in diff.added if n.role not in ("menu", "opt", "txt")]
    went = [label_of(n) for n in diff.removed if n.role != "txt"]
    told = [
        *(told_change(own) if own is not None else ()),
        *(
            f"{'A message stands there as before' if m.again else _CAME[m.kind]}: {quote(m.text)}"
            for m in diff.messages
        ),
        f"The page went to {quote(diff.address.after)}" if diff.address.any else "",
        f"The title is now {quote(diff.title[1])}" if diff.title else "",
        *(f"A dialog opened: {quote(label)}" for label in diff.opened),
        *(f"The dialog closed: {quote(label)}" for label in diff.closed),
        f"A menu opened: {_listed(items)}" if items else "",
        *(text for change in others for text in told_change(change)),
        f"New on the page: {_listed(came)}" if came else "",
        f"No longer on the page: {_listed(went)}" if went else "",
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
    """What a person would call it."""
    return quote(node.name or node.hint) or f"the {ROLE_WORDS.get(node.role, 'control')}"


def quote(text: str) -> str:
    """One line of at most 120 characters."""
    line = " ".join(text.split())
    return line if len(line) <= _TEXT else line[: _TEXT - 1] + "…"


def told_change(change: Change) -> tuple[str, ...]:
    """One control's change in words."""
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


def told_download(file: ObservedDownload) -> str:
    """A file that the browser saved."""
    return f"Downloaded {quote(file.name)}"


def told_dialog(dialog: ObservedDialog) -> str:
    """A dialog of the browser and its answer."""
    if dialog.kind == "beforeunload":
        return "The page was left without saving what was entered in it"
    answer = "accepted" if dialog.accepted else "dismissed"
    return f"{dialog.kind} '{quote(dialog.message)}' was {answer}"


def _listed(names: list[str]) -> str:
    shown = ", ".join(quote(name) for name in names[:_NAMED])
    return shown + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
