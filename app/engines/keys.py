"""The keys there are, as the extension knows them."""

from app.text import patterns

_NAMED = frozenset(
    {"enter", "escape", "tab", "backspace", "delete", "arrowup", "arrowdown", "arrowleft"}
    | {"arrowright", "home", "end", "pageup", "pagedown", "insert", "esc", "return", "space"}
    | {"spacebar", "del", "up", "down", "left", "right", "pgup", "pgdn"}
    | {f"f{number}" for number in range(1, 13)}
)
_MODIFIERS = frozenset({"control", "shift", "alt", "meta", "ctrl", "cmd", "command", "option"})


def is_key(text: str) -> bool:
    """Whether it is a key or a chord, in the names of `KeyboardEvent.key`: "Enter", "Control+A"."""
    if text == "+":
        return True
    *held, key = (part.lower() for part in patterns.split(r"\s*\+\s*(?=.)", text))
    known = len(key) == 1 or key in _NAMED or key in _MODIFIERS
    return known and _MODIFIERS.issuperset(held)
