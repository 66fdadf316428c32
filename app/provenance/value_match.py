"""Finds values in texts in any format, and weighs whether a match is evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.provenance.sources import GIVEN_ORIGINS, Source
from app.provenance.tokens import NONE, Scan, Token, fold
from app.text import patterns
from app.text.value_words import COMMON, DATE_PARTS, EXAMPLE, GLUE, INTRODUCING

_NEAR = 5  # tokens between a field's label and its value
_LEAST_DIGITS = 5  # digits from which a number is evidence without a label
_LONGEST = 40  # tokens; a longer value is not searched in parts
_CODE = 6  # letters and digits from which a code does not match by chance
_SHORTEST = 3  # letters from which a word does not match by chance
_VALUE_MARK = patterns.compile("(?:[:=\u2192]|[\"'\u2018\u201c\u201e\u00ab\u2039`])\\s*$")
FACTS = frozenset({"date", "time", "phone", "email", "url", "number"})

Scanned = Sequence[tuple[Source, Scan]]


@dataclass(frozen=True)
class SearchedValue:
    """A value to search for, with the words of its field's label."""

    text: str
    scan: Scan
    label: frozenset[str] = frozenset()

    @property
    def is_common(self) -> bool:
        tokens = self.scan.tokens
        return all(t.kind == "word" and self.scan.word(i) in COMMON for i, t in enumerate(tokens))


def needles(scan: Scan, places: Sequence[int]) -> frozenset[str]:
    """Return folded strings that a text must contain to be worth scanning; a page has thousands.

    They are beginnings of words without other spellings and of the longest word; otherwise digits
    of numbers.
    """
    words = {at: scan.word(at) for at in places if scan.tokens[at].kind == "word"}
    if words:
        starts = {word[:_SHORTEST] for at, word in words.items() if len(scan.tokens[at].keys) == 1}
        return frozenset(starts | {max(words.values(), key=len)[:_SHORTEST]})
    is_number = all(scan.tokens[at].kind in ("number", "phone") for at in places)
    digits = "".join(scan.word(at) for at in places) if is_number else ""
    return frozenset(digits) & frozenset("123456789")


def find_value(searched: SearchedValue, source: Source, scan: Scan) -> str | None:
    """Return the excerpt that contains the value, if its context makes it evidence."""
    if not searched.scan.tokens:  # symbols only, which have no other spelling
        marks = patterns.escape(searched.text.strip())
        signs = patterns.search(rf"(?<!\w){marks}(?!\w)", scan.text)
        return signs[0] if signs else None
    places = (
        *find_places(searched.scan.tokens, scan, searched.label),
        *_find_grouped_code(searched.text, scan),
    )
    evident = (place for place in places if _is_evidence(searched, source, scan, *place))
    return next((scan.excerpt(*place) for place in evident), None)


def _find_grouped_code(value: str, scan: Scan) -> Iterator[tuple[int, int]]:
    """Find a code in groups: "DE89 3704 0044" for "DE8937040044", "SAVE-20" for "SAVE20"."""
    code = _letters(value)
    if len(code) < _CODE or not any(map(str.isdigit, code)) or " " in value:
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


def find_places(
    value: Sequence[Token], scan: Scan, label: frozenset[str]
) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of each run of the text's tokens that equals the value."""
    size, text = len(value), scan.tokens
    for at in range(len(text) - size + 1):
        if all(value[i].keys & text[at + i].keys for i in range(size)):
            yield at, at + size - 1
    if size == 1:
        yield from ((first, last) for first, last, keys in scan.spans if value[0].keys & keys)
        for at, token in enumerate(text):
            if any(_is_piece(key, token, label) for key in value[0].keys & token.parts):
                yield at, at


def _is_piece(key: str, token: Token, label: frozenset[str]) -> bool:
    """Whether the part may match alone; the day of a date is not a number of guests."""
    is_part = token.kind in ("date", "time") and key.startswith(("n:", "s:"))
    return not is_part or bool(label & DATE_PARTS)


def _is_evidence(
    searched: SearchedValue, source: Source, scan: Scan, first: int, last: int
) -> bool:
    """Whether the match is evidence rather than chance.

    The person's words are evidence; a value of common words must be given as a value. In running
    text and on pages, a small number must be beside the field's label.
    """
    if source.origin == "page" and _is_example(scan, first):
        return False
    is_all = first == 0 and last == len(scan.tokens) - 1
    if is_all and source.origin in GIVEN_ORIGINS:
        return True
    if _is_given(scan, first) or _is_near(searched, scan, first, last):
        return True
    word = searched.scan.word(0) if source.origin not in GIVEN_ORIGINS else ""
    if word and len(searched.scan.tokens) == 1:  # common on pages by chance
        is_number = searched.scan.tokens[0].kind == "number"
        if len(word) < _SHORTEST or (is_number and sum(map(str.isdigit, word)) < _LEAST_DIGITS):
            return False
    return not searched.is_common


def _is_given(scan: Scan, first: int) -> bool:
    """Whether the text gives the token as a value: quoted, after a colon, "to" or "as"."""
    token = scan.tokens[first]
    if _VALUE_MARK.search(scan.text[max(0, token.start - 4) : token.start]):
        return True
    return first > 0 and not token.parted and scan.word(first - 1) in INTRODUCING


def _is_near(searched: SearchedValue, scan: Scan, first: int, last: int) -> bool:
    """Whether a word of the label is just before the match, or right after it in the same phrase."""
    around = (*range(max(0, first - _NEAR), first), last + 1, last + 2)
    return any(scan.word(at) in searched.label for at in around if at < len(scan.tokens))


def _is_example(scan: Scan, first: int) -> bool:
    """Whether the match is only an example: "e.g. john@example.com"."""
    preceding = fold(scan.text[max(0, scan.tokens[first].start - 24) : scan.tokens[first].start])
    words = [patterns.sub(r"\W", "", word) for word in preceding.split()]
    return any("".join(words[-size:]) in EXAMPLE for size in (1, 2, 3))


def contains_token(value: Scan, at: int, text: Scan) -> bool:
    """Whether the text has the value's token anywhere, even as a part of another."""
    keys = value.tokens[at].keys
    shared_keys = (keys & (token.keys | token.parts) for token in text.tokens)
    return any(shared_keys) or any(keys & more for _, _, more in text.spans)


def is_fact(scan: Scan, at: int) -> bool:
    """Whether the token is a number, date or address, or has a digit."""
    return scan.tokens[at].kind in FACTS or any(map(str.isdigit, scan.word(at)))


def find_composed(
    value: Scan, sources: Scanned, labels: frozenset[str], *, freely: bool = False
) -> tuple[Source, str] | None:
    """Return the first part's source and all excerpts of a value composed of given parts.

    Parts are as long as possible, and complete if another follows: "John Smith and Peter Brown"
    does not give "John Brown". `labels` are words that separate values; `freely` is for queries.
    Small words may join parts.
    """
    size, at = len(value.tokens), 0
    parts: list[tuple[Source, str]] = []
    while at < size <= _LONGEST:
        runs = (
            (source, scan, end, *place)
            for end in range(size, at, -1)
            for source, scan in sources
            for place in find_places(value.tokens[at:end], scan, NONE)
        )
        for source, scan, end, first, last in runs:
            begins = at == 0 or _is_border(scan, first, first - 1, labels)
            ends = end == size or _is_border(scan, last, last + 1, labels)
            if freely or (begins and ends):
                parts.append((source, scan.excerpt(first, last)))
                at = end
                break
        else:
            if value.word(at) not in GLUE:
                return None
            at += 1
    return (parts[0][0], " … ".join(excerpt for _, excerpt in parts)) if parts else None


def _is_border(scan: Scan, own: int, next_to: int, labels: frozenset[str]) -> bool:
    """Whether no adjacent token belongs to this one."""
    if not 0 <= next_to < len(scan.tokens) or scan.tokens[max(own, next_to)].parted:
        return True
    if scan.word(next_to) in COMMON | labels:
        return True
    return scan.tokens[own].kind in FACTS or scan.tokens[next_to].kind in FACTS
