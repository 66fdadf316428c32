"""Whether a text names something of a kind: the lexicon made into expressions."""

import re
import unicodedata
from functools import lru_cache

from app.engines.risk import words as lists

_TOKENS = re.compile(r"[^\W_]+|[\u00d7\u2715\u2716]")


def pattern(stems: str) -> re.Pattern[str]:
    """One expression over `words(text)` for stems written as `app.engines.risk.words` says."""
    parts = []
    for stem in dict.fromkeys(stems.split()):
        phrase = (re.escape(word).replace("_", " ") for word in stem.rstrip("$").split("+"))
        body = r"\w* (?:\w+ )??".join(phrase)
        parts.append(body + (r"(?!\S)" if stem.endswith("$") else ""))
    return re.compile(r"(?:^|(?<= ))(?:" + "|".join(parts) + ")")


_PATTERNS = {
    "risky": pattern(lists.RISKY),
    "submit": pattern(lists.SUBMIT),
    "search": pattern(lists.SEARCH),
    "sign_in": pattern(lists.SIGN_IN),
    "sign_out": pattern(lists.SIGN_OUT),
    "dismiss": pattern(lists.DISMISS),
    "harmless": pattern(lists.HARMLESS),
}


@lru_cache(maxsize=8192)
def words(text: str) -> str:
    """The words of a text, lower case, without accents, between single spaces."""
    if text.isascii():
        return " ".join(_TOKENS.findall(text.lower()))
    plain = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss"))
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(_TOKENS.findall(kept))


def match(kind: str, text: str) -> re.Match[str] | None:
    """Where the text first names something of that kind."""
    return _PATTERNS[kind].search(words(text))


@lru_cache(maxsize=8192)
def speaks_of(kind: str, text: str) -> bool:
    """Whether the text names something of that kind.

    Kinds: risky, submit, search, sign_in, sign_out, dismiss, harmless.
    """
    return match(kind, text) is not None
