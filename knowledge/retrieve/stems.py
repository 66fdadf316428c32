"""Tokenizes text into stemmed, lower-case search terms."""

import threading
import unicodedata
from collections.abc import Callable, Iterator
from itertools import chain, pairwise

from app.text import patterns

ENGLISH = "en"
_MASK = 0x7FFFFFFFFFFFFFFF
LONGEST = 48  # characters of a word; longer ones are data, such as keys, hashes or encoded pictures
MAX_CACHED = 200_000  # words with cached stems, about 30 MB
# Languages with a stemmer, by ISO 639 code.
_STEMMED = frozenset({
    "ar", "ca", "da", "de", "el", "en", "es", "et", "eu", "fi", "fr", "ga", "hi", "hu", "hy", "id", "it",
    "lt", "ne", "nl", "no", "pl", "pt", "ro", "ru", "sr", "sv", "ta", "tr", "yi",
})  # fmt: skip
_ALIASES = {"nb": "no", "nn": "no"}
_SCRIPTS = (
    ("Ѐ", "ӿ", "ru"),
    ("Ͱ", "Ͽ", "el"),
    ("֐", "׿", "he"),
    ("؀", "ۿ", "ar"),
    ("஀", "௿", "ta"),
)
_WITHOUT_SPACES = (
    "぀-ヿ㐀-䶿一-鿿豈-﫿฀-๿຀-໿ក-៿က-႟"  # of Japanese, Chinese, Thai, Lao, Khmer, Burmese
)
_WORD = patterns.compile(r"\w+(?:\.\d+)*(?:['’](?:s|t|d|m|re|ll|ve)\b)?")
_CLITIC = patterns.compile(r"['’]\w+$")
_UNSPACED = patterns.compile(rf"[{_WITHOUT_SPACES}]+|[^{_WITHOUT_SPACES}]+")
_UNSPACED_SCRIPT = patterns.compile(rf"[{_WITHOUT_SPACES}]")
_HUMP = patterns.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PREFIXES, _SUFFIXES = "והבלמשכ", ("ים", "ות", "יה", "ה", "ת", "י")
_STEMMERS = threading.local()  # one set per thread: stemmers are not thread-safe


def search_words(text: str) -> Iterator[str]:
    """Yield words in order, with the parts of compounds: `pool_size` also yields `pool` and `size`;
    `maxRetries` also `max` and `retries`. Scripts without spaces yield bigrams.
    """
    for raw in _WORD.findall(text):
        yield from _split_word(raw)


def _split_word(word: str) -> Iterator[str]:
    word = unicodedata.normalize("NFKC", word)
    if not word.isascii():
        for run in _UNSPACED.findall(word):
            if _UNSPACED_SCRIPT.match(run):
                yield from ("".join(pair) for pair in pairwise(run)) if len(run) > 1 else (run,)
            else:
                yield from _split_compound(run)
    else:
        yield from _split_compound(word)


def _split_compound(raw: str) -> Iterator[str]:
    word = _CLITIC.sub("", raw)
    if len(word) > LONGEST:
        return
    if whole := word.lower().strip("_"):
        yield whole
    if not (word.isalpha() and (word[1:].islower() or not word.isascii())):
        parts = _HUMP.findall(word)
        if len(parts) > 1:
            yield from (part.lower() for part in parts)


class Stems:
    """Stems words to 63-bit numbers, with a cache; one per process."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, tuple[int, ...]]] = {}

    def terms(self, text: str, language: str | None) -> list[int]:
        language = stemmer_language(language)
        cache = self._known.setdefault(language, {})
        words = _WORD.findall(text)
        try:
            return list(chain.from_iterable(map(cache.__getitem__, words)))  # usually cached
        except KeyError:
            pass
        terms: list[int] = []
        for raw in words:
            word_terms = cache.get(raw)
            if word_terms is None:
                if len(cache) >= MAX_CACHED:
                    cache.clear()
                # Hashes are valid in this process only.
                word_terms = tuple(
                    hash(stem_word(one, language)) & _MASK for one in _split_word(raw)
                )
                if len(raw) <= LONGEST:
                    cache[raw] = word_terms
            terms += word_terms
        return terms


def stemmer_language(language: str | None) -> str:
    """Code of the stemmer's language; English if unknown."""
    code = (language or ENGLISH).lower().partition("-")[0]
    code = _ALIASES.get(code, code)
    return code if code in _STEMMED else ENGLISH if language is None else ""


def stem_word(word: str, language: str) -> str:
    """Stem a word. Its script takes precedence over the language of the surrounding text."""
    if not word[:1].isalpha():
        return word
    if not word.isascii():
        language = next((of for low, high, of in _SCRIPTS if low <= word[0] <= high), language)
    if language == "he":
        return _stem_hebrew(word)
    if language not in _STEMMED or len(word) < 3:
        return word
    return _stemmer(language)(word)


def _stem_hebrew(word: str) -> str:
    """Strip points, up to two prefixed letters, and the plural ending."""
    stem = "".join(sign for sign in word if "א" <= sign <= "ת") or word
    for _ in range(2):
        if len(stem) > 3 and stem[0] in _PREFIXES:
            stem = stem[1:]
    for ending in _SUFFIXES:
        if stem.endswith(ending) and len(stem) - len(ending) >= 2:
            return stem.removesuffix(ending)
    return stem


def _stemmer(language: str) -> Callable[[str], str]:
    stemmers: dict[str, Callable[[str], str]] = _STEMMERS.__dict__
    if language not in stemmers:
        from Stemmer import Stemmer  # noqa: PLC0415 - only where texts are searched

        stemmers[language] = Stemmer(language, 0).stemWord  # 0: `Stems` has its own cache
    return stemmers[language]
