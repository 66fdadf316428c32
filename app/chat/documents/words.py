"""Words of titles and messages in the form in which they are compared."""

import unicodedata
from dataclasses import dataclass

from app.text import patterns

_JOINTS = patterns.compile(
    r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z]{3})(?=\d)|(?<=[A-Z])(?=[A-Z][a-z]{2})"
    r"|(?<=\d)(?=(?!(?:st|nd|rd|th)\b)[A-Za-z]{2})"
)
_WORD = patterns.compile(r"(?i:\btl\W?dr\b)|[vV]?\d+(?:\.\d+)+|[^\W_]+")
_POINT = "\ua78f"  # a letter that stands for the point of "3.1", which is one word
_POINTS = patterns.compile(r"(?<=\d)\.(?=\d)")
_VERSION = patterns.compile(r"\bv(?=\d)")  # "v2" is version 2
_NO_WORD = patterns.compile(r"[^\w\n]|_")
_ZEROS = patterns.compile(r"\b0+(?=\d)")  # "ADR-007" is ADR 7
_APOSTROPHES = patterns.compile(r"(?<=\w)['\u2019](?=\w)")
EXTENSIONS = "pdf|docx?|odt|rtf|txt|md|markdown|html?|xlsx?|ods|csv|tsv|pptx?|odp|epub|json|xml|png|jpe?g|eml"
_EXTENSION = patterns.compile(rf"\.(?:{EXTENSIONS})$", patterns.IGNORECASE | patterns.MULTILINE)
_HEBREW_FIRST, _HEBREW_LAST = "\u05d0", "\u05ea"
_HEBREW_LETTERS = "\u05d4\u05d1\u05dc\u05de\u05e9\u05d5\u05db"  # the, in, to, from, that, and, as
_COMPOUND = 9  # letters: a shorter word is no compound
_COMPOUND_KINDS = (
    "handbuch", "richtlinie", "leitlinie", "leitfaden", "vertrag", "bericht", "anleitung", "vereinbarung",
    "verordnung", "ordnung", "gesetz", "satzung", "protokoll", "regelung", "konzept", "merkblatt", "vorlage",
    "angebot", "rechnung", "studie", "plan",
)  # fmt: skip
_SHORT = 4  # letters: of shorter words an ending is no ending


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: as it is compared, and where it stands there."""

    text: str
    start: int
    end: int


def folded(text: str) -> str:
    """Lower case, without accents and marks. Its length may differ from that of the text."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text)
    return "".join(one for one in apart if not unicodedata.combining(one)).casefold()


def lines_of_words(lines: list[str]) -> list[list[str]]:
    """The words of each line, without its file extension; all at once, since there may be thousands.
    "BankNegara2024" is three words, as a person would say it.
    """
    if not lines:
        return []
    text = "\n".join(lines)
    if text.count("\n") >= len(lines):  # one of them is of more lines itself
        text = "\n".join(" ".join(line.split()) for line in lines)
    text = _EXTENSION.sub("", text)
    text = _APOSTROPHES.sub("", folded(_JOINTS.sub(" ", _POINTS.sub(_POINT, text))))
    text = _ZEROS.sub("", _VERSION.sub("", _NO_WORD.sub(" ", text)))
    return [line.split() for line in text.split("\n")]


def words_of(text: str) -> list[Word]:
    """The words of a message with their places in it; "BankNegara2024" is three of them."""
    found = []
    for match in _WORD.finditer(_APOSTROPHES.sub("\u02bc", text)):
        begin = match.start()
        for piece in _JOINTS.sub("\n", match.group()).split("\n"):
            end = begin + len(piece)
            found.append(Word(_compared(piece), begin, end))
            begin = end
    return [word for word in found if word.text]


def _compared(piece: str) -> str:
    text = _POINTS.sub(_POINT, folded(piece).replace("\u02bc", "").replace(";", ""))
    return _ZEROS.sub("", _VERSION.sub("", text))


def numeric(word: str) -> bool:
    """Whether it is a number, of a year or a version."""
    return word[:1].isdigit() and not word[-1:].isalpha()


def stem(word: str) -> str:
    """The word without the ending of its plural, so that "policies" finds a "policy"; a Hebrew one without
    the letters before it that are words of their own.
    """
    if len(word) < _SHORT:
        return word
    if _HEBREW_FIRST <= word[0] <= _HEBREW_LAST:
        return _bare(word)
    if word[-1] != "s" or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "sses")) else word[:-1]


def parts_of(word: str) -> tuple[str, ...]:
    """The two parts of a German compound that ends in a kind of document: "reiserichtlinie"."""
    if len(word) < _COMPOUND:
        return ()
    for kind in _COMPOUND_KINDS:
        for ending in (kind, kind + "n", kind + "en"):
            if word.endswith(ending) and len(word) - len(ending) >= _SHORT:
                head = word[: -len(ending)]
                bare = head.removesuffix("s")
                return (kind, *dict.fromkeys((head, bare, stem(bare + "n"), stem(bare + "en"))))
    return ()


def _bare(word: str) -> str:
    for _ in range(2):
        if len(word) >= _SHORT and word[0] in _HEBREW_LETTERS:
            word = word[1:]
    return word
