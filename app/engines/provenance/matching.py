"""Whether a text holds a value, in whatever spelling, and whether that says anything."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from app.engines.provenance.sources import GIVEN, Source
from app.engines.provenance.tokens import NONE, Scan, Token, fold
from app.engines.provenance.vocabulary import COMMON, DATE_PARTS, EXAMPLE, INTRODUCING
from app.text import patterns

_NEAR = 5  # tokens between a field's label and the value beside it
_TELLING = 5  # digits from which a number says by itself what it is
_CODE = 6  # letters and digits from which a code is none by chance
_DIGIT = patterns.compile(r"\d")
_SHORTEST = 3  # letters of a word that is no chance
_QUOTES = patterns.compile("[\"'\u2018\u201c\u201e\u00ab\u2039`]\\s*$")
_GIVES = patterns.compile(r"[:=\u2192]\s*[\"'\u2018\u201c\u201e\u00ab`]?\s*$")


@dataclass(frozen=True)
class Wanted:
    """A value to be found: its tokens, and the words of the field it is for."""

    text: str
    scan: Scan
    label: frozenset[str] = frozenset()
    reads: bool = False  # the goal is to read something off the page

    @cached_property
    def needles(self) -> tuple[str, ...]:
        """What a text must have in it, folded, to be worth scanning: a page has thousands."""
        return needles(self.scan, range(len(self.scan.tokens)))

    @property
    def is_common(self) -> bool:
        """Whether each of its words is one that any sentence may hold."""
        tokens = self.scan.tokens
        return all(t.kind == "word" and self.scan.word(i) in COMMON for i, t in enumerate(tokens))

    @property
    def as_one(self) -> frozenset[str]:
        """The keys of a value of several words that is one thing: "twenty-five"."""
        last = len(self.scan.tokens) - 1
        spans = (keys for first, end, keys in self.scan.spans if (first, end) == (0, last))
        return next(spans, NONE)


def needles(scan: Scan, places: Sequence[int]) -> tuple[str, ...]:
    """The beginnings of the words at these places, else the digits of what has no words.

    A word that stands for something else too, a month or a number, may be spelled otherwise: it is
    looked for by its beginning only where it is the longest.
    """
    tokens = [scan.tokens[at] for at in places]
    words = {at: scan.word(at) for at in places if scan.tokens[at].kind == "word"}
    if words:
        plain = [word for at, word in words.items() if len(scan.tokens[at].keys) == 1]
        longest = max(words.values(), key=len)
        return tuple(dict.fromkeys(word[:_SHORTEST] for word in (longest, *plain)))
    years = {key[4:6] for token in tokens for key in token.keys if key.startswith("d:")}
    if len(years) == 1:
        return tuple(years)
    if tokens and all(token.kind in ("number", "phone") for token in tokens):
        said = "".join(scan.word(at) for at in places)
        return tuple({char for char in said if char in "123456789"})
    if len(tokens) == 1 and tokens[0].kind == "email":
        return (scan.word(places[0]).partition("@")[0][:_SHORTEST],)
    return ()


def found(wanted: Wanted, source: Source, scan: Scan) -> str | None:
    """The excerpt that holds the value, where it holds it in a way that tells something."""
    for first, last in _everywhere(wanted, scan):
        if _tells(wanted, source, scan, first, last):
            return scan.excerpt(first, last)
    return None


def _everywhere(wanted: Wanted, scan: Scan) -> Iterator[tuple[int, int]]:
    yield from places(wanted.scan.tokens, scan, wanted.label)
    yield from _grouped(wanted, scan)
    if wanted.as_one:
        yield from places((Token(wanted.as_one, 0, 0),), scan, wanted.label)


def _grouped(wanted: Wanted, scan: Scan) -> Iterator[tuple[int, int]]:
    """A code whose groups stand apart: "DE89 3704 0044" for "DE8937040044", "SAVE-20" for "SAVE20"."""
    code = _letters(wanted.text)
    if len(code) < _CODE or not (_DIGIT.search(code) and code.isalnum() and " " not in wanted.text):
        return
    words = [_letters(scan.word(at)) for at in range(len(scan.tokens))]
    for first, word in enumerate(words):
        joined, last = word, first
        while len(joined) < len(code) and code.startswith(joined) and last + 1 < len(words):
            last += 1
            joined += words[last]
        if joined == code and last > first:
            yield first, last


def _letters(text: str) -> str:
    return patterns.sub(r"[\W_]", "", fold(text))


def places(value: Sequence[Token], scan: Scan, label: frozenset[str]) -> Iterator[tuple[int, int]]:
    """(first, last) of each run of the text's tokens that is the value."""
    size, text = len(value), scan.tokens
    head = value[0].keys if value else NONE
    for at in range(len(text) - size + 1):
        same = head & text[at].keys
        if same and all(value[i].keys & text[at + i].keys for i in range(1, size)):
            yield at, at + size - 1
    if size == 1:
        yield from ((first, last) for first, last, keys in scan.spans if head & keys)
        for at, token in enumerate(text):
            if any(_is_piece(key, token, label) for key in head & token.parts):
                yield at, at


def _is_piece(key: str, token: Token, label: frozenset[str]) -> bool:
    """Whether the piece may stand for itself; the day of a date is none of a number of guests."""
    plain = key.partition(":")[0] in ("n", "s", "m")
    return not plain or token.kind not in ("date", "time") or bool(label & DATE_PARTS)


def _tells(wanted: Wanted, source: Source, scan: Scan, first: int, last: int) -> bool:
    """Whether finding it there is evidence, and not chance.

    What a person said is evidence, unless the value is but words that any sentence holds: then it
    must be given as a value. In running text, and on a page, a small number must stand beside the
    field's own label.
    """
    if source.origin == "page" and _is_example(scan, first):
        return False
    whole = first == 0 and last == len(scan.tokens) - 1
    if (source.whole and whole and source.origin in GIVEN) or _is_given(scan, first):
        return True
    near = _is_near(wanted, scan, first, last)
    if len(wanted.text.strip()) == 1 and wanted.text.strip().isalpha():
        return near
    if near:
        return True
    if source.origin in GIVEN:
        return not wanted.is_common
    if wanted.reads:
        return True
    if source.origin == "page" and _is_word(wanted) and not (source.whole and whole):
        return False
    if _is_small(wanted):
        return False
    return not wanted.is_common


def _is_small(wanted: Wanted) -> bool:
    """Whether it is a number or a bit of a word that is on many a page by chance."""
    if len(wanted.scan.tokens) != 1:
        return False
    said = wanted.scan.word(0)
    digits = sum(char.isdigit() for char in said)
    return (wanted.scan.tokens[0].kind == "number" and digits < _TELLING) or len(said) < _SHORTEST


def _is_word(wanted: Wanted) -> bool:
    """Whether it is one ordinary word: a page has hundreds, and each says something else."""
    said = wanted.text.strip()
    return len(wanted.scan.tokens) == 1 and said.isalpha() and said.islower()


def _is_given(scan: Scan, first: int) -> bool:
    """Whether the text gives it as a value: in quotes, after a colon, "to" or "as"."""
    before = scan.text[max(0, scan.tokens[first].start - 4) : scan.tokens[first].start]
    if _QUOTES.search(before) or _GIVES.search(before):
        return True
    if first == 0 or scan.tokens[first].parted:
        return False
    return scan.word(first - 1) in INTRODUCING


def _is_near(wanted: Wanted, scan: Scan, first: int, last: int) -> bool:
    """Whether a word of the field's label stands just before it, or one after it in its phrase."""
    around = [
        *range(max(0, first - _NEAR), first),
        *range(last + 1, min(len(scan.tokens), last + 3)),
    ]
    return any(scan.word(at) in wanted.label for at in around)


def _is_example(scan: Scan, first: int) -> bool:
    """Whether it only shows a format: "e.g. john@example.com"."""
    before = fold(scan.text[max(0, scan.tokens[first].start - 24) : scan.tokens[first].start])
    words = [patterns.sub(r"\W", "", word) for word in before.split()]
    joined = {"".join(words[-size:]) for size in (1, 2, 3)}
    return bool(joined & EXAMPLE)
