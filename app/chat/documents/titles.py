"""The titles of a tenant, ready for being looked up in a message, and the words that both are compared by."""

import unicodedata
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

from app.domain.chat import DocumentRef, Evidence
from app.domain.knowledge import DocumentTitle
from app.text import patterns

_JOINTS = patterns.compile(
    r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z]{3})(?=\d)|(?<=[A-Z])(?=[A-Z][a-z]{2})"
    r"|(?<=\d)(?=[A-Za-z]{2})"
)
_WORD = patterns.compile(r"[vV]?\d+(?:\.\d+)+|[^\W_]+")
_POINT = "\ua78f"  # a letter that stands for the point of "3.1", which is one word
_POINTS = patterns.compile(r"(?<=\d)\.(?=\d)")
_VERSION = patterns.compile(r"\bv(?=\d)")  # "v2" is version 2
_NO_WORD = patterns.compile(r"[^\w\n]|_")
_ZEROS = patterns.compile(r"\b0+(?=\d)")  # "ADR-007" is ADR 7
_APOSTROPHES = patterns.compile(r"(?<=\w)['\u2019](?=\w)")
EXTENSIONS = "pdf|docx?|odt|rtf|txt|md|markdown|html?|xlsx?|ods|csv|tsv|pptx?|odp|epub|json|xml|png|jpe?g|eml"
_EXTENSION = patterns.compile(rf"\.(?:{EXTENSIONS})$", patterns.IGNORECASE | patterns.MULTILINE)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: as it is compared, and where it stands there."""

    text: str
    start: int
    end: int


def fold_text(text: str) -> str:
    """Lower case, without accents and marks. Its length may differ from that of the text."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text)
    return "".join(one for one in apart if not unicodedata.combining(one)).casefold()


def lines_of_words(lines: list[str]) -> list[list[str]]:
    """The words of each line, without its file extension; all at once, since there may be thousands."""
    if not lines:
        return []
    text = "\n".join(lines)
    if text.count("\n") >= len(lines):  # one of them is of more lines itself
        text = "\n".join(" ".join(line.split()) for line in lines)
    text = _EXTENSION.sub("", text)
    text = _APOSTROPHES.sub("", fold_text(_JOINTS.sub(" ", _POINTS.sub(_POINT, text))))
    text = _ZEROS.sub("", _VERSION.sub("", _NO_WORD.sub(" ", text)))
    return [line.split() for line in text.split("\n")]


def message_words(text: str) -> list[Word]:
    """The words of a message with their places in it; "BankNegara2024" is three of them."""
    found = []
    for match in _WORD.finditer(_APOSTROPHES.sub("\u02bc", text)):
        begin = match.start()
        for piece in _JOINTS.sub("\n", match.group()).split("\n"):
            end = begin + len(piece)
            found.append(Word(_compared(piece), begin, end))
            begin = end
    return [word for word in found if word.text]


def _compared(piece: str) -> str:
    text = _POINTS.sub(_POINT, fold_text(piece).replace("\u02bc", "").replace(";", ""))
    return _ZEROS.sub("", _VERSION.sub("", text))


ALIKE = 85.0  # of 100: what the source design takes for the same title
FEWEST = 2  # words that name a document without quotes: a single one may mean anything
_MOST_KEPT = 8  # tenants whose titles stay ready in this process
_CLOSE = 0.5  # of the best title's share: what has less is another document
_BEGINNING = 5  # letters by which words are likened: endings tell number and case
_QUOTED = patterns.compile(
    "\u201c([^\u201c\u201d]{1,300})[\u201d\u201c]|\u201e([^\u201e\u201c\u201d]{1,300})[\u201c\u201d]"
    '|\u00ab([^\u00ab\u00bb]{1,300})\u00bb|"([^"]{1,300})"'
)


@dataclass(frozen=True, slots=True)
class NamedTitle:
    """A title that stands in a text: from where to where, which documents have it, and whether in quotes."""

    start: int
    end: int
    places: tuple[int, ...]
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Titles:
    """What is looked up. `lines` are the words of each title, in the order of `all`, each after a space;
    `exact` finds titles, and names of files, by all of them, `starting` says how many words the longest has
    that begins with this one, `having` finds them by the beginning of any.
    """

    all: Sequence[DocumentTitle]
    lines: list[str]
    exact: dict[str, list[int]]
    starting: dict[str, int]
    having: dict[str, set[int]]
    places: dict[str, int]

    def place(self, document_id: str) -> int | None:
        """Where the document stands in `all`; None if it is not the tenant's."""
        return self.places.get(document_id)

    def find_named(self, text: str) -> list[NamedTitle]:
        """The titles that stand in the text word for word, the longest first; those of a single word only in
        quotes, or if the text is nothing else.
        """
        quotes = [one.span() for one in _QUOTED.finditer(text)]
        words = message_words(text)
        found: list[NamedTitle] = []
        at = 0
        while at < len(words):
            named, count = self._longest(words, at, quotes) or (None, 1)
            if named is not None:
                found.append(named)
            at += count
        return found

    def _longest(
        self, words: Sequence[Word], at: int, quotes: Sequence[tuple[int, int]]
    ) -> tuple[NamedTitle, int] | None:
        for count in range(self.starting.get(words[at].text, 0), 0, -1):
            said = words[at : at + count]
            places = self.exact.get(" ".join(one.text for one in said))
            if len(said) < count or not places:
                continue
            start, end = said[0].start, said[-1].end
            quoted = any(
                first <= start <= first + 2 and last - 2 <= end <= last for first, last in quotes
            )
            if quoted or count >= FEWEST or len(words) == count:
                return NamedTitle(start, end, tuple(places), quoted), count
        return None

    def find_similar(self, text: str) -> list[int]:
        """The titles that the text, a name by itself, may misspell or be a part of, most similar first."""
        said = [one.text for one in message_words(text)]
        if not said:
            return []
        within = [
            at for at, line in enumerate(self.lines) if all(f" {one}" in line for one in said)
        ]
        if within:
            return within
        near = process.extract(
            " " + " ".join(said), self.lines, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=8
        )
        return [place for _, _, place in near]

    def rank_likely(self, text: str, most: int, *, fill: bool = True) -> list[int]:
        """The titles that share most words with the text, rare ones counting more. With `fill` others follow,
        newest first; without it only those close to the best count.
        """
        scores: dict[int, float] = {}
        for word in {one.text[:_BEGINNING] for one in message_words(text)}:
            places = self.having.get(word, set())
            for place in places:
                scores[place] = scores.get(place, 0.0) + 1.0 / len(places)
        best = sorted(scores, key=lambda place: (-scores[place], place))[:most]
        if not fill:
            return [place for place in best if scores[place] >= _CLOSE * scores[best[0]]]
        rest = (place for place in range(len(self.all)) if place not in scores)
        return [*best, *(place for place, _ in zip(rest, range(most - len(best)), strict=False))]


def index_titles(titles: Sequence[DocumentTitle]) -> Titles:
    """The index, cached as long as the titles are the same object, as those of one version are."""
    kept = _kept.get(id(titles))
    if kept is not None and kept.all is titles:
        return kept
    made = _made(titles)
    _kept[id(titles)] = made
    while len(_kept) > _MOST_KEPT:
        _kept.popitem(last=False)
    return made


_kept: OrderedDict[int, Titles] = OrderedDict()


def _made(titles: Sequence[DocumentTitle]) -> Titles:
    words = lines_of_words([one.title for one in titles])
    exact: dict[str, list[int]] = {}
    starting: dict[str, int] = {}
    having: dict[str, set[int]] = {}
    for place, line in (*enumerate(words), *_files(titles)):
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


def _files(titles: Sequence[DocumentTitle]) -> Iterator[tuple[int, list[str]]]:
    """The words of file names, with the place of the title."""
    named = {
        place: one.source.replace("\\", "/").rpartition("/")[2]
        for place, one in enumerate(titles)
        if one.source and "://" not in one.source and one.source != one.title
    }
    return zip(named, lines_of_words(list(named.values())), strict=True)


@dataclass(frozen=True, slots=True)
class Listing:
    """`titles` are all that the tenant has, newest first; `registry` those that this conversation was about,
    title to id, the latest last; `last` those of its last turn.
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
        """Those of these documents that the tenant has, each once, under their current titles."""
        places = (self.ready.place(one) for one in dict.fromkeys(ids))
        return self.refs(place for place in places if place is not None)


def document_ref(one: DocumentTitle | Evidence) -> DocumentRef:
    return DocumentRef(id=one.document_id, title=one.title)
