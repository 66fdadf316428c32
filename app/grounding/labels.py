"""Normalizes labels and phrases so that equal meanings compare equal, and compares them.

All kinds of agreement share one scale: 1 is the exact label, 0.9 and more the same meaning, about
0.7 a part of a longer label, below 0.5 a different label.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz.distance import OSA

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
SUBMIT_WORDS, CANCEL_WORDS = vocabulary("grounding.sends"), vocabulary("grounding.leaves")
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
    text = text[:_LONGEST]
    decomposed = text if text.isascii() else unicodedata.normalize("NFKD", text)
    plain = (c for c in decomposed if not unicodedata.combining(c) and c != "\ufe0f")
    cased = " ".join("".join(plain).split())
    literal = cased.casefold()
    bare = _SHORTCUT.sub("", _NOTE.sub(" ", cased))
    words = _content_words(
        _split_words(bare if _WORD.search(bare) else cased) or SYMBOLS.get(literal, "").split()
    )
    meanings_ = _meanings(words)
    weights = tuple(
        STOP_WEIGHT if word in STOP_WORDS else NUMBER_WEIGHT if word.isdigit() else 1.0
        for word in meanings_
    )
    return Label(
        cased=cased,
        literal=literal,
        folded=" ".join(_split_words(cased) or words),
        bare=" ".join(words),
        joined="".join(words),
        words=words,
        stems=frozenset(map(stem, words)),
        meanings=meanings_,
        meaning_set=frozenset(meanings_),
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


def _split_words(text: str) -> list[str]:
    if " " not in text.strip():  # an identifier such as an icon name
        text = _CAMEL.sub(" ", text)
    return _WORD.findall(_APOSTROPHE.sub("", text.casefold() if text.isascii() else text.lower()))


def _content_words(words: list[str]) -> tuple[str, ...]:
    """Remove role words, unless only numbers or nothing would be left."""
    content_words = [word for word in words if word not in ROLE_WORDS]
    return tuple(words if all(word.isdigit() for word in content_words) else content_words)


def _meanings(words: tuple[str, ...]) -> tuple[str, ...]:
    """Replace known spellings with their meaning, longest first."""
    table, found, at = meanings(), [], 0
    while at < len(words):
        for size in range(min(_LONGEST_MEANING, len(words) - at), 0, -1):
            spelled = words[at : at + size]
            meaning = table.get(" ".join(spelled)) or table.get(" ".join(map(stem, spelled)))
            if meaning or size == 1:
                found.append(meaning or stem(words[at]))
                at += size
                break
    return tuple(found)


# Each step differs from the next by more than the margin in `scores`.
EXACT, FOLDED, MEANING = 1.0, 0.975, 0.90
_LADDER = (("folded", FOLDED), ("words", 0.95), ("joined", 0.945), ("stems", 0.935),
           ("meaning_set", MEANING))  # fmt: skip
_COUNTED = 0.88  # a label and a number that may be a count: "Cart 0"
WHOLE = 0.87  # at and above it the whole label matches
_MISSPELT, _TWICE_MISSPELT = 0.86, 0.80  # one typing error in the label; two in a long one
_SLIP, _CUT_SHORT = 0.88, 0.90  # factors of one word; a shortened one keeps at least three letters
_PART = 0.60  # least score of a phrase inside a longer label
_PREFIXES = frozenset(("un", "dis", "de", "in", "non", "re", "im"))
_PAIR_CACHE = 65_536
_LONGEST_PHRASE = 100  # words: labels have at most half as many, and the comparison is quadratic


@lru_cache(maxsize=_PAIR_CACHE)
def similarity(phrase: Label, label: Label) -> float:
    if phrase.literal and phrase.literal == label.literal:
        return EXACT if phrase.cased == label.cased else FOLDED
    if not phrase.words or not label.words:
        return 0.0
    for shape, worth in _LADDER:
        if getattr(phrase, shape) == getattr(label, shape):
            return worth
    return max(_misspelt(phrase, label), _partial(phrase, label))


def _misspelt(phrase: Label, label: Label) -> float:
    slips = _count_slips(phrase.bare, label.bare, shortest=5)
    if not slips or _are_opposites(phrase, label):
        return 0.0
    return _MISSPELT if slips == 1 else _TWICE_MISSPELT


@lru_cache(maxsize=_PAIR_CACHE)
def _count_slips(word: str, other: str, shortest: int) -> int:
    """Return the number of typing errors; 0 for different words."""
    shorter = min(len(word), len(other))
    most = 2 if shorter >= 9 else 1
    slips = OSA.distance(word, other, score_cutoff=most)
    if shorter < shortest or slips > most or _prefixed(word, other):
        return 0
    known = word in meanings() and other in meanings()
    digits = [[char for char in text if char.isdigit()] for text in (word, other)]
    return 0 if known or digits[0] != digits[1] else slips


def _partial(phrase: Label, label: Label) -> float:
    """Score a partial match by the covered share of the phrase, then of the label."""
    # "the" and single letters never match a part.
    if phrase.total < NUMBER_WEIGHT or len(phrase.words) > _LONGEST_PHRASE:
        return 0.0
    phrase_share = _covered_share(phrase, label)
    if phrase_share < 0.3 or (phrase_share < 1.0 and _are_opposites(phrase, label)):
        return 0.0
    if phrase_share > 0.99 and all(
        word.isdigit() for word in label.words if word not in phrase.words
    ):
        return _COUNTED
    label_share = _covered_share(label, phrase, said_second=True)
    return phrase_share * phrase_share * (_PART + (MEANING - _PART) * label_share)


def _covered_share(one: Label, other: Label, *, said_second: bool = False) -> float:
    """Return the share of one label's word weight that the other's words cover."""
    got = 0.0
    for meaning, weight in zip(one.meanings, one.weights, strict=True):
        if meaning in other.meaning_set or meaning in other.stems:
            got += weight
        elif weight > STOP_WEIGHT:
            pairs = [(word, meaning) if said_second else (meaning, word) for word in other.words]
            got += weight * max(_word_similarity(*pair) for pair in pairs)
    return got / one.total


@lru_cache(maxsize=_PAIR_CACHE)
def _word_similarity(word: str, other: str) -> float:
    if word.isdigit() or other.isdigit():
        return 0.0
    if len(word) >= 3 and other.startswith(word):
        return _CUT_SHORT
    return (
        _SLIP
        if _count_slips(word, other, shortest=4) == 1 or _count_slips(word, stem(other), 4) == 1
        else 0.0
    )


def _are_opposites(phrase: Label, label: Label) -> bool:
    """Whether a word of one is the opposite of a word of the other."""
    phrase_only, label_only = (
        phrase.meaning_set - label.meaning_set,
        label.meaning_set - phrase.meaning_set,
    )
    return any((a, b) in opposites() or _prefixed(a, b) for a in phrase_only for b in label_only)


def _prefixed(one: str, other: str) -> bool:
    """Whether a prefix changes the meaning: "unarchive"."""
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) > 2 and any(longer == prefix + shorter for prefix in _PREFIXES)
