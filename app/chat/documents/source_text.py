"""Separates the request in a message from a pasted text, by punctuation alone, in any language."""

from dataclasses import dataclass

from app.text import patterns

FEWEST = 3  # words of a text to check
FEWEST_OF_A_QUOTE = 6  # words of a quote without a full stop; a shorter one may be a title
FEWEST_STATED = 5  # words of a message that is all text
LONGEST_REQUEST = 600  # characters; anything longer is text
_COLON = patterns.compile(r":(?=\s)|\uff1a")
_QUOTED = patterns.compile(
    '```\\w*\n?(.+?)```|"""(.+?)"""|\u201c([^\u201c\u201d]+)[\u201d\u201c]|\u201e([^\u201e\u201c\u201d]+)[\u201c\u201d]'
    '|\u00ab([^\u00ab\u00bb]+)\u00bb|"([^"]+)"',
    patterns.DOTALL,
)
_QUESTION = ("?", "\uff1f", "\u061f")
_WORD = patterns.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class SplitMessage:
    """The request and the text that it is about, if any."""

    request: str
    text: str = ""


def split_message(plain: str) -> SplitMessage:
    """Split off a text that is quoted, follows a colon, or is on lines of its own. A message without a
    question and without such marks is all text.
    """
    message = plain.strip()
    quoted = _by_quotes(message)
    if quoted is not None and 2 * len(quoted.text) >= len(message):
        return quoted
    is_statement = not message.endswith(_QUESTION) and has_words(message, FEWEST_STATED)
    whole = SplitMessage("", message) if is_statement else None
    return _by_colon(message) or _by_line(message) or quoted or whole or SplitMessage(message)


def has_words(text: str, count: int) -> bool:
    """Whether a text has at least `count` words; the rest is not scanned."""
    return sum(1 for _ in zip(range(count), _WORD.finditer(text), strict=False)) == count


def _by_quotes(message: str) -> SplitMessage | None:
    """Split off the longest quote that is not a title."""
    found = max(_QUOTED.finditer(message), key=lambda one: len(one.group()), default=None)
    if found is None:
        return None
    inner = next(one for one in found.groups() if one is not None).strip()
    if not has_words(inner, FEWEST if inner[-1:] in ".!?" else FEWEST_OF_A_QUOTE):
        return None
    outside = f"{message[: found.start()]} {message[found.end() :]}"
    return SplitMessage(" ".join(outside[:LONGEST_REQUEST].split()), inner)


def _by_colon(message: str) -> SplitMessage | None:
    found = _COLON.search(message[:LONGEST_REQUEST])
    if found is None or "\n" in message[: found.start()]:
        return None
    return _split(message[: found.start()], message[found.end() :])


def _by_line(message: str) -> SplitMessage | None:
    """The last line is the request if it is a question, else the first one."""
    if message.endswith(_QUESTION):
        text, _, request = message.rpartition("\n")
    else:
        request, _, text = message.partition("\n")
    return _split(request, text)


def _split(request: str, text: str) -> SplitMessage | None:
    if len(request) > LONGEST_REQUEST or not has_words(text, FEWEST):
        return None
    return SplitMessage(request.strip(), text.strip())
