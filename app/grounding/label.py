"""A label or phrase in normalized forms that compare equal for the same meaning."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from app.text import patterns
from app.text.vocabulary import entries, section, vocabulary

# Each line is one meaning; any spelling on it can stand for any other.
MEANINGS = entries("grounding.meanings.of")
# What a picture stands for when it is the whole label.
SYMBOLS: Mapping[str, str] = {
    sign: meaning for meaning, signs in section("grounding.symbols").items() for sign in signs
}
# Words for the sort of thing, said by a person or added by a page, that do not tell things apart.
ROLE_WORDS = vocabulary("grounding.roles")
STOP_WORDS = vocabulary("grounding.small")
# Sorts of record that a person says before its own name: "user Ann", "ticket 12".
RECORD_NOUNS = vocabulary("grounding.sorts")
# What a button says first that hands in the form it is in, and one that does something else.
SENDS, LEAVES = vocabulary("grounding.sends"), vocabulary("grounding.leaves")
# Words that name a sort of container and nothing more.
CONTAINER_KINDS: Mapping[str, frozenset[str]] = {
    kind: frozenset(words) for kind, words in section("grounding.containers").items()
}


@cache
def meanings() -> Mapping[str, str]:
    """Spelling -> the first spelling of its line."""
    table: dict[str, str] = {}
    for line in MEANINGS:
        spellings = line.split("|")
        for spelling in spellings:
            table.setdefault(spelling, spellings[0])
    return table


@cache
def opposites() -> frozenset[tuple[str, str]]:
    """Pairs of words that exclude each other, in both orders."""
    pairs = (pair.split("|") for pair in entries("grounding.opposites.of"))
    return frozenset(both for a, b in pairs for both in ((a, b), (b, a)))


_WORD = patterns.compile(r"[^\W_]+")
_APOSTROPHE = patterns.compile("['`\u2019\u00b4]")
# A count, a note or a key behind a label: "Cart (3)", "City (optional)", "Play (k)", "Save Ctrl+S".
_NOTE = patterns.compile(
    r"[(\[]\s*(?:[\d.,+]+|optional|required|[a-z])\s*[)\]]", patterns.IGNORECASE
)
_SHORTCUT = patterns.compile(
    r"\s*\(?\s*(?:(?:ctrl|control|alt|option|shift|cmd|command|meta)\s*[+\-]\s*|[⌘⌥⇧⌃^]\s*\+?\s*)+\S{1,9}\)?\s*$",
    patterns.IGNORECASE,
)
_CAMEL = patterns.compile(r"(?<=[a-z])(?=[A-Z])")
_LONGEST_MEANING = 3  # words, in `lexicon.MEANINGS`
_LONGEST = 1_000  # characters; a label has 80, and what a field holds is compared by its beginning
_CACHE = 16_384  # labels; about eight of the largest trees allowed

STOP_WEIGHT = 0.15  # "of" tells less than a sixth of what a content word does
NUMBER_WEIGHT = 0.6  # counts and dates a page adds to a label


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """One text in the forms that are compared. Cached by `label`, so equal by identity.

    `cased` and `literal` keep punctuation, `cased` also capitals. `folded` has words only. `words`
    omits decorations and role words; `bare` and `joined` are these words with and without blanks.
    `stems` and `meanings` follow `words` (one meaning may span several), `weights` follow
    `meanings`.
    """

    cased: str
    literal: str
    folded: str
    bare: str
    joined: str
    words: tuple[str, ...]
    stems: frozenset[str]
    meanings: tuple[str, ...]
    meaning_set: frozenset[str]
    weights: tuple[float, ...]
    total: float


@lru_cache(maxsize=_CACHE)
def label(text: str) -> Label:
    """The folded shapes of `text`."""
    cased = " ".join(_unaccented(text[:_LONGEST]).split())
    literal = cased.casefold()
    told = _told(_words(_undecorated(cased)) or SYMBOLS.get(literal, "").split())
    meant = _meanings(told)
    weights = tuple(map(_weight, meant))
    return Label(
        cased=cased,
        literal=literal,
        folded=" ".join(_words(cased) or told),
        bare=" ".join(told),
        joined="".join(told),
        words=told,
        stems=frozenset(map(stem, told)),
        meanings=meant,
        meaning_set=frozenset(meant),
        weights=weights,
        total=sum(weights),
    )


@lru_cache(maxsize=_CACHE)
def stem(word: str) -> str:
    """The word without an English plural ending."""
    if len(word) > 4 and word.endswith(("ies", "ie")):  # "cookie", as its plural looks
        return word.removesuffix("s").removesuffix("ie") + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _unaccented(text: str) -> str:
    decomposed = text if text.isascii() else unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c) and c != "\ufe0f")


def _undecorated(text: str) -> str:
    """Without notes and a trailing keyboard shortcut, unless nothing is left."""
    kept = _SHORTCUT.sub("", _NOTE.sub(" ", text))
    return kept if _WORD.search(kept) else text


def _words(text: str) -> list[str]:
    if " " not in text.strip():  # an identifier, as icon names are
        text = _CAMEL.sub(" ", text)
    return _WORD.findall(_APOSTROPHE.sub("", text.casefold() if text.isascii() else text.lower()))


def _told(words: list[str]) -> tuple[str, ...]:
    """The words without role words, unless only numbers or nothing would be left."""
    kept = [word for word in words if word not in ROLE_WORDS]
    return tuple(words if all(word.isdigit() for word in kept) else kept)


def _meanings(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words with known spellings replaced by their meaning, longest first."""
    table, found, at = meanings(), [], 0
    while at < len(words):
        for size in range(min(_LONGEST_MEANING, len(words) - at), 0, -1):
            spelled = words[at : at + size]
            meant = table.get(" ".join(spelled)) or table.get(" ".join(map(stem, spelled)))
            if meant or size == 1:
                found.append(meant or stem(words[at]))
                at += size
                break
    return tuple(found)


def _weight(word: str) -> float:
    if word in STOP_WORDS:
        return STOP_WEIGHT
    return NUMBER_WEIGHT if word.isdigit() else 1.0
