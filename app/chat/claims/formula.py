"""A result that a claim states, computed again from numbers that stand in what it cites."""

import ast
from dataclasses import dataclass
from decimal import Decimal, DecimalException

from app.text import patterns

EXAMPLE = "31 * 4 = 124"
EXAMPLES = {"formula": EXAMPLE, "counted": "count = 3", "measures": "60 or 12"}
COUNT = "count"  # of the quotes, where a claim tells how many there are of something
# Days a week, months a year, hours, minutes, days a year, a thousand of a unit, seconds an hour.
MEASURES = frozenset(f"n:{one}" for one in (7, 12, 24, 60, 365, 1000, 3600))
LONGEST = 300  # characters
_SIGNS = str.maketrans({"\u00d7": "*", "\u00b7": "*", "\u00f7": "/", ":": "/", "\u2212": "-"})
_NUMBER = patterns.compile(r"\d+(?:\.\d+)?")
_THOUSANDS = patterns.compile(r"-?[1-9]\d{0,2}(?:\.\d{3})+")
_ARITHMETIC = patterns.compile(r"[\d\s.+*/()-]+")
_PERCENT = frozenset({"n:100"})


@dataclass(frozen=True, slots=True)
class FormulaResult:
    """A formula that holds: as it is shown, and the keys of its result and of what it was computed from."""

    text: str
    keys: frozenset[str]


def evaluate_formula(
    formula: str, known: frozenset[str], *, quotes: int, percent: bool
) -> FormulaResult | str:
    """What "31 * 4 = 124" comes to if its numbers are known, or are of measures, as 60 and 12 are; otherwise
    why it fails, in a sentence. With `percent` it may divide by 100. "count = 3" holds of three `quotes`.
    """
    left, equals, right = formula.translate(_SIGNS).strip().rpartition("=")
    result = right.strip()
    if left.strip() == COUNT:
        if result != str(quotes):
            return f"its formula counts {result}, and there are {quotes} different quotes"
        return FormulaResult(f"{COUNT} = {result}", frozenset({f"n:{result}"}))
    if not equals or len(formula) > LONGEST or not _ARITHMETIC.fullmatch(left):
        return f"its formula is none: write plain numbers, as in {EXAMPLE}"
    if not patterns.fullmatch(r"-?\d+(?:\.\d+)?", result):
        return "its formula has no plain number as its result"
    allowed = known | MEASURES | (_PERCENT if percent else frozenset())
    numbers = [one[0] for one in _NUMBER.finditer(left)]
    if absent := [one for one in numbers if not (_plain(one) | _thousands(one)) & allowed]:
        return f"{', '.join(absent)} of its formula stands in none of its quotes"
    # Whether "357.136" of a quote are thousands is not known: the result is to be written in the same way.
    either = any(not _plain(one) & allowed for one in numbers)
    if either and not _thousands(result):
        return f"its formula parts thousands, and {result} is not written so"
    try:
        value = _value(ast.parse(left.strip(), mode="eval").body)
        digits = len(result.partition(".")[2])
        right_value = round(value, digits) == Decimal(result) or value == Decimal(result)
    except (DecimalException, SyntaxError, TypeError, ValueError, RecursionError, MemoryError):
        return "its formula cannot be computed"
    if not right_value:
        return f"its formula does not come to {result}"
    shown = " ".join(f"{left.strip()} = {result}".split())
    # A claim may name what it was computed from, and no measure: "for 7 visits" is none of a week.
    read = [_plain(one) | _thousands(one) for one in numbers]
    comes_to = _thousands(result) if either else _plain(result)
    keys = comes_to.union(*(one for one in read if one & known))
    return FormulaResult(shown.replace("*", "\u00d7").replace("/", "\u00f7"), keys)


def _plain(number: str) -> frozenset[str]:
    """Its keys, also as one below zero: "-0.125" of a quote is taken away as "- 0.125"."""
    value = f"{abs(Decimal(number)).normalize():f}"
    return frozenset({f"n:{value}", f"n:-{value}"})


def _thousands(number: str) -> frozenset[str]:
    """The key of "357.136" where its point parts thousands; none where it cannot."""
    return frozenset({f"n:{number.replace('.', '')}"} if _THOUSANDS.fullmatch(number) else ())


def _value(node: ast.expr) -> Decimal:
    match node:
        case ast.Constant(value=int() | float() as number):
            return Decimal(str(number))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=op, right=right):
            return _apply(op, _value(left), _value(right))
    raise ValueError(ast.dump(node))


def _apply(op: ast.operator, left: Decimal, right: Decimal) -> Decimal:
    match op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
    raise ValueError(type(op).__name__)
