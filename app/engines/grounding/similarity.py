"""How well a phrase and a label agree as words, before anything about the page is known.

Scores are on one scale, shared by all kinds of agreement: 1 is the very label, above 0.9 the same
thing said otherwise, around 0.7 a part of a longer label, below 0.5 something else.
"""

from functools import lru_cache

from rapidfuzz.distance import OSA

from app.engines.grounding.label import NUMBER_WEIGHT, STOP_WEIGHT, Label, stem
from app.engines.grounding.lexicon import meanings, opposites

# The ladder: each rung is lower by enough to be told apart from the one above (see deciding.MARGIN).
EXACT = 1.0
FOLDED = 0.975
BARE = 0.95
JOINED = 0.945
STEMMED = 0.935
MEANING = 0.90
COUNTED = 0.88  # the label and a number that may be a count: "Cart 0"
WHOLE = 0.87  # from here on the label as a whole is what was said
MISSPELT = 0.86  # the whole label but for one slip; two in a long one: a little less
_TWICE_MISSPELT = 0.8

_TYPO = 0.88  # of one word, one slip
_STEM_PART = 0.9  # a word the person cut short, three letters at least
_OTHER_MEANING = 0.93  # a synonym inside a longer label
_PART = 0.60  # what a phrase is worth inside a label that says a lot more
_FIRST = 0.03  # a phrase the label begins with
_PREFIXES = frozenset(("un", "dis", "de", "in", "non", "re", "im"))
_CACHE = 65_536
LONGEST_PHRASE = 100  # words: a label has half as many at most, and each is looked for in each


@lru_cache(maxsize=_CACHE)
def similarity(phrase: Label, label: Label) -> tuple[float, str]:
    """Agreement in 0..1 and its name."""
    if phrase.literal == label.literal and phrase.literal:
        return (EXACT, "exact label") if phrase.cased == label.cased else (FOLDED, "same label")
    if not phrase.words or not label.words:
        return 0.0, ""
    whole = _whole(phrase, label)
    return whole if whole[0] else _partial(phrase, label)


def _whole(phrase: Label, label: Label) -> tuple[float, str]:
    """Agreement of the two as wholes; 0 when there is none."""
    if phrase.folded == label.folded:
        return FOLDED, "same label"
    if phrase.words == label.words:
        return BARE, "same words"
    if phrase.joined == label.joined:
        return JOINED, "same letters"
    if phrase.stems == label.stems:
        return STEMMED, "same words"
    if phrase.meaning_set == label.meaning_set:
        return MEANING, "same meaning"
    return _misspelt(phrase, label)


def _misspelt(phrase: Label, label: Label) -> tuple[float, str]:
    """The label with a slip or two, none of them a digit's; two real words are not one misspelt."""
    said, here = phrase.joined, label.joined
    shorter = min(len(said), len(here))
    if shorter < 5 or abs(len(said) - len(here)) > 2:
        return 0.0, ""
    slips = OSA.distance(said, here, score_cutoff=2)
    if slips > (2 if shorter >= 9 else 1) or _digits(said) != _digits(here):
        return 0.0, ""
    known = meanings()
    if (
        _contrast(phrase, label)
        or _prefixed(said, here)
        or (phrase.bare in known and label.bare in known)
    ):
        return 0.0, ""
    return (MISSPELT if slips == 1 else _TWICE_MISSPELT), "spelling"


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


def _partial(phrase: Label, label: Label) -> tuple[float, str]:
    """Agreement of a part: all the phrase must be covered, then as much of the label as possible."""
    if phrase.total < NUMBER_WEIGHT or len(phrase.words) > LONGEST_PHRASE:  # "the", or a letter
        return 0.0, ""
    said, why = _covered(phrase, label)
    if said < 0.3:
        return 0.0, ""
    if (contrast := _contrast(phrase, label)) and said < 1.0:
        return contrast * said * said, "opposite"
    if said > 0.99 and all(word.isdigit() for word in label.words if word not in phrase.words):
        return COUNTED, "label and number"
    heard, _ = _covered(label, phrase, backwards=True)
    score = said * said * (_PART + (MEANING - _PART) * heard)
    if said > 0.99 and label.words[: len(phrase.words)] == phrase.words:
        score += _FIRST
    return score, why if said > 0.99 else "partly " + why


def _covered(phrase: Label, label: Label, backwards: bool = False) -> tuple[float, str]:
    """The share of the phrase's weight that the label's words carry.

    `backwards` when the two were swapped: what the person said is then the second.
    """
    got, why = 0.0, "words"
    for meaning, weight in zip(phrase.meanings, phrase.weights, strict=True):
        if meaning in label.meaning_set:
            same = meaning in label.stems or meaning not in phrase.stems
            got += weight * (
                1.0 if same and meaning in phrase.stems else _worth(phrase, label, meaning)
            )
        elif weight > STOP_WEIGHT:
            worth, kind = _nearest(meaning, label, backwards)
            got += weight * worth
            why = kind or why
    return (got / phrase.total if phrase.total else 0.0), why


def _worth(phrase: Label, label: Label, meaning: str) -> float:
    """1 when both spell the meaning alike, a little less for a synonym."""
    parts = [stem(word) for word in phrase.words if stem(word) in label.stems]
    return 1.0 if parts and len(parts) >= len(meaning.split()) else _OTHER_MEANING


def _nearest(word: str, label: Label, backwards: bool) -> tuple[float, str]:
    """The likest word of the label, when one is like enough."""
    best, kind = 0.0, ""
    for other in label.words:
        worth, name = _word_likeness(other, word) if backwards else _word_likeness(word, other)
        if worth > best:
            best, kind = worth, name
    return best, kind


@lru_cache(maxsize=_CACHE)
def _word_likeness(word: str, other: str) -> tuple[float, str]:
    if stem(word) == stem(other):
        return 1.0, ""
    if word.isdigit() or other.isdigit() or len(word) < 2 or len(other) < 2:
        return 0.0, ""
    if len(word) >= 3 and other.startswith(word):
        return _STEM_PART, "beginning of a word"
    if typo := max(_typo(word, other), _typo(stem(word), stem(other))):
        return typo, "spelling"
    return 0.0, ""


def _typo(word: str, other: str) -> float:
    """What a misspelling is worth: one slip from four letters."""
    shorter = min(len(word), len(other))
    if shorter < 4 or abs(len(word) - len(other)) > 1:
        return 0.0
    known = meanings()
    if _prefixed(word, other) or (word in known and other in known):  # two real words
        return 0.0
    return _TYPO if OSA.distance(word, other, score_cutoff=1) == 1 else 0.0


def _contrast(phrase: Label, label: Label) -> float:
    """0.5 when a word of one is the opposite of a word of the other, else 0."""
    mine, theirs = phrase.meaning_set - label.meaning_set, label.meaning_set - phrase.meaning_set
    pairs = opposites()
    opposite = any((a, b) in pairs or _prefixed(a, b) for a in mine for b in theirs)
    return 0.5 if opposite else 0.0


def _prefixed(one: str, other: str) -> bool:
    """Whether one is the other with a prefix that makes another thing of it: "unarchive"."""
    if len(one) < len(other):
        one, other = other, one
    return len(other) > 2 and one.endswith(other) and one[: -len(other)] in _PREFIXES
