"""What a text names word for word: proper names, identifiers, and what stands in quotation marks."""

from functools import lru_cache

from app.chat.evidence.wording import root, tells
from app.engines.provenance.tokens import fold, scan
from app.engines.provenance.vocabulary import WEEKDAYS
from app.text import patterns

_REMEMBERED = 4_096  # texts
_QUOTED = patterns.compile(
    '["\u201c\u201e\u00ab]([^"\u201c\u201d\u201e\u00ab\u00bb]{1,200})["\u201d\u201c\u00bb]'
    "|(?<!\\w)[\u2018'](\\S[^\u2018\u2019']{0,200}?)[\u2019'](?!\\w)"
)
_PIECE = patterns.compile(r"\S+")
_TRIMMED = ".,;:!?()[]{}<>\"'\u201c\u201d\u2018\u2019\u201e\u00ab\u00bb|*`\u2026"  # around a word
# Underscores, camel case, flags, paths, dotted names, and letters with digits.
_IDENTIFIER = patterns.compile(
    r"""(?:.*\w_\w.* | _\w+ | .*[a-z][A-Z].* | --?[A-Za-z][\w-]* | .*\w[\\@]\w.* | /\w.* | ~/.*
    | [\w-]+(?:/[\w.-]+){2,} | [\w-]*[^\W\d_][\w-]*(?:\.[\w-]*[^\W\d_][\w-]*)+ | \.[A-Za-z]\w+
    | v?\d+(?:\.\d+){2,}\w* | [\w-]+=[\w-]+ | .*\w::\w.*
    | (?=[\w-]*\d)(?=[\w-]*[^\W\d_])[\w-]{3,} | [A-Za-z]\d | [A-Za-z]+[+#]{1,2})""",
    patterns.VERBOSE,
)
_SHORTENED = patterns.compile(r"(?:[^\W\d_]\.)+[^\W\d_]?\.?")
_COUNTED = patterns.compile(
    r"\d+(?:[.,]\d+)?-?(?:st|nd|rd|th|[^\W\d_]{1,3}|days?|weeks?|months?|years?|hours?|minutes?)"
)
_WORD = patterns.compile(r"[^\W\d_][^\W_]*(?:['\u2019][^\W\d_]+)?")
_BEGINS = patterns.compile(r"(?:^|[.!?:;\u2026]\s|[\"'\u201c(\u2018]|\n|\s-\s|\|)\s*$")
_DAYS = frozenset(word for line in WEEKDAYS for word in line if word.endswith("day"))


@lru_cache(maxsize=_REMEMBERED)
def quoted(text: str) -> tuple[str, ...]:
    """What stands in quotation marks."""
    return tuple((one[1] or one[2]).strip() for one in _QUOTED.finditer(text))


@lru_cache(maxsize=_REMEMBERED)
def identifiers(text: str) -> frozenset[str]:
    """Names of files, settings, options, versions and the like, in lower case."""
    found = set()
    for piece in _PIECE.findall(text):
        bare = piece.strip(_TRIMMED) if not piece.startswith(".") else piece.rstrip(_TRIMMED)
        for part in (bare,) if "/" not in bare or bare.count("/") > 1 else (bare, *bare.split("/")):
            if not part or _SHORTENED.fullmatch(part) or _COUNTED.fullmatch(part.casefold()):
                continue
            if _IDENTIFIER.fullmatch(part.removesuffix("'s").removesuffix("\u2019s")):
                found.add(part.casefold().removesuffix("'s").removesuffix("\u2019s"))
    return frozenset(found)


@lru_cache(maxsize=_REMEMBERED)
def names(text: str, language: str = "english") -> frozenset[str]:
    """The stems of its proper names: words with a capital where no sentence begins, words in capitals, days
    of the week. German writes every noun so: there those in capitals alone are names.
    """
    found = set()
    dates = [(one.start, one.end) for one in scan(text).tokens if one.kind in ("date", "time")]
    words = list(_WORD.finditer(text))
    for at, one in enumerate(words):
        if any(start <= one.start() < end for start, end in dates):
            continue
        word = one[0]
        folded = fold(word).replace("\u2019", "'").removesuffix("'s")
        loud = len(word) > 1 and word.isupper() and not text.isupper()
        if folded in _DAYS or (loud and tells(folded)):
            found.add(root(folded, language))
        elif language == "german" or not word[0].isupper() or not tells(folded):
            continue
        elif not _BEGINS.search(text, max(0, one.start() - 4), one.start()) or _goes_on(
            text, one, words[at + 1] if at + 1 < len(words) else None
        ):
            found.add(root(folded, language))
    return frozenset(found)


def _goes_on(text: str, one: "patterns.Match", following: "patterns.Match | None") -> bool:
    """Whether a name of several words begins the sentence: "John Smith"."""
    if following is None or text[one.end() : following.start()] != " ":
        return False
    return following[0][0].isupper() and tells(fold(following[0]))
