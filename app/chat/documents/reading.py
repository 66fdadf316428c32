"""A request word by word, and which of its words are accounted for."""

from dataclasses import dataclass, field

from app.chat.documents.words import EXTENSIONS, words_of
from app.text import patterns

LONGEST = 2_000  # characters of a request that are read: its beginning and its end
_TAIL = 500
MOST_LOOKS = 5  # times that titles are searched for what is like a name: a millisecond or two each
TAKEN = "\u00a7"  # stands in `said` for words that are accounted for
STOP = "|"  # stands there for the end of a sentence or clause
_STOPS = patterns.compile(r"[.?!;:\u2026](?:\s|$|[\"'\u201d)])|\n|[?!;]|\s[-\u2013\u2014]\s|\u2014")
_QUOTED = patterns.compile(
    "\u201c([^\u201c\u201d\n]{1,160})\u201d|\u201e([^\u201e\u201c\u201d\n]{1,160})[\u201c\u201d]"
    '|\u00ab\\s*([^\u00ab\u00bb\n]{1,160}?)\\s*\u00bb|"([^"\n]{1,160})"'
    "|(?<!\\w)'([^'\n]{2,160})'(?!\\w)|(?<!\\w)\u2018([^\u2018\u2019\n]{2,160})\u2019(?!\\w)"
)
_FILE = patterns.compile(
    rf"(?<![\w.])\w[\w()\-]*(?:\.[\w\-]+)*\.({EXTENSIONS})(?!\w)", patterns.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A word as it is compared and as it was written; `gap` is `STOP` or "," where that stands before it."""

    text: str
    raw: str
    start: int
    gap: str = ""

    @property
    def capital(self) -> bool:
        """Whether it was written with a capital, or has a number in it."""
        return self.raw[:1].isupper()


@dataclass(slots=True)
class Reading:
    """The words of a request; `taken` are the places of those accounted for. `quoted` and `files` are spans
    of places, with an end beyond the last, `sentences` the ends of quotes that end in a full stop; `looks`
    may still be taken at what is alike.
    """

    words: list[Spoken]
    quoted: list[tuple[int, int]] = field(default_factory=list)
    files: list[tuple[int, int]] = field(default_factory=list)
    sentences: set[int] = field(default_factory=set)
    taken: set[int] = field(default_factory=set)
    looks: int = MOST_LOOKS

    def free(self, begin: int, end: int) -> bool:
        """Whether none of these is accounted for."""
        return self.taken.isdisjoint(range(begin, end))

    def take(self, begin: int, end: int) -> None:
        """These are accounted for."""
        self.taken.update(range(begin, end))

    def texts(self, begin: int, end: int) -> list[str]:
        """Words as they are compared."""
        return [one.text for one in self.words[begin:end]]

    def raw(self, begin: int, end: int) -> str:
        """Words as they were written."""
        return " ".join(one.raw for one in self.words[begin:end])

    def at(self, place: int) -> str:
        """The word there; "" beyond the ends and for one that is accounted for."""
        inside = 0 <= place < len(self.words) and place not in self.taken
        return self.words[place].text if inside else ""

    def stopped(self, end: int) -> bool:
        """Whether the quote that ends there ends as a sentence does."""
        return end in self.sentences

    def gap(self, place: int) -> str:
        """What stands before the word there; a stop beyond the end."""
        return self.words[place].gap if place < len(self.words) else STOP

    def said(self) -> tuple[str, list[int]]:
        """All words in one line, and where in it each begins."""
        parts: list[str] = []
        begins: list[int] = []
        length = 0
        for place, word in enumerate(self.words):
            if word.gap:
                parts.append(word.gap)
                length += len(word.gap) + 1
            text = TAKEN if place in self.taken else word.text
            begins.append(length)
            parts.append(text)
            length += len(text) + 1
        return " ".join(parts), begins


def reading_of(request: str) -> Reading:
    """The words of a request, of a very long one those at both ends."""
    text = request
    if len(text) > LONGEST:
        text = f"{request[: LONGEST - _TAIL]}\n{request[-_TAIL:]}"
    spans = [
        (match.start(), match.end(), len(match.group(1)) + 1) for match in _FILE.finditer(text)
    ]
    words: list[Spoken] = []
    before = 0
    for word in words_of(text):
        if any(end - ending < word.start < end for _, end, ending in spans):
            before = word.end
            continue
        gap = _gap(text[before : word.start]) if words else ""
        words.append(Spoken(word.text, text[word.start : word.end], word.start, gap))
        before = word.end
    reading = Reading(words)
    reading.files = [_places(words, begin, end) for begin, end, _ in spans]
    quotes = [(_places(words, *match.span()), match.group()) for match in _QUOTED.finditer(text)]
    reading.quoted = [places for places, _ in quotes]
    reading.sentences = {places[1] for places, quote in quotes if quote[-2:-1] in ".!?\u2026"}
    return reading


def _gap(between: str) -> str:
    if _STOPS.search(between):
        return STOP
    return "," if "," in between or "(" in between or ")" in between else ""


def _places(words: list[Spoken], begin: int, end: int) -> tuple[int, int]:
    """The places of the words of a span of characters."""
    inside = [place for place, word in enumerate(words) if begin <= word.start < end]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)
