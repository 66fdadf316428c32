"""A label or phrase, folded so that what a person calls the same compares equal."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from app.engines.grounding.lexicon import ROLE_WORDS, STOP_WORDS, SYMBOLS, meanings
from app.text import patterns

_WORD = patterns.compile(r"[^\W_]+")
_APOSTROPHE = patterns.compile("['`\u2019\u00b4]")
_COUNT = patterns.compile(r"[(\[]\s*[\d.,+]+\s*[)\]]")
_NOTE = patterns.compile(r"[(\[]\s*(?:optional|required)\s*[)\]]", patterns.IGNORECASE)
_SHORTCUT = patterns.compile(
    r"\s*\(?\s*(?:(?:ctrl|control|alt|option|shift|cmd|command|meta)\s*[+\-]\s*|[⌘⌥⇧⌃^]\s*\+?\s*)+\S{1,9}\)?\s*$",
    patterns.IGNORECASE,
)
_KEY = patterns.compile(r"\s*\(\s*[a-zA-Z]\s*\)\s*$")  # "Play (k)"
_CAMEL = patterns.compile(r"(?<=[a-z])(?=[A-Z])")
_LONGEST_MEANING = 3  # words, in `lexicon.MEANINGS`
_LONGEST = 1_000  # characters; a label has 80, and what a field holds is compared by its beginning
_CACHE = 16_384  # labels; about eight of the largest trees allowed

STOP_WEIGHT = 0.15  # "of" tells less than a sixth of what a content word does
NUMBER_WEIGHT = 0.6  # counts and dates a page adds to a label


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """One text in the shapes that are compared; equal by identity, as `label` returns it cached.

    `cased` and `literal` keep punctuation, `cased` capitals too; `folded` has words only; `words`
    lose decorations and role words (`bare` and `joined` are these in one text, with blanks and
    without); `stems` and `meanings` follow `words` (a meaning may span several, so it may be shorter);
    `weights` follow `meanings`.
    """

    text: str
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
    plain = cased = " ".join(_unaccented(text[:_LONGEST]).split())
    literal = cased.casefold()
    folded = _words(plain)
    told = _told(_words(_undecorated(plain)) or _symbol_words(literal))
    meant = _meanings(told)
    weights = tuple(map(_weight, meant))
    return Label(
        text=text,
        cased=cased,
        literal=literal,
        folded=" ".join(folded),
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
    """The word without an English plural."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith("ie"):  # "cookie", whose plural looks like that of "-y"
        return word[:-2] + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _unaccented(text: str) -> str:
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _undecorated(text: str) -> str:
    """Without counts, "(optional)" and a keyboard shortcut at the end, unless nothing is left."""
    kept = _SHORTCUT.sub("", _NOTE.sub(" ", _COUNT.sub(" ", text)))
    kept = _KEY.sub("", kept)
    return kept if _WORD.search(kept) else text


def _words(text: str) -> list[str]:
    if " " not in text.strip():  # an identifier, as icon names are
        text = _CAMEL.sub(" ", text)
    return _WORD.findall(_APOSTROPHE.sub("", text.casefold() if text.isascii() else text.lower()))


def _symbol_words(literal: str) -> list[str]:
    return SYMBOLS.get(literal.replace("\ufe0f", ""), "").split()


def _told(words: list[str]) -> tuple[str, ...]:
    """The words without role words, unless only numbers or nothing would be left."""
    kept = [word for word in words if word not in ROLE_WORDS]
    if all(word.isdigit() for word in kept):
        return tuple(words)
    return tuple(kept)


def _meanings(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words with every spelling of a known meaning replaced by that meaning, longest first."""
    table, found, at = meanings(), [], 0
    while at < len(words):
        for size in range(min(_LONGEST_MEANING, len(words) - at), 0, -1):
            spelled = " ".join(words[at : at + size])
            meant = table.get(spelled) or table.get(" ".join(map(stem, words[at : at + size])))
            if meant or size == 1:
                found.append(meant or stem(words[at]))
                at += size
                break
    return tuple(found)


def _weight(word: str) -> float:
    if word in STOP_WORDS:
        return STOP_WEIGHT
    return NUMBER_WEIGHT if word.isdigit() else 1.0
