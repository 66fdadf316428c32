"""The passages that a model was shown, and where in them a quote stands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from app.domain.chat import Evidence
from app.text import patterns

LONGEST_QUOTE = 800  # characters: a longer one would show anything that is on its page
_MARKS = str.maketrans(
    dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"')
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2039\u203a\u2032`\u00b4", "'")
)
# A hyphen at the end of a line: only who knows the word can say whether it is written with one.
_MAYBE = "\u00ad"
_BROKEN = patterns.compile(r"(?<=\w)[-\u2010\u00ad][^\S\n]*\n\s*(?=\w)|\u00ad")
HEADING = patterns.compile(r"^(#{1,6})[^\S\n]+(.*\S)", patterns.MULTILINE)


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """A quote where it stands: the passage, its own words there, the headings above it, and its place in the
    passage as (start, end), if known.
    """

    evidence: Evidence
    words: str
    path: tuple[str, ...] = ()
    span: tuple[int, int] | None = None

    @property
    def place(self) -> str:
        """What the passage stands under: title, headings, and the head of the table that a row is of."""
        head = ""
        if "|" in self.words:
            head = next((one for one in self.evidence.text.splitlines() if "|" in one), "")
        return "\n".join((self.evidence.title, *self.path, head))

    @property
    def numbers(self) -> tuple[int, int] | None:
        """The first and the last page, or row of a sheet, where more is known than of the passage."""
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
    """All passages of one answer, each folded once."""

    evidence: Sequence[Evidence]
    _folded: dict[str, "_Folded"] = field(default_factory=dict)

    def find(self, ref: str, words: str, *, counted: bool = False) -> SourceSpan | None:
        """Where the words stand: in the passage that was named, else in any other. Whitespace, hyphens at the
        ends of lines and the shape of quotation marks may differ, and nothing else.
        What is `counted` may be a bare number.
        """
        wanted = _folded(words).text.strip()
        if not (_is_distinctive(wanted) or (counted and any(map(str.isdigit, wanted)))):
            return None
        for evidence in sorted(self.evidence, key=lambda one: one.ref != ref):
            if evidence.ref not in self._folded:
                self._folded[evidence.ref] = _folded(evidence.text)
            if (span := self._folded[evidence.ref].span(wanted)) is not None:
                found = " ".join(evidence.text[slice(*span)].split())
                begins = HEADING.match(evidence.text, span[0])
                at = begins.end() if begins else span[0]
                return SourceSpan(evidence, found, path_at(evidence, at), span)
        return None

    def names(self, word: str, question: str) -> bool:
        """Whether a passage or the question writes the word with its capital within a sentence, and none
        without.
        """
        within = patterns.compile(rf"[^\W\d_],? {patterns.escape(word)}(?:$|\W)")
        common = patterns.compile(rf"(?:^|\W){patterns.escape(word.lower())}(?:$|\W)")
        texts = (question, *(one.text for one in self.evidence))
        return any(map(within.search, texts)) and not any(map(common.search, texts))


@dataclass(frozen=True, slots=True)
class _Folded:
    """A text as it is compared, and where each of its characters stands in the text itself."""

    text: str
    places: list[int]

    def span(self, words: str) -> tuple[int, int] | None:
        """Where the words stand whole: "5 days" does not stand in "25 days"."""
        for at, end in self._spans(words):
            if not (_cuts(self.text, at) or _cuts(self.text, end)):
                return self.places[at], self.places[end - 1] + 1
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
    """The headings above a place of a passage: those of the whole passage, then those in it."""
    under: dict[int, str] = {}
    for found in HEADING.finditer(evidence.text[:at]):
        level = len(found[1])
        under = {each: title for each, title in under.items() if each < level} | {level: found[2]}
    inner = list(under.values())
    return (*evidence.heading_path, *(one for one in inner if one not in evidence.heading_path))


def _is_distinctive(words: str) -> bool:
    """Whether a quote can show anything: it has letters or is the row of a table, and is no page."""
    return len(words) <= LONGEST_QUOTE and ("|" in words or any(map(str.isalpha, words)))


def _cuts(text: str, at: int) -> bool:
    """Whether a word or a number goes on at this place."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before.isdigit() and after in ".," and text[at + 1 : at + 2].isdigit():
        return True
    if before in ".," and after.isdigit() and text[at - 2 : at - 1].isdigit():
        return True
    return _joins(before) and _joins(after)


def _joins(one: str) -> bool:
    """Digits, and letters that have cases: scripts without blanks between words have none."""
    return one.isdigit() or one.lower() != one.upper()


def _folded(text: str) -> _Folded:
    breaks = {one.start(): one.end() for one in _BROKEN.finditer(text)}
    kept: list[str] = []
    places: list[int] = []
    over = 0
    for at, one in enumerate(text.translate(_MARKS)):
        over = max(over, breaks.get(at, 0))
        sign = _MAYBE if at in breaks else " " if one.isspace() else one
        if (at < over and at not in breaks) or (sign == " " and kept[-1:] in ([], [" "])):
            continue
        kept.append(sign)
        places.append(at)
    return _Folded("".join(kept), places)
