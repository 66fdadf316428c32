"""A difference in plain words, what matters most for the action first."""

from app.domain.action import Action
from app.domain.page import MASK, Node
from app.engines.verification.difference import Change, Difference
from app.engines.verification.snapshot import split_url

_MOST = 8  # observations told; more is noise
_NAMED = 5  # names listed in one observation
_TEXT = 120  # characters of a quoted text

_STATE_WORDS = {
    "checked": ("is now checked", "is no longer checked"),
    "selected": ("is now selected", "is no longer selected"),
    "pressed": ("is now pressed", "is no longer pressed"),
    "current": ("is now the current one", "is no longer the current one"),
    "expanded": ("is now open", "is now closed"),
    "invalid": ("is marked as invalid", "is no longer marked as invalid"),
    "disabled": ("is now disabled", "is now enabled"),
    "readonly": ("is now read-only", "can now be edited"),
    "required": ("is now required", "is no longer required"),
    "mixed": ("is now partly checked", "is no longer partly checked"),
}


def explain(diff: Difference, action: Action | None = None) -> tuple[str, ...]:
    """The difference as sentences, at most 8; "Nothing changed" where there is none."""
    target = action.target if action is not None else None
    told = [
        *_about_target(diff, target),
        *(f"{_message_word(m.kind, m.again)}: {quote(m.text)}" for m in diff.messages),
        *_about_address(diff),
        *(f"A dialog opened: {quote(label)}" for label in diff.opened),
        *(f"The dialog closed: {quote(label)}" for label in diff.closed),
        *_about_menus(diff),
        *_about_changes(diff, target),
        *_about_nodes(diff),
        *_about_text(diff),
        *((f"The focus is on {label_of(diff.focus)}",) if diff.focus else ()),
        *(("The page is scrolled elsewhere",) if diff.moved else ()),
    ]
    unique = tuple(dict.fromkeys(told))
    if not diff.any:
        return ("Nothing changed", *unique[: _MOST - 1])
    return unique[:_MOST] or ("Something on the page changed",)


def label_of(node: Node) -> str:
    """What a person would call it."""
    return quote(node.name or node.hint or node.role)


def quote(text: str) -> str:
    """One line of at most 120 characters."""
    line = " ".join(text.split())
    return line if len(line) <= _TEXT else line[: _TEXT - 1] + "…"


def told_change(change: Change) -> tuple[str, ...]:
    """One control's change in words."""
    name = label_of(change.after)
    told = []
    if "value" in change.kinds:
        told.append(_told_value(name, change.after))
    if "states" in change.kinds:
        told += [f"{name} {_STATE_WORDS[s][0]}" for s in sorted(change.gained) if s in _STATE_WORDS]
        told += [f"{name} {_STATE_WORDS[s][1]}" for s in sorted(change.lost) if s in _STATE_WORDS]
    if "name" in change.kinds:
        told.append(f"{label_of(change.before)} is now called {name}")
    if "options" in change.kinds:
        told.append(f"{name} offers other choices")
    return tuple(told)


def _told_value(name: str, node: Node) -> str:
    if node.input_type == "password" or node.value == MASK:
        return f"{name} now holds something" if node.value else f"{name} is now empty"
    return f"{name} now holds '{quote(node.value)}'" if node.value else f"{name} is now empty"


def _message_word(kind: str, again: bool) -> str:
    if again:
        return "A message stands there as before"
    return "An error appeared" if kind == "error" else "A message appeared"


def _about_target(diff: Difference, target: str | None) -> tuple[str, ...]:
    change = diff.change_of(target) if target else None
    return told_change(change) if change else ()


def _about_address(diff: Difference) -> tuple[str, ...]:
    if not diff.address.any:
        title = diff.title
        return (f"The title is now {quote(title[1])}",) if title else ()
    origin, path, query, fragment = split_url(diff.address.after)
    shown = path + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")
    return (f"The page went to {quote(origin + shown if diff.address.origin else shown)}",)


def _about_menus(diff: Difference) -> tuple[str, ...]:
    items = [n.name for n in diff.added if n.role in ("menu", "opt") and n.name]
    return (f"A menu opened: {_listed(items)}",) if items else ()


def _about_changes(diff: Difference, target: str | None) -> tuple[str, ...]:
    others = (c for c in diff.changed if c.before.id != target)
    return tuple(text for change in others for text in told_change(change))


def _about_nodes(diff: Difference) -> tuple[str, ...]:
    came = [n.name or n.role for n in diff.added if n.role not in ("menu", "opt", "txt")]
    went = [n.name or n.role for n in diff.removed if n.role != "txt"]
    return (
        *((f"New on the page: {_listed(came)}",) if came else ()),
        *((f"No longer on the page: {_listed(went)}",) if went else ()),
    )


def _about_text(diff: Difference) -> tuple[str, ...]:
    return (
        *((f"New text: {quote(' | '.join(diff.text_added))}",) if diff.text_added else ()),
        *((f"Text gone: {quote(' | '.join(diff.text_gone))}",) if diff.text_gone else ()),
    )


def _listed(names: list[str]) -> str:
    shown = ", ".join(quote(name) for name in names[:_NAMED])
    return shown + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
