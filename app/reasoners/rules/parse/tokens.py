# ruff: noqa: RUF001 (typographic quotes and full-width stops are what is looked for)
"""Text -> tokens. Quoted spans, addresses, numbers, dates and times are one token each."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from app.reasoners.rules.parse.wordlist import words
from app.text import patterns

# What may close each opening quote; typographic pairs are used both ways round.
CLOSERS = {
    '"': '"”“',
    "'": "'’",
    "`": "`´'",
    "“": '”"“',
    "”": "”",
    "„": '“”"',
    "‘": "’'",
    "‚": "‘’",
    "«": "»",
    "»": "«",
    "‹": "›",
    "「": "」",
    "『": "』",
}
APOSTROPHES = "'’"
SEPARATORS = frozenset(",;.!?:=()[]{}\"'`“”„‘’«»|，。；：！？、")
ABBREVIATIONS = frozenset(
    words("mr|mrs|ms|dr|prof|st|sr|jr|no|nr|vs|etc|e.g|i.e|approx|dept|ave|blvd|rd|apt|inc|ltd|co")
)

_ADDRESS = patterns.compile(
    r"(?:[a-z][a-z0-9+.\-]{1,20}://|www\.)[^\s\"'<>“”«»]+", patterns.IGNORECASE
)
_MAIL = patterns.compile(r"[\w.+\-]{1,64}@\w[\w\-]{0,62}(?:\.[\w\-]{1,63}){0,8}")
_NUMBER = patterns.compile(r"[+\-−$€£#(]?\d+(?:[,.:/\-]\d+)*(?:%|[A-Za-z]\w*)?(?:-[A-Za-z]\w*)*")
_WORD = patterns.compile(r"[#@.$]?\w+(?:['’\-&./+@_\\]\w+)*[+#]{0,2}")
_ARROW = patterns.compile(r"-{1,3}>|={1,3}>|→|⇒|>{1,3}|»")
_BREAK = patterns.compile(r"[ \t\r\f\v]*\n\s*")
_TRAILING = ".,;:!?)]}"


@dataclass(frozen=True)
class Token:
    """A piece of the text. `kind` is word, quoted, number, address, arrow, break or mark."""

    kind: str
    text: str
    start: int
    end: int

    @cached_property
    def low(self) -> str:
        """Lower case, straight apostrophes; empty for a quoted span, which matches no word."""
        return "" if self.kind == "quoted" else self.text.lower().replace("’", "'")

    @property
    def quoted(self) -> bool:
        """Whether the person put it in quotes."""
        return self.kind == "quoted"

    @property
    def literal(self) -> bool:
        """Whether it can only be a value or a label: quoted, a number or an address."""
        return self.kind in {"quoted", "number", "address"}


class _Quotes:
    """Finds where a quote opened at a position closes, in logarithmic time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends: dict[str, list[int]] = {}

    def span(self, start: int) -> int | None:
        """The index of the mark that closes the quote opened at `start`, or None."""
        text, mark = self._text, self._text[start]
        if start and (text[start - 1].isalnum()) and mark not in "“„‘«‹「『":
            return None
        if mark in APOSTROPHES and text[start + 1 : start + 2].isspace():
            return None
        ends = [end for closer in CLOSERS[mark] if (end := self._next(closer, start)) is not None]
        return min(ends, default=None)

    def _next(self, closer: str, start: int) -> int | None:
        if closer not in self._ends:
            self._ends[closer] = [i for i, c in enumerate(self._text) if self._closes(c, i, closer)]
        ends = self._ends[closer]
        index = bisect_left(ends, start + 1)
        return ends[index] if index < len(ends) else None

    def _closes(self, char: str, index: int, closer: str) -> bool:
        if char != closer:
            return False
        after = self._text[index + 1 : index + 2]
        inside_word = closer in "'’\"" and after.isalnum()
        return not inside_word and not (closer in "'’" and self._text[index - 1].isspace())


def tokenize(text: str) -> list[Token]:
    """The tokens of `text` in order; white space other than line breaks is dropped."""
    return list(_scan(text))


def _scan(text: str) -> Iterator[Token]:
    quotes, index = _Quotes(text), 0
    while index < len(text):
        if found := _BREAK.match(text, index):
            yield Token("break", "\n", index, found.end())
            index = found.end()
            continue
        if text[index].isspace():
            index += 1
            continue
        token = _quoted(text, index, quotes) or _piece(text, index)
        yield token
        index = token.end


def _quoted(text: str, index: int, quotes: _Quotes) -> Token | None:
    if text[index] not in CLOSERS:
        return None
    end = quotes.span(index)
    if end is None:
        return None
    return Token("quoted", text[index + 1 : end], index, end + 1)


def _piece(text: str, index: int) -> Token:
    boundary = index == 0 or not text[index - 1].isalnum()
    for kind, pattern in (("address", _ADDRESS), ("address", _MAIL), ("number", _NUMBER)):
        if boundary and (found := pattern.match(text, index)):
            raw = found.group().rstrip(_TRAILING) if kind == "address" else found.group()
            if raw and not (raw[0] == "(" and kind == "number"):
                return _number_or_word(kind, text, index, index + len(raw))
    if found := _ARROW.match(text, index):
        return Token("arrow", found.group(), index, found.end())
    if found := _WORD.match(text, index):
        return Token("word", found.group(), index, _with_dot(text, found))
    kind = "mark" if text[index] in SEPARATORS else "word"
    return Token(kind, text[index], index, index + 1)


def _number_or_word(kind: str, text: str, index: int, end: int) -> Token:
    return Token(kind, text[index:end], index, end)


def _with_dot(text: str, found: patterns.Match) -> int:
    """The end of a word, its dot taken along when it is an abbreviation ("Dr. Patel")."""
    end = found.end()
    if found.group().lower() in ABBREVIATIONS and text[end : end + 2] == ". ":
        return end + 1
    return end
