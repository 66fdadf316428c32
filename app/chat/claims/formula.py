"""Recomputes the result that a claim states, from numbers in its quotes."""

import ast
from dataclasses import dataclass
from decimal import Decimal, DecimalException

from app.text import patterns

EXAMPLE = "31 * 4 = 124"
EXAMPLES = {"formula": EXAMPLE, "counted": "count = 3", "measures": "60 or 12"}
COUNT = "count"  # the number of quotes, for claims that count something
# Days per week, months per year, hours per day, minutes, days per year, 1000 for units, seconds per hour.
MEASURES = frozenset(f"n:{one}" for one in (7, 12, 24, 60, 365, 1000, 3600))
LONGEST = 300  # characters
_SIGNS = str.maketrans({"\u00d7": "*", "\u00b7": "*", "\u00f7": "/", ":": "/", "\u2212": "-"})
_NUMBER = patterns.compile(r"\d+(?:\.\d+)?")
_THOUSANDS = patterns.compile(r"-?[1-9]\d{0,2}(?:\.\d{3})+")
_ARITHMETIC = patterns.compile(r"[\d\s.+*/()-]+")
_PERCENT = frozenset({"n:100"})


@dataclass(frozen=True, slots=True)
class FormulaResult:
    """A correct formula, as shown, and the keys of its result and its operands."""

    text: str
    keys: frozenset[str]


def evaluate_formula(
    formula: str, known: frozenset[str], *, quotes: int, percent: bool
) -> FormulaResult | str:
    """Evaluate a formula such as "31 * 4 = 124", whose numbers must be known or measures, such as 60 and 12;
    returns the reason as a sentence if it fails. With `percent` it may use 100. "count = 3" is correct for
    three `quotes`.
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
    numbers = _NUMBER.findall(left)
    if absent := [one for one in numbers if not (_plain(one) | _thousands(one)) & allowed]:
        return f"{', '.join(absent)} of its formula is in none of its quotes"
    # A quoted "357.136" may be in thousands; then the result must be written in the same way.
    in_thousands = any(not _plain(one) & allowed for one in numbers)
    if in_thousands and not _thousands(result):
        return f"its formula separates thousands, and {result} does not"
    try:
        value = _value(ast.parse(left.strip(), mode="eval").body)
        digits = len(result.partition(".")[2])
        is_correct = round(value, digits) == Decimal(result) or value == Decimal(result)
    except (DecimalException, SyntaxError, TypeError, ValueError, RecursionError, MemoryError):
        return "its formula cannot be computed"
    if not is_correct:
        return f"its formula does not come to {result}"
    text = " ".join(f"{left.strip()} = {result}".split())
    # A claim may name its operands but no measures: the 7 in "for 7 visits" is not that of a week.
    operands = [_plain(one) | _thousands(one) for one in numbers]
    result_keys = _thousands(result) if in_thousands else _plain(result)
    keys = result_keys.union(*(one for one in operands if one & known))
    return FormulaResult(text.replace("*", "\u00d7").replace("/", "\u00f7"), keys)


def _plain(number: str) -> frozenset[str]:
    """The keys of a number, also negated: a quoted "-0.125" is subtracted as "- 0.125"."""
    value = f"{abs(Decimal(number)).normalize():f}"
    return frozenset({f"n:{value}", f"n:-{value}"})


def _thousands(number: str) -> frozenset[str]:
    """The key of a number whose points may separate thousands, such as "357.136"."""
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
