"""Normalizes labels and phrases so that equal meanings compare equal."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from app.text import patterns
from app.text.vocabulary import entries, section, vocabulary

# Each line is one meaning; its spellings are interchangeable.
MEANINGS = entries("grounding.meanings.of")
# Meanings of symbols that are a whole label.
SYMBOLS: Mapping[str, str] = {
    sign: meaning for meaning, signs in section("grounding.symbols").items() for sign in signs
}
# Generic nouns ("button", "field") that do not tell elements apart.
ROLE_WORDS = vocabulary("grounding.roles")
STOP_WORDS = vocabulary("grounding.small")
# Record nouns said before a name: "user Ann", "ticket 12".
RECORD_NOUNS = vocabulary("grounding.sorts")
# First words of buttons that submit their form, and of buttons that leave it.
SENDS, LEAVES = vocabulary("grounding.sends"), vocabulary("grounding.leaves")
# Words that name only a kind of container.
CONTAINER_KINDS: Mapping[str, frozenset[str]] = {
    kind: frozenset(words) for kind, words in section("grounding.containers").items()
}


@cache
def meanings() -> Mapping[str, str]:
    """Map each spelling to the first spelling of its line."""
    table: dict[str, str] = {}
    for line in MEANINGS:
        spellings = line.split("|")
        for spelling in spellings:
            table.setdefault(spelling, spellings[0])
    return table


@cache
def opposites() -> frozenset[tuple[str, str]]:
    """Return pairs of mutually exclusive words, in both orders."""
    pairs = (pair.split("|") for pair in entries("grounding.opposites.of"))
    return frozenset(both for a, b in pairs for both in ((a, b), (b, a)))


_WORD = patterns.compile(r"[^\W_]+")
_APOSTROPHE = patterns.compile("['`\u2019\u00b4]")
# A count, note or shortcut after a label: "Cart (3)", "City (optional)", "Play (k)", "Save Ctrl+S".
_NOTE = patterns.compile(
    r"[(\[]\s*(?:[\d.,+]+|optional|required|[a-z])\s*[)\]]", patterns.IGNORECASE
)
_SHORTCUT = patterns.compile(
    r"\s*\(?\s*(?:(?:ctrl|control|alt|option|shift|cmd|command|meta)\s*[+\-]\s*|[⌘⌥⇧⌃^]\s*\+?\s*)+\S{1,9}\)?\s*$",
    patterns.IGNORECASE,
)
_CAMEL = patterns.compile(r"(?<=[a-z])(?=[A-Z])")
_LONGEST_MEANING = 3  # words of a meaning in `MEANINGS`
_LONGEST = 1_000  # characters; labels have 80, and field values are compared by their beginning
_CACHE = 16_384  # labels; about eight of the largest trees

STOP_WEIGHT = 0.15  # relative to a content word
NUMBER_WEIGHT = 0.6  # counts and dates added to a label


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """One text in its comparable forms. Cached by `label`, so compared by identity.

    `cased` and `literal` keep punctuation, `cased` also capitals. `folded` has words only. `words`
    omits decorations and role words; `bare` and `joined` are these words with and without spaces.
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
    """Return the comparable forms of `text`."""
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
    """Return the word without an English plural ending."""
    if len(word) > 4 and word.endswith(("ies", "ie")):  # "cookie": its plural looks the same
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
    """Remove notes and a trailing keyboard shortcut, unless nothing is left."""
    kept = _SHORTCUT.sub("", _NOTE.sub(" ", text))
    return kept if _WORD.search(kept) else text


def _words(text: str) -> list[str]:
    if " " not in text.strip():  # an identifier such as an icon name
        text = _CAMEL.sub(" ", text)
    return _WORD.findall(_APOSTROPHE.sub("", text.casefold() if text.isascii() else text.lower()))


def _told(words: list[str]) -> tuple[str, ...]:
    """Remove role words, unless only numbers or nothing would be left."""
    kept = [word for word in words if word not in ROLE_WORDS]
    return tuple(words if all(word.isdigit() for word in kept) else kept)


def _meanings(words: tuple[str, ...]) -> tuple[str, ...]:
    """Replace known spellings with their meaning, longest first."""
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
