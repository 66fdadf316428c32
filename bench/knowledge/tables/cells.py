"""Check whether a chunk states a cell: its row's name, its column's name and the value, in their places."""

import re
from collections.abc import Iterator

from bench.knowledge.tables.specs import Asked

_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")


def states_cell(text: str, asked: Asked) -> bool:
    """In a table: below the column's names and beside the row's. In a list of `column: value`: on one
    line, in the same list as the row's name.
    """
    return any(_in_row(head, row, asked) for head, row in rows(text)) or _in_list(text, asked)


def rows(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """Each table row of a text, with its header."""
    head: list[str] = []
    before: list[str] = []
    for line in text.split("\n"):
        if not line.startswith("|"):
            head = []
        elif _RULE.fullmatch(line.strip()):
            head = before
        elif head:
            yield head, _cells(line)
        before = _cells(line)


def _in_row(head: list[str], row: list[str], asked: Asked) -> bool:
    places = [
        at
        for at, name in enumerate(head)
        if all(_plain(part) in _plain(name) for part in asked.column)
    ]
    beside = {_plain(cell) for cell in row}
    named = all(_plain(name) in beside for name in asked.row)
    return named and any(at < len(row) and _plain(row[at]) == _plain(asked.value) for at in places)


def _in_list(text: str, asked: Asked) -> bool:
    for block in re.split(r"\n\s*\n", text):
        lines = [line for line in block.split("\n") if ": " in line]
        values = [(name, value) for name, _, value in (line.partition(": ") for line in lines)]
        named = {_plain(value) for _, value in values}
        if all(_plain(name) in named for name in asked.row) and any(
            _plain(value) == _plain(asked.value)
            and all(_plain(part) in _plain(name) for part in asked.column)
            for name, value in values
        ):
            return True
    return False


def _cells(line: str) -> list[str]:
    return _BAR.split(line.strip().removeprefix("|").removesuffix("|"))


def _plain(text: str) -> str:
    """The text without wrapping and Markdown escapes."""
    text = text.replace("<br>", " ").replace("\\", "")
    return re.sub(r"\s+", "", text).casefold()
