"""Keys and chords as people write them -> the names of `KeyboardEvent.key`."""

from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.verbs import verb_at

_KEYS = {
    "enter": "Enter", "return": "Enter", "tab": "Tab", "escape": "Escape", "esc": "Escape",
    "space": "Space", "spacebar": "Space", "backspace": "Backspace", "delete": "Delete",
    "del": "Delete", "home": "Home", "end": "End", "insert": "Insert", "pageup": "PageUp",
    "pagedown": "PageDown", "pgup": "PageUp", "pgdn": "PageDown", "up": "ArrowUp",
    "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight", "arrowup": "ArrowUp",
    "arrowdown": "ArrowDown", "arrowleft": "ArrowLeft", "arrowright": "ArrowRight",
}  # fmt: skip
_KEYS |= {f"f{number}": f"F{number}" for number in range(1, 13)}
_MODIFIERS = {
    "ctrl": "Control", "control": "Control", "cmd": "Meta", "command": "Meta", "meta": "Meta",
    "alt": "Alt", "option": "Alt", "shift": "Shift", "win": "Meta",
}  # fmt: skip
_NOISE = frozenset({"the", "key", "keys", "button", "on", "your", "keyboard", "bar"})
# Alone these are labels of controls as often as keys; "key" must be said with them.
_NEED_KEY = frozenset({"delete", "del", "insert", "home", "end", "up", "down", "left", "right",
                       "return", "space", "tab"})  # fmt: skip


def chord_of(args: Span) -> tuple[str, Span] | None:
    """The key or chord that `args` begin with and what follows it; None when it is no key.

    "Ctrl + A", "ctrl-a" and "Control A" are "Control+A"; "the down arrow key" is "ArrowDown".
    """
    start = 1 if args.low(0) in {"the", "key", "keys"} else 0
    start = start + 1 if args.low(start) == "key" else start
    words = [part for token in args[start : start + 6] for part in _parts(token.low)]
    if not words or any(token.quoted for token in args[:1]):
        return None
    if words[0] in _MODIFIERS and len(words) > 1:
        return _chord(args[start:])
    return _single(args[start:], said=start > 0 and args.low(start - 1) == "key")


def _parts(word: str) -> list[str]:
    joined = word.replace("-", "+")
    return [part for part in joined.split("+") if part]


def _chord(args: Span) -> tuple[str, Span] | None:
    parts: list[str] = []
    used = 0
    for token in args:
        pieces = _parts(token.low) if token.text not in {"+", "-"} else []
        if token.text not in {"+", "-"} and not all(_is_key(piece) for piece in pieces):
            break
        used += 1
        parts.extend(pieces)
        if parts and parts[-1] not in _MODIFIERS:
            break
    if len(parts) < 2 or parts[-1] in _MODIFIERS:
        return None
    named = [_MODIFIERS.get(part) or _KEYS.get(part) or part.upper() for part in parts]
    return "+".join(named), _after(args, used)


def _is_key(word: str) -> bool:
    return word in _MODIFIERS or word in _KEYS or len(word) == 1


def _single(args: Span, *, said: bool) -> tuple[str, Span] | None:
    first, second, third = (args.low(index) for index in range(3))
    if second == "arrow" or first == "arrow":
        direction = first if second == "arrow" else second
        if direction in {"up", "down", "left", "right"}:
            return _KEYS[direction], _after(args, 2)
    if first == "page" and second in {"up", "down"}:
        return _KEYS[f"page{second}"], _after(args, 2)
    if second == "bar" and first == "space":
        return "Space", _after(args, 2)
    if first not in _KEYS or second in {"button", "link", "tab", "icon", "menu"}:
        return None
    key_said = said or second == "key" or (second == "on" and third in {"your", "the"})
    if len(args) > 1 and second not in {"key", "in", "on", "inside", "to", "again", "for", "from"}:
        return None
    alone = len(args) == 1 and first not in {"delete", "del", "home", "end", "insert"}
    if first in _NEED_KEY and not (key_said or alone):
        return None
    return _KEYS[first], _after(args, 1)


def _after(args: Span, used: int) -> Span:
    rest = args[used:]
    if rest.low(0) == "to" and verb_at(rest, 1) is not None:
        return rest[:0]
    while len(rest) and (rest.low(0) in _NOISE | {"in", "inside", "into", "to", "again"}):
        rest = rest[1:]
    return rest
