"""The passages shown to a model, and the places of quotes in them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from app.domain.chat import Evidence
from app.text import patterns

LONGEST_QUOTE = 800  # characters; a longer quote would prove anything on its page
_MARKS = str.maketrans(
    dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"')
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2039\u203a\u2032`\u00b4", "'")
)
# Stands for a hyphen at the end of a line, which may or may not be part of the word.
_MAYBE = "\u00ad"
_BROKEN = patterns.compile(r"(?<=\w)[-\u2010\u00ad][^\S\n]*\n\s*(?=\w)|\u00ad")
HEADING = patterns.compile(r"^(#{1,6})[^\S\n]+(.*\S)", patterns.MULTILINE)


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """A quote as found: the passage, the words there, the headings above them, and their (start, end) in the
    passage, if known.
    """

    evidence: Evidence
    words: str
    path: tuple[str, ...] = ()
    span: tuple[int, int] | None = None

    @property
    def place(self) -> str:
        """The title, the headings, and the table header if the quote is a row."""
        header = ""
        if "|" in self.words:
            header = next((line for line in self.evidence.text.splitlines() if "|" in line), "")
        return "\n".join((self.evidence.title, *self.path, header))

    @property
    def numbers(self) -> tuple[int, int] | None:
        """The first and last page, or row of a sheet, if known more precisely than for the passage."""
        if self.span is None or not (marks := self.evidence.marks):
            return None
        start, end = self.span
        page = self.evidence.page
        known = [(0, page), *marks] if page is not None else marks
        first = [number for at, number in known if at <= start]
        last = [number for at, number in known if at < end]
        return (first[-1], last[-1]) if first else None

    @property
    def place_line(self) -> str:
        return " \u203a ".join(dict.fromkeys(filter(None, self.place.split("\n"))))


@dataclass(slots=True)
class Sources:
    """All passages of one answer, with a cache of their normalized texts."""

    evidence: Sequence[Evidence]
    _normalized: dict[str, "_Normalized"] = field(default_factory=dict)

    def find(self, ref: str, words: str, *, counted: bool = False) -> SourceSpan | None:
        """Find the words in the named passage, or else in any other. Only whitespace, hyphens at the ends of
        lines and the shape of quotation marks may differ. A `counted` quote may be a bare number.
        """
        needle = _normalize(words).text.strip()
        if not (_is_distinctive(needle) or (counted and any(map(str.isdigit, needle)))):
            return None
        for evidence in sorted(self.evidence, key=lambda one: one.ref != ref):
            if evidence.ref not in self._normalized:
                self._normalized[evidence.ref] = _normalize(evidence.text)
            if (span := self._normalized[evidence.ref].find(needle)) is not None:
                found = " ".join(evidence.text[slice(*span)].split())
                heading = HEADING.match(evidence.text, span[0])
                at = heading.end() if heading else span[0]
                return SourceSpan(evidence, found, path_at(evidence, at), span)
        return None

    def names(self, word: str, question: str) -> bool:
        """Whether the word is a name: passages or the question capitalize it within a sentence, and never
        write it without the capital.
        """
        within = patterns.compile(rf"[^\W\d_],? {patterns.escape(word)}(?:$|\W)")
        common = patterns.compile(rf"(?:^|\W){patterns.escape(word.lower())}(?:$|\W)")
        texts = (question, *(one.text for one in self.evidence))
        return any(map(within.search, texts)) and not any(map(common.search, texts))


@dataclass(frozen=True, slots=True)
class _Normalized:
    """A text as compared, and the offset of each of its characters in the original."""

    text: str
    offsets: list[int]

    def find(self, words: str) -> tuple[int, int] | None:
        """The span of the words in the original; whole words only: "25 days" does not contain "5 days"."""
        for at, end in self._spans(words):
            if not (_is_inside_word(self.text, at) or _is_inside_word(self.text, end)):
                return self.offsets[at], self.offsets[end - 1] + 1
        return None

    def _spans(self, words: str) -> Iterator[tuple[int, int]]:
        if _MAYBE in self.text or _MAYBE in words:
            yield from (one.span() for one in patterns.finditer(_pattern(words), self.text))
            return
        at = self.text.find(words)
        while at >= 0:
            yield at, at + len(words)
            at = self.text.find(words, at + 1)


def _pattern(words: str) -> str:
    hyphen = f"[-\u2010{_MAYBE}]"
    return "".join(
        f"{hyphen}?"
        if one == _MAYBE
        else hyphen
        if one in "-\u2010"
        else f"{patterns.escape(one)}{_MAYBE}?"
        for one in words
    )


def path_at(evidence: Evidence, at: int) -> tuple[str, ...]:
    """The headings above an offset in a passage: those of the passage, then those within it."""
    inner: dict[int, str] = {}
    for found in HEADING.finditer(evidence.text[:at]):
        level = len(found[1])
        above = {other: title for other, title in inner.items() if other < level}
        inner = above | {level: found[2]}
    outer = evidence.heading_path
    return (*outer, *(title for title in inner.values() if title not in outer))


def _is_distinctive(words: str) -> bool:
    """Whether a quote can prove anything: it is short, and has letters or is a table row."""
    return len(words) <= LONGEST_QUOTE and ("|" in words or any(map(str.isalpha, words)))


def _is_inside_word(text: str, at: int) -> bool:
    """Whether the offset is within a word or a number."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before.isdigit() and after in ".," and text[at + 1 : at + 2].isdigit():
        return True
    if before in ".," and after.isdigit() and text[at - 2 : at - 1].isdigit():
        return True
    return _is_word_character(before) and _is_word_character(after)


def _is_word_character(character: str) -> bool:
    """Digits, and letters with case: scripts without spaces between words have none."""
    return character.isdigit() or character.lower() != character.upper()


def _normalize(text: str) -> _Normalized:
    """Unify quotation marks, collapse whitespace, and replace hyphens at the ends of lines by `_MAYBE`."""
    breaks = {found.start(): found.end() for found in _BROKEN.finditer(text)}
    characters: list[str] = []
    offsets: list[int] = []
    break_end = 0
    for at, original in enumerate(text.translate(_MARKS)):
        break_end = max(break_end, breaks.get(at, 0))
        character = _MAYBE if at in breaks else " " if original.isspace() else original
        is_repeated_space = character == " " and characters[-1:] in ([], [" "])
        if (at < break_end and at not in breaks) or is_repeated_space:
            continue
        characters.append(character)
        offsets.append(at)
    return _Normalized("".join(characters), offsets)
