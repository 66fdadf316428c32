"""Looks up a tenant's titles in messages, and the words by which both are compared."""

import unicodedata
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from rapidfuzz import fuzz, process

from app.domain.chat import DocumentRef, Evidence
from app.domain.knowledge import DocumentTitle
from app.text import patterns

_JOINTS = patterns.compile(
    r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z]{3})(?=\d)|(?<=[A-Z])(?=[A-Z][a-z]{2})"
    r"|(?<=\d)(?=[A-Za-z]{2})"
)
_WORD = patterns.compile(r"[vV]?\d+(?:\.\d+)+|[^\W_]+")
_POINT = "\ua78f"  # a letter that replaces the point of "3.1", which is one word
_POINTS = patterns.compile(r"(?<=\d)\.(?=\d)")
_VERSION = patterns.compile(r"\bv(?=\d)")  # "v2" is version 2
_NO_WORD = patterns.compile(r"[^\w\n]|_")
_ZEROS = patterns.compile(r"\b0+(?=\d)")  # "ADR-007" is ADR 7
_APOSTROPHES = patterns.compile(r"(?<=\w)['\u2019](?=\w)")
EXTENSIONS = "pdf|docx?|odt|rtf|txt|md|markdown|html?|xlsx?|ods|csv|tsv|pptx?|odp|epub|json|xml|png|jpe?g|eml"
_EXTENSION = patterns.compile(rf"\.(?:{EXTENSIONS})$", patterns.IGNORECASE | patterns.MULTILINE)


@dataclass(frozen=True, slots=True)
class Word:
    """A word as compared, and its position in the text."""

    text: str
    start: int
    end: int


def fold_text(text: str) -> str:
    """Convert to lower case without accents, which may change the length."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(one for one in decomposed if not unicodedata.combining(one)).casefold()


def lines_of_words(lines: list[str]) -> list[list[str]]:
    """The words of each line, without file extensions; processed together, since there may be thousands."""
    if not lines:
        return []
    text = "\n".join(lines)
    if text.count("\n") >= len(lines):  # a line contains line breaks
        text = "\n".join(" ".join(line.split()) for line in lines)
    text = _EXTENSION.sub("", text)
    text = _APOSTROPHES.sub("", fold_text(_JOINTS.sub(" ", _POINTS.sub(_POINT, text))))
    text = _ZEROS.sub("", _VERSION.sub("", _NO_WORD.sub(" ", text)))
    return [line.split() for line in text.split("\n")]


def message_words(text: str) -> list[Word]:
    """The words of a message; "BankNegara2024" counts as three."""
    found = []
    for match in _WORD.finditer(_APOSTROPHES.sub("\u02bc", text)):
        start = match.start()
        for piece in _JOINTS.sub("\n", match.group()).split("\n"):
            end = start + len(piece)
            found.append(Word(_fold_word(piece), start, end))
            start = end
    return [word for word in found if word.text]


def _fold_word(piece: str) -> str:
    text = _POINTS.sub(_POINT, fold_text(piece).replace("\u02bc", "").replace(";", ""))
    return _ZEROS.sub("", _VERSION.sub("", text))


ALIKE = 85.0  # of 100; similarity of the same title, as in the source design
FEWEST = 2  # words that name a document without quotes; a single word is ambiguous
_MOST_CACHED = 8  # tenants
_CLOSE = 0.5  # minimum share of the best title's score
_BEGINNING = 5  # letters of words that are compared; endings express number and case
_QUOTED = patterns.compile(
    "\u201c([^\u201c\u201d]{1,300})[\u201d\u201c]|\u201e([^\u201e\u201c\u201d]{1,300})[\u201c\u201d]"
    '|\u00ab([^\u00ab\u00bb]{1,300})\u00bb|"([^"]{1,300})"'
)


@dataclass(frozen=True, slots=True)
class NamedTitle:
    """A title found in a text: its position, the documents that have it, and whether it is quoted."""

    start: int
    end: int
    places: tuple[int, ...]
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Titles:
    """An index of titles and file names; places are indexes into `all`.

    `lines` holds the words of each title, each after a space. `exact` maps all words of a title to its
    places, `starting` a first word to the number of words of the longest such title, `having` the beginning
    of any word to the places.
    """

    all: Sequence[DocumentTitle]
    lines: list[str]
    exact: dict[str, list[int]]
    starting: dict[str, int]
    having: dict[str, set[int]]
    places: dict[str, int]

    def place(self, document_id: str) -> int | None:
        """The place of the document; None if the tenant does not have it."""
        return self.places.get(document_id)

    def find_named(self, text: str) -> list[NamedTitle]:
        """The titles that are exactly in the text, preferring longer ones. Titles of a single word count only
        in quotes, or if the text consists of it.
        """
        quotes = [quote.span() for quote in _QUOTED.finditer(text)]
        words = message_words(text)
        found: list[NamedTitle] = []
        at = 0
        while at < len(words):
            title, count = self._longest(words, at, quotes) or (None, 1)
            if title is not None:
                found.append(title)
            at += count
        return found

    def _longest(
        self, words: Sequence[Word], at: int, quotes: Sequence[tuple[int, int]]
    ) -> tuple[NamedTitle, int] | None:
        """The longest title that begins with this word, and its number of words."""
        for count in range(self.starting.get(words[at].text, 0), 0, -1):
            run = words[at : at + count]
            places = self.exact.get(" ".join(word.text for word in run))
            if len(run) < count or not places:
                continue
            start, end = run[0].start, run[-1].end
            quoted = any(
                first <= start <= first + 2 and last - 2 <= end <= last for first, last in quotes
            )
            if quoted or count >= FEWEST or len(words) == count:
                return NamedTitle(start, end, tuple(places), quoted), count
        return None

    def find_similar(self, text: str) -> list[int]:
        """The titles of which the text is a part, else those that it may misspell, most similar first."""
        words = [word.text for word in message_words(text)]
        if not words:
            return []
        containing = [
            at for at, line in enumerate(self.lines) if all(f" {word}" in line for word in words)
        ]
        if containing:
            return containing
        similar = process.extract(
            " " + " ".join(words), self.lines, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=8
        )
        return [place for _, _, place in similar]

    def rank_likely(self, text: str, limit: int, *, fill: bool = True) -> list[int]:
        """The titles that share words with the text, weighted by rarity, best first. With `fill` the others
        follow, newest first; without it only those close to the best are returned.
        """
        scores: dict[int, float] = {}
        for word in {one.text[:_BEGINNING] for one in message_words(text)}:
            places = self.having.get(word, set())
            for place in places:
                scores[place] = scores.get(place, 0.0) + 1.0 / len(places)
        best = sorted(scores, key=lambda place: (-scores[place], place))[:limit]
        if not fill:
            return [place for place in best if scores[place] >= _CLOSE * scores[best[0]]]
        rest = (place for place in range(len(self.all)) if place not in scores)
        return [*best, *islice(rest, limit - len(best))]


_cache: OrderedDict[int, Titles] = OrderedDict()


def index_titles(titles: Sequence[DocumentTitle]) -> Titles:
    """The index, cached by identity of the titles, which stay the same object while their version does."""
    cached = _cache.get(id(titles))
    if cached is not None and cached.all is titles:
        return cached
    index = _cache[id(titles)] = _build_index(titles)
    while len(_cache) > _MOST_CACHED:
        _cache.popitem(last=False)
    return index


def _build_index(titles: Sequence[DocumentTitle]) -> Titles:
    words = lines_of_words([title.title for title in titles])
    exact: dict[str, list[int]] = {}
    starting: dict[str, int] = {}
    having: dict[str, set[int]] = {}
    for place, line in (*enumerate(words), *_file_names(titles)):
        for word in line:
            having.setdefault(word[:_BEGINNING], set()).add(place)
        if line and place not in (same := exact.setdefault(" ".join(line), [])):
            same.append(place)
            starting[line[0]] = max(starting.get(line[0], 0), len(line))
    return Titles(
        all=titles,
        lines=[" " + " ".join(line) for line in words],
        exact=exact,
        starting=starting,
        having=having,
        places={one.document_id: place for place, one in enumerate(titles)},
    )


def _file_names(titles: Sequence[DocumentTitle]) -> Iterator[tuple[int, list[str]]]:
    """The words of file names with the places of their documents."""
    names = {
        place: title.source.replace("\\", "/").rpartition("/")[2]
        for place, title in enumerate(titles)
        if title.source and "://" not in title.source and title.source != title.title
    }
    return zip(names, lines_of_words(list(names.values())), strict=True)


@dataclass(frozen=True, slots=True)
class Listing:
    """The tenant's `titles`, newest first; the `registry` of documents that the conversation was about, title
    to id, the latest last; and the documents of its `last` turn.
    """

    titles: Sequence[DocumentTitle] = ()
    registry: Mapping[str, str] = field(default_factory=dict)
    last: tuple[DocumentRef, ...] = ()

    @property
    def ready(self) -> Titles:
        return index_titles(self.titles)

    def refs(self, places: Iterable[int]) -> tuple[DocumentRef, ...]:
        return tuple(document_ref(self.titles[place]) for place in places)

    def registered(self, ids: Iterable[str]) -> tuple[DocumentRef, ...]:
        """The documents that the tenant has, each once, with their current titles."""
        places = (self.ready.place(one) for one in dict.fromkeys(ids))
        return self.refs(place for place in places if place is not None)


def document_ref(one: DocumentTitle | Evidence) -> DocumentRef:
    return DocumentRef(id=one.document_id, title=one.title)
