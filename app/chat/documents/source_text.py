"""Where a message ends to be a request and a pasted text begins, or the other way round: by signs alone,
since words of requests are of a language each. What no sign sets apart is left to whoever reads it.
"""

from dataclasses import dataclass

from app.text import patterns

FEWEST = 3  # words that are a text to check, where signs set it apart
FEWEST_OF_A_QUOTE = 6  # words without a full stop: of fewer it may be a title
FEWEST_STATED = 5  # words of a text that nothing sets apart
LONGEST_REQUEST = 600  # characters: what is longer is text, not a request
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
    """What is asked, and the text that it is asked about, if any."""

    request: str
    text: str = ""


def split_message(plain: str) -> SplitMessage:
    """The request of a message, and the text that is most of it in quotes, or stands after its colon, below
    or above it. Statements that nothing sets apart are the text.
    """
    message = plain.strip()
    quoted = _quoted(message)
    if quoted is not None and 2 * len(quoted.text) >= len(message):
        return quoted
    stated = not message.endswith(_QUESTION) and has_words(message, FEWEST_STATED)
    whole = SplitMessage("", message) if stated else None
    return _by_colon(message) or _by_line(message) or quoted or whole or SplitMessage(message)


def has_words(text: str, fewest: int) -> bool:
    """Whether a text has that many words; the rest of it is not scanned."""
    return sum(1 for _ in zip(range(fewest), _WORD.finditer(text), strict=False)) == fewest


def _quoted(message: str) -> SplitMessage | None:
    """The longest quote that is no title, and what stands around it."""
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
    return _apart(message[: found.start()], message[found.end() :])


def _by_line(message: str) -> SplitMessage | None:
    """The last line is the request if it is a question, otherwise the first one is."""
    if message.endswith(_QUESTION):
        text, _, request = message.rpartition("\n")
    else:
        request, _, text = message.partition("\n")
    return _apart(request, text)


def _apart(request: str, text: str) -> SplitMessage | None:
    short = len(request) <= LONGEST_REQUEST
    return (
        SplitMessage(request.strip(), text.strip()) if short and has_words(text, FEWEST) else None
    )
