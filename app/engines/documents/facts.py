"""Names with their values, as documents write them: in a line, a table, or a plain sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.domain.background import Passage
from app.engines.grounding.label import label, stem
from app.engines.grounding.similarity import MEANING, similarity
from app.text import patterns

_MARKS = patterns.compile(r"[*_`]{1,3}")
_BULLET = patterns.compile(r"^\s*(?:[-*+•]|\d+[.)]|#+|>)\s+")
_PAIR = patterns.compile(r"^(?P<name>[^:|\n]{2,60}?)\s*[:=]\s+(?P<value>\S.{0,200}?)\s*$")
_SENTENCE = patterns.compile(r"(?<=[.!?。])\s+(?=[^\W\d_a-z])")
_IS = patterns.compile(
    r"^(?:the|our|its|your)?\s*(?P<name>[^,.:;]{2,60}?)\s+(?:is|are|ist|est|es)\s+(?P<value>\S.{0,120}?)[.]?$",
    patterns.IGNORECASE,
)
USUAL = patterns.compile(
    r"^(?:(?:the|our|its|default|standard|usual|current|company)\s+)+", patterns.IGNORECASE
)
_RULE = patterns.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
LONGEST = 200  # characters of a value: what is longer is a text


@dataclass(frozen=True, slots=True)
class Fact:
    """A value that a passage gives under a name; `line` is where it says so."""

    value: str
    line: str
    passage: Passage


def facts(passages: Sequence[Passage], name: str, whose: str = "") -> list[Fact]:
    """What the documents give under that name, of `whose` if somebody's; no value twice."""
    found: dict[str, Fact] = {}
    for passage in passages:
        for value, line in _in(passage.text, name, whose):
            found.setdefault(value.casefold(), Fact(value, line, passage))
    return list(found.values())


def lines_of(text: str) -> Iterator[str]:
    """The lines of a Markdown text and the sentences in them, without marks; of a table each row, its cells
    with their headings.
    """
    heading: list[str] = []
    for line in text.splitlines():
        plain = _MARKS.sub("", _BULLET.sub("", line)).strip()
        if "|" not in line:
            heading = []
            yield from _SENTENCE.split(plain) if plain else ()
        elif not heading:
            heading = _cells(line)
        elif not _RULE.match(line):
            cells = zip(heading, _cells(line), strict=False)
            yield ", ".join(f"{head}: {cell}" if head else cell for head, cell in cells if cell)


def _in(text: str, name: str, whose: str) -> Iterator[tuple[str, str]]:
    if not label(name).words:
        return
    yield from _in_tables(text, name, whose)
    if whose:
        return
    for line in lines_of(text):
        for shape in (_PAIR, _IS):
            said = shape.match(line)
            if said is not None and "|" not in line and _means(name, said["name"]):
                yield _value(said["value"]), line
                break


def _in_tables(text: str, name: str, whose: str) -> Iterator[tuple[str, str]]:
    """The cell under a heading in the row that says whose; of two columns also name and value."""
    heading: list[str] = []
    for line in text.splitlines():
        if "|" not in line:
            heading = []
            continue
        if _RULE.match(line):
            continue
        cells = _cells(line)
        if not heading:
            heading = cells
        if len(cells) == 2 and not whose and cells[1] and _means(name, cells[0]):
            yield _value(cells[1]), " | ".join(cells)
        elif whose and cells is not heading and len(cells) == len(heading):
            yield from _of_row(cells, heading, name, whose)


def _of_row(
    cells: list[str], heading: list[str], name: str, whose: str
) -> Iterator[tuple[str, str]]:
    # "The Pro plan" is the row "Pro" of a table of plans.
    kind = {stem(word) for word in label(heading[0]).words}
    bare = " ".join(word for word in whose.split() if stem(word.casefold()) not in kind) or whose
    if not any(_means(whose, cell) or _means(bare, cell) for cell in cells):
        return
    for head, cell in zip(heading, cells, strict=True):
        if cell and _means(name, head):
            yield _value(cell), " | ".join(cells)


def _cells(line: str) -> list[str]:
    return [_MARKS.sub("", cell).strip() for cell in line.strip().strip("|").split("|")]


def _means(wanted: str, name: str) -> bool:
    """Whether the document calls so what is wanted, "default", "our" and the like aside."""
    for one, other in ((wanted, name), (USUAL.sub("", wanted), USUAL.sub("", name))):
        if one and other and similarity(label(one), label(other))[0] >= MEANING:
            return True
    return False


def _value(text: str) -> str:
    return text.strip().rstrip(".").strip("\"'“”„‘’ ")[:LONGEST]  # noqa: RUF001
