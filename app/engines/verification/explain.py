"""A difference in plain words, what matters most for the action first."""

from collections.abc import Mapping
from types import MappingProxyType

from app.domain.action import Action
from app.domain.page import MASK, Node, Observation
from app.engines.risk.controls import is_opener, is_submit
from app.engines.verification.difference import Change, Difference
from app.engines.verification.messages import Message
from app.engines.verification.snapshot import split_url

MOST = 8  # observations told; more is noise
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
    "busy": ("is at work now", "is no longer at work"),
    "mixed": ("is now partly checked", "is no longer partly checked"),
}


def explain(
    diff: Difference, action: Action | None = None, before: Observation | None = None
) -> tuple[str, ...]:
    """The difference as sentences, at most 8; "Nothing changed" where there is none.

    What matters for the action comes first: of an entry the field, of a submit the messages, of an
    opener the menu, of a way to another page the address, of a scroll where the page stands.
    """
    parts = _parts(diff, action.target if action is not None else None)
    order = _ORDERS[_manner(action, before)]
    told = [
        line for name in (*order, *(n for n in _REST if n not in order)) for line in parts[name]
    ]
    unique = tuple(dict.fromkeys(told))
    if not diff.any:
        return ("Nothing changed", *unique[: MOST - 1])
    return unique[:MOST] or ("Something on the page changed",)


def _parts(diff: Difference, target: str | None) -> dict[str, tuple[str, ...]]:
    return {
        "target": _about_target(diff, target),
        "messages": tuple(f"{_message_word(m)}: {quote(m.text)}" for m in diff.messages),
        "address": _about_address(diff),
        "dialogs": (
            *(f"A dialog opened: {quote(label)}" for label in diff.opened),
            *(f"The dialog closed: {quote(label)}" for label in diff.closed),
        ),
        "menus": _about_menus(diff),
        "changes": _about_changes(diff, target),
        "nodes": _about_nodes(diff),
        "text": _about_text(diff),
        "cover": _about_cover(diff),
        "focus": _about_focus(diff),
        "scroll": _about_scroll(diff),
        "silenced": tuple(f"No longer said: {quote(text)}" for text in diff.silenced[:2]),
        "client": _about_client(diff),
    }


_REST = (
    "target", "messages", "address", "dialogs", "menus", "changes", "nodes", "text", "cover",
    "focus", "scroll", "silenced", "client",
)  # fmt: skip
_ORDERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "entry": ("target", "messages", "changes", "menus"),
        "submit": ("messages", "address", "dialogs", "text", "nodes", "changes"),
        "opener": ("menus", "dialogs", "target", "nodes"),
        "way": ("address", "messages", "dialogs", "nodes", "text"),
        "scroll": ("scroll", "nodes", "text"),
        "key": ("messages", "dialogs", "address", "focus", "menus"),
        "other": (),
    }
)
_MANNERS: Mapping[str, str] = MappingProxyType(
    {
        "setValue": "entry", "selectOption": "entry", "setChecked": "entry", "uploadFile": "entry",
        "navigate": "way", "goBack": "way", "openTab": "way", "switchTab": "way", "closeTab": "way",
        "scroll": "scroll", "pressKey": "key", "hover": "opener",
    }
)  # fmt: skip


def _manner(action: Action | None, before: Observation | None) -> str:
    """What an action is for, as far as the order of what is told of it goes."""
    if action is None:
        return "other"
    if action.name == "pressKey" and str(action.args["key"]).lower() in ("enter", "return"):
        return "submit"
    node = before.tree.get(action.target) if before is not None and action.target else None
    if action.name != "click" or node is None or before is None:
        return _MANNERS.get(action.name, "other")
    if is_submit(node, before):
        return "submit"
    if is_opener(node):
        return "opener"
    return "way" if node.role == "link" else "other"


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
    if "hint" in change.kinds:
        hint = quote(change.after.hint)
        told.append(f"{name} says beside it: {hint}" if hint else f"{name} says nothing beside it")
    return tuple(told)


def _told_value(name: str, node: Node) -> str:
    if node.input_type == "password" or node.value == MASK:
        return f"{name} now holds something" if node.value else f"{name} is now empty"
    return f"{name} now holds '{quote(node.value)}'" if node.value else f"{name} is now empty"


def _message_word(message: Message) -> str:
    if message.again:
        return "A message stands there as before"
    return "An error appeared" if message.kind == "error" else "A message appeared"


def _about_target(diff: Difference, target: str | None) -> tuple[str, ...]:
    change = diff.change_of(target) if target else None
    return told_change(change) if change else ()


def _about_address(diff: Difference) -> tuple[str, ...]:
    titled = (f"The title is now {quote(diff.title[1])}",) if diff.title else ()
    if not diff.address.any:
        return titled
    origin, path, query, fragment = split_url(diff.address.after)
    shown = path + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")
    return (f"The page went to {quote(origin + shown if diff.address.origin else shown)}", *titled)


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


def _about_cover(diff: Difference) -> tuple[str, ...]:
    covered, bared = (
        [n.name or n.role for n in diff.covered],
        [n.name or n.role for n in diff.bared],
    )
    return (
        *((f"Behind something else now: {_listed(covered)}",) if covered else ()),
        *((f"In front again: {_listed(bared)}",) if bared else ()),
    )


def _about_focus(diff: Difference) -> tuple[str, ...]:
    if diff.focus is not None:
        return (f"The focus is on {label_of(diff.focus)}",)
    return (f"The focus has left {label_of(diff.blurred)}",) if diff.blurred is not None else ()


def _about_scroll(diff: Difference) -> tuple[str, ...]:
    if diff.scrolled is not None and diff.scrolled[1]:
        return (f"The page is scrolled elsewhere, to {quote(diff.scrolled[1])}",)
    return ("The page is scrolled elsewhere",) if diff.moved else ()


def _about_client(diff: Difference) -> tuple[str, ...]:
    """What the browser witnessed, where the page shows nothing of it."""
    if diff.any:
        return ()
    return (
        *(("The page sent a request",) if diff.client.network else ()),
        *(("The page was touched",) if diff.client.mutated else ()),
    )


def _listed(names: list[str]) -> str:
    shown = ", ".join(quote(name) for name in names[:_NAMED])
    return shown + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
