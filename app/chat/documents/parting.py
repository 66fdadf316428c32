"""Where a message ends to be a request and a pasted text begins, or the other way round."""

from dataclasses import dataclass

from app.text import patterns

FEWEST = 3  # words that are a text to check, where a colon, a line or quotes set it apart
FEWEST_OF_A_QUOTE = 6  # words without a full stop: of fewer it may be a title
FEWEST_SENTENCE = 5  # words of a text that nothing but a full stop sets apart
LONGEST_REQUEST = 600  # characters: what is longer is text, not a request
_COLON = patterns.compile(r":(?=\s)|[:\uff1a]\n")
_QUOTED = patterns.compile(
    '```\\w*\n?(.+?)```|"""(.+?)"""|\u201c([^\u201c\u201d]+)[\u201d\u201c]|\u201e([^\u201e\u201c\u201d]+)[\u201c\u201d]'
    '|\u00ab([^\u00ab\u00bb]+)\u00bb|"([^"]+)"',
    patterns.DOTALL,
)
_SENTENCE = patterns.compile(r"(?<=[.?!\u2026])\s+(?=\S)")
_ASKS = patterns.compile(
    r"\b(?:audit\w*|check\w*|review\w*|verif\w+|validat\w+|assess\w*|evaluat\w+|inspect\w*|examin\w+|"
    r"compl(?:y|ies|iant|iance)|conforms?|against|consistent with|in line with|accord\w*|violat\w+|breach\w*|"
    r"summari[sz]e|compare|explain|tell me|what|which|does|please|"
    r"pr(?:\u00fc|ue)f\w*|kontrollier\w*|vergleich\w*|entspr\w+|verst(?:\u00f6\u00df|oess)\w*|gegen|fasse|bitte|"
    r"v\u00e9rifi\w+|contr\u00f4l\w+|respect\w+|conforme\w*|r\u00e9sum\w+|compar\w+|"
    r"revis\w+|comprueb\w+|cumpl\w+|resum\w+|audit\w*)\b|\u05d1\u05d3\u05d5\u05e7|\u05d1\u05d3\u05e7\u05d9|\u05d4\u05d0\u05dd|\u05ea\u05d5\u05d0\u05dd|\u05e1\u05db\u05dd|\u05d4\u05e9\u05d5\u05d5",
    patterns.IGNORECASE,
)
# What a request begins with, as a statement does not.
_BIDS = patterns.compile(
    r"(?:(?:please|bitte|can|could|would|will|you|i|we|want|need|to|let|us|me|just|now|and|pls) ){0,5}"
    r"(?:audit\w*|check\w*|review\w*|verify|validate|assess|evaluate|inspect|examine|compare|summari[sz]e|"
    r"tell|explain|is|are|does|do|what|which|please|pr(?:\u00fc|ue)f\w*|kontrollier\w*|vergleich\w*|fasse|"
    r"bitte|v\u00e9rifi\w+|contr\u00f4l\w+|revis\w+|comprueb\w+|auditer|\u05d1\u05d3\u05d5\u05e7)\b",
    patterns.IGNORECASE,
)
_WORD = patterns.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Parted:
    """What is asked, and the text that it is asked about; `text` is "" where there is none."""

    request: str
    text: str = ""


def parted(plain: str) -> Parted:
    """The request of a message, and the text that stands after its colon, below or above it, in quotes, or in
    sentences of its own.
    """
    message = plain.strip()
    for apart in (_by_fence, _by_colon, _by_line, _by_quotes, _by_sentence):
        if (found := apart(message)) is not None:
            return found
    return Parted(message)


def stated(plain: str) -> str:
    """A message that asks nothing, and only says things: all of it is a text."""
    message = plain.strip()
    if message.endswith("?") or counted(message, FEWEST_SENTENCE) < FEWEST_SENTENCE:
        return ""
    first = _SENTENCE.split(message[:LONGEST_REQUEST], maxsplit=1)[0]
    return "" if first.endswith("?") or _BIDS.match(first) else message


def counted(text: str, most: int = 1_000) -> int:
    """How many words a text has; more than `most` are not counted."""
    found = 0
    for _ in _WORD.finditer(text):
        found += 1
        if found == most:
            break
    return found


def _asks(text: str) -> bool:
    return len(text) <= LONGEST_REQUEST and _ASKS.search(text) is not None


def _by_fence(message: str) -> Parted | None:
    if "```" not in message and '"""' not in message:
        return None
    return _by_quotes(message)


def _by_colon(message: str) -> Parted | None:
    head = message[:LONGEST_REQUEST]
    for match in _COLON.finditer(head):
        before, after = head[: match.start()].strip(), message[match.end() :].strip()
        if "\n\n" in before or not _asks(before + ":"):
            continue
        if counted(after, FEWEST) == FEWEST:
            quoted = _QUOTED.match(after)
            rest = after[quoted.end() :].strip(" ,;") if quoted else ""
            if quoted and any(map(str.isalnum, rest)) and _asks(rest):
                return Parted(f"{before} {rest}", _unquoted(quoted.group()))
            return Parted(before, _unquoted(after))
    return None


def _by_line(message: str) -> Parted | None:
    """The first paragraph or line is the request, or the last one is."""
    if "\n" not in message:
        return None
    for pattern in ("\n\n", "\n"):
        first, _, rest = message.partition(pattern)
        if _asks(first) and counted(rest, FEWEST) == FEWEST:
            return Parted(first.strip(), _unquoted(rest.strip()))
        rest, _, last = message.rpartition(pattern)
        if _asks(last) and counted(rest, FEWEST) == FEWEST:
            return Parted(last.strip(), _unquoted(rest.strip()))
    return None


def _by_quotes(message: str) -> Parted | None:
    found = max(_QUOTED.finditer(message), key=lambda one: len(one.group()), default=None)
    if found is None:
        return None
    inner = next(one for one in found.groups() if one is not None)
    fewest = FEWEST if inner.rstrip()[-1:] in ".!?" else FEWEST_OF_A_QUOTE
    if counted(inner, fewest) < fewest:
        return None
    outside = f"{message[: found.start()]} {message[found.end() :]}"
    return Parted(" ".join(outside[:LONGEST_REQUEST].split()), inner.strip())


def _by_sentence(message: str) -> Parted | None:
    """The request is the sentences that ask something, at either end; the text is what is left."""
    sentences = _SENTENCE.split(message)
    begin, end = 0, len(sentences)
    while begin < end and _asks(sentences[begin]):
        begin += 1
    while end > begin and _asks(sentences[end - 1]):
        end -= 1
    text = " ".join(sentences[begin:end])
    if end - begin == len(sentences) or counted(text, FEWEST_SENTENCE) < FEWEST_SENTENCE:
        return None
    return Parted(" ".join(sentences[:begin] + sentences[end:]), text)


def _unquoted(text: str) -> str:
    whole = _QUOTED.fullmatch(text)
    return next(one for one in whole.groups() if one is not None).strip() if whole else text
