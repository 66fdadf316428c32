"""Translates Python's pattern syntax to RE2's, which matches in linear time.

RE2 has no lookaround, and its word boundaries are ASCII only. Both are emulated: such a pattern is
matched against a text in which each position is preceded by the marks of the conditions that hold there
(see `app.text.patterns`), and the translated condition matches its mark. Backreferences have no linear
form and are rejected.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

_compiler: Any = import_module("re._compiler")  # `re`'s internals have no types
_parser: Any = import_module("re._parser")
op: Any = import_module("re._constants")
SURROGATES = range(0xD800, 0xE000)  # surrogates; RE2 reads whole characters
NO_CHARACTER = 0xFFFF  # their replacement
# The first ones take one byte.
MARKS = (*range(0x09), *range(0x0E, 0x20), *range(0x10FF00, 0x110000))
_ANY_MARK = r"\x00-\x08\x0e-\x1f\x{10ff00}-\x{10ffff}"

_UNICODE = {
    op.CATEGORY_WORD: r"\p{L}\p{N}_",
    op.CATEGORY_DIGIT: r"\p{Nd}",
    op.CATEGORY_SPACE: r"\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}"
    r"\x{202f}\x{205f}\x{3000}",
}
_ASCII = {
    op.CATEGORY_WORD: "0-9A-Za-z_",
    op.CATEGORY_DIGIT: "0-9",
    op.CATEGORY_SPACE: r"\t-\r\x1c-\x20",
}
_OPPOSITES = {
    op.CATEGORY_NOT_WORD: op.CATEGORY_WORD,
    op.CATEGORY_NOT_DIGIT: op.CATEGORY_DIGIT,
    op.CATEGORY_NOT_SPACE: op.CATEGORY_SPACE,
}
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT)
_LOOKS = (op.ASSERT, op.ASSERT_NOT)
_ONE_CHARACTER = (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)
_STARTS = (op.AT_BEGINNING, op.AT_BEGINNING_STRING)
_ENDS = (op.AT_END, op.AT_END_STRING)
_MOST_REPEATS = 1000  # RE2's limit
_COUNTS = {(0, 1): "?", (0, op.MAXREPEAT): "*", (1, op.MAXREPEAT): "+"}

Node = Any  # Python's parser has no types


class PatternNotLinear(ValueError):
    """Part of the pattern cannot be matched in linear time; rewrite it."""


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A condition on the characters before and after a position."""

    where: str  # before | after | boundary
    character: re.Pattern[str]  # of one character
    at_edge: bool = False  # whether the start or end of the text meets it
    negated: bool = False

    def holds(self, before: str, after: str) -> bool:
        """Whether it holds between these two characters; "" is the start or end of the text."""
        if self.where == "boundary":
            return (self._fits(before) != self._fits(after)) != self.negated
        return self._fits(before if self.where == "before" else after) != self.negated

    def _fits(self, one: str) -> bool:
        return self.character.match(one) is not None if one else self.at_edge


@dataclass(frozen=True, slots=True)
class Look:
    """A lookaround: what must (not) match, starting so many characters before a position."""

    body: "Translation"
    back: int = 0
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Translation:
    """A pattern in RE2's syntax, its conditions, and the most conditions checked at one position."""

    source: str
    conditions: tuple[Neighbor | Look, ...] = ()
    copies: int = 0


def translate(pattern: str, flags: int, *, of_ascii: bool = False) -> Translation:
    """Translate a pattern for any text, or for ASCII only, with classes a hundredth in size.

    Raises `PatternNotLinear`, and `re.error` for an invalid pattern.
    """
    tree = _parser.parse(pattern, flags)
    names = {number: name for name, number in tree.state.groupdict.items()}
    marked = any(map(_needs_marks, _nodes(tree)))
    return _translation(tree, _Writer(tree.state.flags, names, marked, of_ascii))


def _translation(tree: Node, writer: "_Writer") -> Translation:
    source = f"{'(?i)' if writer.flags & re.IGNORECASE else ''}(?:{writer.sequence(tree)})"
    if not writer.marked:
        return Translation(source)
    if len(writer.conditions) > len(MARKS):
        raise PatternNotLinear(f"more than {len(MARKS)} conditions have no linear form")
    # The marks of the end come after the last character.
    return Translation(f"{source}[{_ANY_MARK}]*", tuple(writer.conditions), max(_run(tree)[:3]))


def _needs_marks(node: tuple[Node, Node]) -> bool:
    return node[0] in _LOOKS or (
        node[0] is op.AT and node[1] in (op.AT_BOUNDARY, op.AT_NON_BOUNDARY)
    )


@dataclass(slots=True)
class _Writer:
    flags: int
    names: dict[int, str]
    marked: bool
    of_ascii: bool
    conditions: list[Neighbor | Look] = field(default_factory=list)

    def sequence(self, tree: Iterable[tuple[Node, Node]]) -> str:
        return "".join(self._item(kind, value) for kind, value in tree)

    def _item(self, kind: Node, value: Node) -> str:
        if kind in _ONE_CHARACTER:
            return self._character(*self._charset(kind, value))
        if kind is op.BRANCH:
            return f"(?:{'|'.join(self.sequence(part) for part in value[1])})"
        if kind is op.SUBPATTERN:
            return self._group(*value)
        if kind in _REPEATS:
            return self._repeat(kind, *value)
        if kind is op.AT:
            return self._position(value)
        if kind in _LOOKS:
            return self._look(kind is op.ASSERT_NOT, value[0] < 0, value[1])
        raise PatternNotLinear(f"{str(kind).lower()} has no linear form")

    def _character(self, inside: str, negated: bool) -> str:
        if not self.marked:
            return f"[{'^' if negated else ''}{inside}]" if inside else "(?s:.)"
        return f"[{_ANY_MARK}]*[{'^' + _ANY_MARK if negated else ''}{inside}]"

    def _group(self, number: int | None, added: int, removed: int, body: Node) -> str:
        if (added | removed) & ~re.IGNORECASE:
            raise PatternNotLinear("for a part of a pattern only IGNORECASE has a linear form")
        case = "i" if added else "-i" if removed else ""
        start = (
            f"?{case}:"
            if number is None
            else f"?P<{self.names[number]}>"
            if number in self.names
            else ""
        )
        return f"({start}{self.sequence(body)})"

    def _repeat(self, kind: Node, least: int, most: int, body: Node) -> str:
        if least > _MOST_REPEATS or _MOST_REPEATS < most < op.MAXREPEAT:
            raise PatternNotLinear(f"more than {_MOST_REPEATS} repeats have no linear form")
        count = f"{{{least},{'' if most is op.MAXREPEAT else most}}}"
        lazy = "?" if kind is op.MIN_REPEAT else ""
        return f"(?:{self.sequence(body)}){_COUNTS.get((least, most), count)}{lazy}"

    def _position(self, where: Node) -> str:
        if where in (op.AT_BOUNDARY, op.AT_NON_BOUNDARY):
            word = self._compiled([(op.IN, [(op.CATEGORY, op.CATEGORY_WORD)])])
            return self._condition(Neighbor("boundary", word, False, where is op.AT_NON_BOUNDARY))
        lines = bool(self.flags & re.MULTILINE) and where in (op.AT_BEGINNING, op.AT_END)
        if not self.marked:
            return (
                ("(?m:^)" if lines else r"\A") if where in _STARTS else "(?m:$)" if lines else r"\z"
            )
        line_end = self._compiled([(op.LITERAL, 10)] if lines else [(op.FAILURE, None)])
        return self._condition(Neighbor("before" if where in _STARTS else "after", line_end, True))

    def _look(self, negated: bool, back: bool, body: Node) -> str:
        if any(kind is op.SUBPATTERN and value[0] is not None for kind, value in _nodes(body)):
            raise PatternNotLinear("a group in a look has no linear form")
        parts = [[*body]]
        while (
            len(parts) == 1 and len(parts[0]) == 1 and parts[0][0][0] in (op.SUBPATTERN, op.BRANCH)
        ):
            kind, value = parts[0][0]
            parts = [[*part] for part in (value[1] if kind is op.BRANCH else [value[3]])]
        edges = [part for part in parts if len(part) == 1 and self._is_edge(part[0], back)]
        near = [part for part in parts if len(part) == 1 and part[0][0] in _ONE_CHARACTER]
        further = [part for part in parts if part not in edges and part not in near]
        read = [self._look_further(negated, back, self._tree(part)) for part in further]
        if near or edges:
            either = [(op.BRANCH, (None, [self._tree(part) for part in near]))]
            fitting = self._compiled(either if near else [(op.FAILURE, None)])
            where = "before" if back else "after"
            read.insert(0, self._condition(Neighbor(where, fitting, bool(edges), negated)))
        return "".join(read) if negated else f"(?:{'|'.join(read)})"

    def _look_further(self, negated: bool, back: bool, body: Node) -> str:
        # A window does not end where the text ends, so conditions on the end use marks.
        marked = any(kind is op.AT or kind in _LOOKS for kind, _ in _nodes(body))
        body_read = _translation(body, _Writer(self.flags, {}, marked, self.of_ascii))
        return self._condition(Look(body_read, body.getwidth()[0] if back else 0, negated))

    def _is_edge(self, node: Node, back: bool) -> bool:
        return node[0] is op.AT and node[1] in (_STARTS if back else _ENDS)

    def _condition(self, wanted: Neighbor | Look) -> str:
        if wanted not in self.conditions:
            self.conditions.append(wanted)
        mark = MARKS[self.conditions.index(wanted) % len(MARKS)]
        return f"[{_ANY_MARK}]*{_escaped(mark)}"

    def _charset(self, kind: Node, value: Node) -> tuple[str, bool]:
        """The members of a character class, and whether it is negated."""
        if kind is op.IN:
            return self._class([*value])
        if kind is op.ANY:
            return ("", True) if self.flags & re.DOTALL else (r"\n", True)
        return _escaped(value), kind is op.NOT_LITERAL

    def _class(self, members: list[Node]) -> tuple[str, bool]:
        negated = members[0][0] is op.NEGATE
        members = members[negated:]
        categories = _ASCII if self.of_ascii or self.flags & re.ASCII else _UNICODE
        opposite = [value for kind, value in members if kind is op.CATEGORY and value in _OPPOSITES]
        if opposite and len(members) == 1:
            return categories[_OPPOSITES[opposite[0]]], not negated
        if opposite:  # such as all letters: neither non-word characters nor digits
            return self._ranges_without(members), not negated
        inside = ""
        for kind, value in members:
            if kind is op.CATEGORY:
                inside += categories[value]
            elif kind is op.LITERAL:
                inside += _escaped(value)
            else:
                inside += f"{_escaped(value[0])}-{_escaped(value[1])}"
                if value[0] <= SURROGATES[-1] and SURROGATES[0] <= value[1]:
                    inside += _escaped(NO_CHARACTER)
        return inside, negated

    def _ranges_without(self, members: list[Node]) -> str:
        """The word characters, digits or spaces left by a class of all but these."""
        others = self._tree([(op.IN, [(op.NEGATE, None), *members])])
        runs = self._compiled([(op.MAX_REPEAT, (1, op.MAXREPEAT, others))])
        return "".join(
            f"{_escaped(ord(run[0][0]))}-{_escaped(ord(run[0][-1]))}"
            for run in runs.finditer(_every_character(self.of_ascii))
        )

    def _compiled(self, nodes: list[Node]) -> re.Pattern[str]:
        """Compile with Python's own engine, for a single character; it never matches a text."""
        return _compiler.compile(self._tree(nodes), self.flags)  # type: ignore[no-any-return]

    def _tree(self, nodes: list[Node]) -> Node:
        state = _parser.State()
        state.flags, state.str = self.flags, ""
        return _parser.SubPattern(state, nodes)


def _escaped(code: int) -> str:
    return f"\\x{{{code:x}}}"


@cache
def _every_character(of_ascii: bool) -> str:
    """All characters that may be word characters, digits or spaces: none is beyond plane 3."""
    if of_ascii:
        return "".join(map(chr, range(128)))
    return "".join(map(chr, (*range(SURROGATES[0]), *range(0xE000, 0x40000))))


def _nodes(tree: Iterable[tuple[Node, Node]]) -> Iterator[tuple[Node, Node]]:
    for kind, value in tree:
        yield kind, value
        for part in _parts(kind, value):
            yield from _nodes(part)


def _parts(kind: Node, value: Node) -> list[Node]:
    if kind in _REPEATS:
        return [value[2]]
    if kind is op.SUBPATTERN:
        return [value[3]]
    return [*value[1]] if kind is op.BRANCH else []


def _run(tree: Iterable[tuple[Node, Node]]) -> tuple[int, int, int, bool]:
    """Conditions before the first character, after the last, the maximum; whether it can be empty."""
    lead = trail = most = 0
    empty = True
    for kind, value in tree:
        first, last, within, nothing = _run_of(kind, value)
        lead += first if empty else 0
        most = max(most, within, trail + first)
        trail = trail + last if nothing else last
        empty = empty and nothing
    return lead, trail, max(most, lead, trail), empty


def _run_of(kind: Node, value: Node) -> tuple[int, int, int, bool]:
    if kind is op.AT:
        return 1, 1, 1, True
    if kind in _LOOKS:  # alternatives may become one condition each
        asked = max(
            [len(value[1]) for kind, value in _nodes(value[1]) if kind is op.BRANCH], default=1
        )
        return asked, asked, asked, True
    runs = [_run(part) for part in _parts(kind, value)]
    if not runs:
        return 0, 0, 0, False
    lead, trail, most = (max(run[n] for run in runs) for n in range(3))
    empty = any(run[3] for run in runs)
    if kind in _REPEATS:
        most = max(most, lead + trail if value[1] > 1 else 0)
        empty = empty or value[0] == 0
    return lead, trail, most, empty
