"""Strings that make a backtracking matcher, or a nested loop, slow."""

import random
import re
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

SIZES = (1_000, 10_000, 100_000)
UNITS = (
    "a", " ", "0", "so, ", "aa.", "<!---->", "(", "a b ", "\n", "- ", "1,1.", '"a" ', "é ", "א-", "Ab ",
    "and or ", "a@b.c ", "x=1;", "| a ", "# a\n", "&lt;", "\\", "/a", "?a=%41",
)  # fmt: skip
MOST_OF_ITS_OWN = 12  # units made from the pattern itself


def pump(unit: str, size: int, nth: int = 0) -> str:
    """Repeat the unit, with an end that fails the match so far and a number that defeats caches."""
    return (unit * (size // len(unit) + 1))[: size - 3] + f"{nth}\x00!"


def units_of(pattern: str, flags: int) -> list[str]:
    """The pieces that the pattern looks for, alone and separated."""
    pieces = sorted({piece for piece in _pieces(_parser.parse(pattern, flags)) if piece.strip()})
    chosen = random.Random(7).sample(pieces, min(len(pieces), MOST_OF_ITS_OWN // 2))
    return [end for piece in chosen for end in (piece, f"{piece} ")]


def _pieces(tree: Any) -> list[str]:
    found, run = [], ""
    for kind, value in tree:
        if kind is op.LITERAL:
            run += chr(value)
            continue
        found.append(run)
        run = ""
        if kind is op.IN:
            run = next((chr(one) for what, one in value if what is op.LITERAL), "")
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT):
            found += _pieces(value[2])
        elif kind is op.SUBPATTERN:
            found += _pieces(value[3])
        elif kind is op.BRANCH:
            found += [piece for part in value[1] for piece in _pieces(part)]
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            found += _pieces(value[1])
    return [re.sub(r"[\ud800-\udfff]", "", piece) for piece in (*found, run) if piece]
