"""Words of titles and messages in the form in which they are compared."""

import unicodedata
from dataclasses import dataclass

from app.text import patterns

_JOINTS = patterns.compile(
    r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z]{3})(?=\d)|(?<=[A-Z])(?=[A-Z][a-z]{2})"
    r"|(?<=\d)(?=[A-Za-z]{2})"
)
_WORD = patterns.compile(r"[vV]?\d+(?:\.\d+)+|[^\W_]+")
_POINT = "\ua78f"  # a letter that stands for the point of "3.1", which is one word
_POINTS = patterns.compile(r"(?<=\d)\.(?=\d)")
_VERSION = patterns.compile(r"\bv(?=\d)")  # "v2" is version 2
_NO_WORD = patterns.compile(r"[^\w\n]|_")
_ZEROS = patterns.compile(r"\b0+(?=\d)")  # "ADR-007" is ADR 7
_APOSTROPHES = patterns.compile(r"(?<=\w)['\u2019](?=\w)")
EXTENSIONS = "pdf|docx?|odt|rtf|txt|md|markdown|html?|xlsx?|ods|csv|tsv|pptx?|odp|epub|json|xml|png|jpe?g|eml"
_EXTENSION = patterns.compile(rf"\.(?:{EXTENSIONS})$", patterns.IGNORECASE | patterns.MULTILINE)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: as it is compared, and where it stands there."""

    text: str
    start: int
    end: int


def fold_text(text: str) -> str:
    """Lower case, without accents and marks. Its length may differ from that of the text."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text)
    return "".join(one for one in apart if not unicodedata.combining(one)).casefold()


def lines_of_words(lines: list[str]) -> list[list[str]]:
    """The words of each line, without its file extension; all at once, since there may be thousands."""
    if not lines:
        return []
    text = "\n".join(lines)
    if text.count("\n") >= len(lines):  # one of them is of more lines itself
        text = "\n".join(" ".join(line.split()) for line in lines)
    text = _EXTENSION.sub("", text)
    text = _APOSTROPHES.sub("", fold_text(_JOINTS.sub(" ", _POINTS.sub(_POINT, text))))
    text = _ZEROS.sub("", _VERSION.sub("", _NO_WORD.sub(" ", text)))
    return [line.split() for line in text.split("\n")]


def message_words(text: str) -> list[Word]:
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
    text = _POINTS.sub(_POINT, fold_text(piece).replace("\u02bc", "").replace(";", ""))
    return _ZEROS.sub("", _VERSION.sub("", text))
