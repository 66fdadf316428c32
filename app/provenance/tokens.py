"""Splits a text into typed tokens that compare equal in all formats.

Tokens are equal if they share a key: "w:jas" is a word, "n:5" a number, "d:1990-01-05" a day,
"md:01-05" one without a year, "my:1990-01" a month, "t:14:00" a time, "p:301234567" a telephone or
account number, "e:" a mail address, "u:" a web address.
"""

import unicodedata
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from app.provenance import spellings
from app.text import patterns

NONE: frozenset[str] = frozenset()
_REMEMBERED = 8_192  # texts; about four observations of the largest page


@dataclass(frozen=True, slots=True)
class Token:
    """`parts` are keys of partial values: the year of a date, the 5 of "5kg".

    `start` and `end` are offsets in the scanned text. `parted`: punctuation precedes it.
    """

    keys: frozenset[str]
    start: int
    end: int
    kind: str = "word"
    parts: frozenset[str] = NONE
    parted: bool = False


@dataclass(frozen=True, slots=True)
class Scan:
    """A text and its tokens. `spans` are values of several words ("twenty-five", "in 3 days"): first
    token, last token, keys.
    """

    text: str
    tokens: tuple[Token, ...]
    spans: tuple[tuple[int, int, frozenset[str]], ...] = ()

    def excerpt(self, first: int, last: int) -> str:
        return self.text[self.tokens[first].start : self.tokens[last].end]

    def word(self, at: int) -> str:
        return fold(self.text[self.tokens[at].start : self.tokens[at].end])


_UNSPACED = r"[\u0e00-\u0e7f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
_ENDINGS = "com|org|net|edu|gov|int|info|biz|io|app|dev|[a-z]{2}"
_KINDS = {
    "url": r"""https?://[^\s<>"'\u201d\u2019]+|www\.[^\s<>"'\u201d\u2019]+""",
    "site": rf"""(?<![\w@.-])[\w-]*[^\W\d_][\w-]*\.(?:[\w-]+\.)*(?:{_ENDINGS})
        (?:/[^\s<>"'\u201d\u2019]*)?(?![\w@])""",
    "email": r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+",
    "date": spellings.DATE_PATTERN,
    "time": spellings.TIME,
    "phone": r"(?<![\w.])\+?\(?\d(?:[ \u00a0().\-/]{0,2}\d){6,18}(?![\w])",
    "number": spellings.NUMBER_PATTERN,
    "sign": _UNSPACED,
    "word": rf"(?:(?!{_UNSPACED})[^\W_])+(?:[_'\u2019\u02bc\u05f3\u05f4][^\W_]+)*",
}
_TOKEN_FLAGS = patterns.VERBOSE | patterns.IGNORECASE
_TOKEN = patterns.compile(
    "|".join(f"(?P<{kind}>{regex})" for kind, regex in _KINDS.items()), _TOKEN_FLAGS
)
# A pattern without groups is ten times faster; most tokens are words, which need none.
_ANY_TOKEN = patterns.compile("|".join(f"(?:{regex})" for regex in _KINDS.values()), _TOKEN_FLAGS)
_NUMBER = patterns.compile(spellings.NUMBER_PATTERN, patterns.VERBOSE)
# Cyrillic letters keep their marks, which distinguish letters.
_MARKS = patterns.compile("(?<![\u0400-\u04ff])[\u0300-\u036f]|[\u0591-\u05c7\u064b-\u065f]")
_APOSTROPHES = patterns.compile("['\u2019\u02bc\u05f3\u05f4]")
_PARTING = patterns.compile(r"[^\s\w'\u2019_@#$€£₪%&+*/\\-]|\n")
_UNIT = patterns.compile(r"(\d{1,9})(?:st|nd|rd|th|er|[^\W\d_]{1,3})")
_HEBREW = patterns.compile("[ולבהמשכ]([\u05d0-\u05ea]{3,})")
_CYRILLIC = patterns.compile(
    "([\u0430-\u044f\u0451]{3,}?)(?:ом|ем|ой|ей|ым|им|ого|ему|ому|[аеёиоуыэюяьй])"  # noqa: RUF001
)


def normalize(text: str) -> str:
    """Convert to compatibility form, with a blank for the `T` of ISO times."""
    text = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return patterns.sub(r"(?<=\d)T(?=\d\d:)", " ", text)


@lru_cache(maxsize=_REMEMBERED)
def fold(text: str) -> str:
    """Lower the case and remove accents and vowel points; other scripts keep their marks."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFC", _MARKS.sub("", plain))


@lru_cache(maxsize=_REMEMBERED)
def scan_text(text: str, today: date | None = None) -> Scan:
    """Tokenize the text. With `today`, relative days and days without a year get dates as well."""
    plain = normalize(text)
    found: list[Token] = []
    at = 0
    while (match := _ANY_TOKEN.search(plain, at)) is not None:
        found.append(_token(match, plain, at, today))
        at = found[-1].end
    words = [fold(plain[t.start : t.end]) if t.kind in ("word", "number") else "" for t in found]
    spelled = tuple(spellings.spelled_numbers(words))
    for place in (place for first, last, _ in spelled for place in range(first, last + 1)):
        # "twenty" in "twenty-five" is not a separate number.
        keys = frozenset(key for key in found[place].keys if not key.startswith("n:"))
        found[place] = replace(found[place], keys=keys)
    for place, token in enumerate(found):
        if hours := spellings.hour_keys(words[place], words[place - 1] if place else ""):
            found[place] = replace(token, parts=token.parts | hours)
    return Scan(plain, tuple(found), (*spelled, *spellings.relative_days(words, today)))


def _token(match: patterns.Match, text: str, before: int, today: date | None) -> Token:
    matched, start = match[0], match.start()
    kind = "word" if matched.isascii() and matched.isalpha() else _kind(text, start)
    between = text[before:start]
    parted = between != " " and _PARTING.search(between) is not None
    keys, parts = _keys(kind, matched, today)
    return Token(keys, start, start + len(matched), kind, parts, parted)


def _kind(text: str, start: int) -> str:
    match = _TOKEN.match(text, start)
    kind = next(kind for kind in _KINDS if match[kind]) if match else "word"
    return "url" if kind == "site" else kind


def _keys(kind: str, text: str, today: date | None) -> tuple[frozenset[str], frozenset[str]]:
    match kind:
        case "date":
            return spellings.day_keys(text, today)
        case "time":
            return spellings.time_keys(text)
        case "phone":
            counted = spellings.number_keys(text) if _NUMBER.fullmatch(text) else NONE
            return spellings.phone_keys(text) | counted, spellings.digit_groups(text)
        case "number":
            return spellings.number_keys(text), NONE
        case "email":
            return frozenset({f"e:{text.casefold()}"}), NONE
        case "url":
            return frozenset({f"u:{bare_address(text)}"}), NONE
    return _word(text)


def bare_address(url: str) -> str:
    """Remove scheme, "www.", trailing slash and trailing punctuation."""
    bare = patterns.sub(r"^(?:https?://)?(?:www\.)?", "", url.casefold())
    return bare.rstrip(".,;:!?)]").rstrip("/")


@lru_cache(maxsize=_REMEMBERED)
def _word(text: str) -> tuple[frozenset[str], frozenset[str]]:
    whole = fold(text)
    word = _APOSTROPHES.sub("", whole)
    keys = {f"w:{word}"}
    head, *tail = _APOSTROPHES.split(whole)
    if tail and len(tail[-1]) <= 3 and len(head) > 1:  # "Jas's", "Ankara'ya"
        keys.add(f"w:{head}")
    for pattern in (_HEBREW, _CYRILLIC):
        if stem := pattern.fullmatch(word):
            keys.add(f"w:{stem[1]}")
    if number := spellings.number_word(word):
        keys.add(f"n:{number}")
    unit = _UNIT.fullmatch(word)
    return frozenset(keys), frozenset({f"n:{int(unit[1])}"}) if unit else NONE
