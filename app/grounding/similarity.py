"""Similarity of a phrase and a label, without the page.

All kinds of agreement share one scale: 1 is the exact label, 0.9 and more the same meaning, about
0.7 a part of a longer label, below 0.5 a different label.
"""

from functools import lru_cache

from rapidfuzz.distance import OSA

from app.grounding.label import NUMBER_WEIGHT, STOP_WEIGHT, Label, meanings, opposites, stem

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
_CACHE = 65_536
_LONGEST_PHRASE = 100  # words: labels have at most half as many, and the comparison is quadratic


@lru_cache(maxsize=_CACHE)
def similarity(phrase: Label, label: Label) -> float:
    """Return the agreement in 0..1."""
    if phrase.literal and phrase.literal == label.literal:
        return EXACT if phrase.cased == label.cased else FOLDED
    if not phrase.words or not label.words:
        return 0.0
    for shape, worth in _LADDER:
        if getattr(phrase, shape) == getattr(label, shape):
            return worth
    return max(_misspelt(phrase, label), _partial(phrase, label))


def _misspelt(phrase: Label, label: Label) -> float:
    slips = _slips(phrase.bare, label.bare, shortest=5)
    if not slips or _contrast(phrase, label):
        return 0.0
    return _MISSPELT if slips == 1 else _TWICE_MISSPELT


@lru_cache(maxsize=_CACHE)
def _slips(said: str, here: str, shortest: int) -> int:
    """Return the number of typing errors; 0 for different words."""
    shorter = min(len(said), len(here))
    most = 2 if shorter >= 9 else 1
    slips = OSA.distance(said, here, score_cutoff=most)
    if shorter < shortest or slips > most or _prefixed(said, here):
        return 0
    known = said in meanings() and here in meanings()
    digits = [[char for char in text if char.isdigit()] for text in (said, here)]
    return 0 if known or digits[0] != digits[1] else slips


def _partial(phrase: Label, label: Label) -> float:
    """Score a partial match by the covered share of the phrase, then of the label."""
    # "the" and single letters never match a part.
    if phrase.total < NUMBER_WEIGHT or len(phrase.words) > _LONGEST_PHRASE:
        return 0.0
    said = _covered(phrase, label)
    if said < 0.3 or (said < 1.0 and _contrast(phrase, label)):
        return 0.0
    if said > 0.99 and all(word.isdigit() for word in label.words if word not in phrase.words):
        return _COUNTED
    told = _covered(label, phrase, said_second=True)
    return said * said * (_PART + (MEANING - _PART) * told)


def _covered(one: Label, other: Label, *, said_second: bool = False) -> float:
    """Return the share of one label's word weight that the other's words cover."""
    got = 0.0
    for meaning, weight in zip(one.meanings, one.weights, strict=True):
        if meaning in other.meaning_set or meaning in other.stems:
            got += weight
        elif weight > STOP_WEIGHT:
            pairs = [(word, meaning) if said_second else (meaning, word) for word in other.words]
            got += weight * max(_alike(*pair) for pair in pairs)
    return got / one.total


@lru_cache(maxsize=_CACHE)
def _alike(word: str, other: str) -> float:
    """Return the factor for a shortened or misspelt word."""
    if word.isdigit() or other.isdigit():
        return 0.0
    if len(word) >= 3 and other.startswith(word):
        return _CUT_SHORT
    return (
        _SLIP if _slips(word, other, shortest=4) == 1 or _slips(word, stem(other), 4) == 1 else 0.0
    )


def _contrast(phrase: Label, label: Label) -> bool:
    """Whether a word of one is the opposite of a word of the other."""
    mine, theirs = phrase.meaning_set - label.meaning_set, label.meaning_set - phrase.meaning_set
    return any((a, b) in opposites() or _prefixed(a, b) for a in mine for b in theirs)


def _prefixed(one: str, other: str) -> bool:
    """Whether a prefix changes the meaning: "unarchive"."""
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) > 2 and any(longer == prefix + shorter for prefix in _PREFIXES)
