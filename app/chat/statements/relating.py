"""What two statements about the same thing are to each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from app.chat.statements.amounts import Amount, differing, equal, same_kind
from app.chat.statements.force import force_of
from app.chat.statements.reading import Statement
from app.chat.statements.units import MONEY
from app.chat.statements.words import plain_words, root, terms_of
from app.text import patterns

SAME_SUBJECT = 0.42  # likeness from which on two statements with other amounts differ
SAME_SAID = 0.52  # from which on they say the same or the opposite
_PROPER = patterns.compile(r"(?<![.!?:]\s)(?<!^)\b[A-Z][^\W\d_]{2,}(?:\s[A-Z][^\W\d_]+)*")
_CLAUSES = patterns.compile(
    r"[;:.](?:\s|$)|,\s(?=but|however|though|yet|except)|\s[\u2013\u2014-]\s"
)
# What an agreement may not pass over where one alone gives it.
_WEIGHTY = frozenset({"time", "working time", "percent", "ordinal"}) | MONEY
NO_AMOUNT = "no such amount"
LONGEST_SWAP = 3  # words that stand in one where others stand in the other


@dataclass(frozen=True, slots=True)
class Relation:
    """`what` says in what they differ, as "12 characters / 8 characters"; `by` is what tells them apart."""

    kind: Literal["agree", "differ"]
    what: str = ""
    by: Literal["amount", "denial", "force", "name", ""] = ""


def related(one: Statement, other: Statement, alike: float) -> Relation | None:
    """None where they are about different things."""
    if alike < SAME_SUBJECT:
        return None
    pairs = paired(one.amounts, other.amounts)
    unlike = [pair for pair in pairs if differing(*pair)]
    if unlike:
        said = "; ".join(dict.fromkeys(contrast(a, b) for a, b in unlike[:3]))
        return Relation("differ", said, "amount")
    if alike < SAME_SAID:
        return None
    if one.amounts and other.amounts and not pairs:
        return Relation("differ", contrast(one.amounts[0], other.amounts[0]), "amount")
    if one.denies != other.denies:
        beside = _beside(one, other) if one.denies else _beside(other, one)
        said = "" if beside else f"{_said(one)} / {_said(other)}"
        return Relation("differ", said, "denial")
    if {one.force, other.force} in ({"must", "may"}, {"must", "should"}):
        said = f"{_said(one, beside_must=True)} / {_said(other, beside_must=True)}"
        return Relation("differ", said, "force")
    if (names := swapped(one.text, other.text)) is not None:
        return Relation("differ", f"{names[0]} / {names[1]}", "name")
    if (left := _left_out(one, other, pairs)) is not None:
        return Relation("differ", left, "amount")
    return Relation("agree")


def paired(ones: Sequence[Amount], others: Sequence[Amount]) -> list[tuple[Amount, Amount]]:
    """Amounts that measure the same thing in both, each once: those that are equal first, then those with
    most words around them in common.
    """
    may = [
        (not (one.family == other.family and equal(one, other)), -len(one.near & other.near), i, j)
        for i, one in enumerate(ones)
        for j, other in enumerate(others)
        if same_kind(one, other)
    ]
    left, right = set[int](), set[int]()
    found: list[tuple[Amount, Amount]] = []
    for _, _, i, j in sorted(may):
        if i not in left and j not in right:
            left.add(i)
            right.add(j)
            found.append((ones[i], others[j]))
    return found


def contrast(one: Amount, other: Amount) -> str:
    """Both amounts; with their bounds where these are all that differs."""
    if one.text.casefold() == other.text.casefold() or (
        one.family == other.family and equal(one, other)
    ):
        return f"{one.said} / {other.said}"
    return f"{one.text} / {other.text}"


def swapped(one: str, other: str) -> tuple[str, str] | None:
    """Names that stand in one where others stand in the other: "England" and "Germany"."""
    if not (_PROPER.search(one) and _PROPER.search(other)):
        return None
    left, right = one.split(), other.split()
    matcher = SequenceMatcher(
        None, [_bare(word) for word in left], [_bare(word) for word in right], autojunk=False
    )
    for tag, i, k, j, m in matcher.get_opcodes():
        if tag == "replace" and k - i <= LONGEST_SWAP and m - j <= LONGEST_SWAP and i and j:
            ours, theirs = " ".join(left[i:k]).strip(".,;:"), " ".join(right[j:m]).strip(".,;:")
            if _PROPER.search(f"x {ours}") and _PROPER.search(f"x {theirs}"):
                return ours, theirs
    return None


def _beside(denying: Statement, other: Statement) -> bool:
    """Whether what is denied stands in a clause of its own that the other statement says nothing of."""
    clauses = [clause for clause in _CLAUSES.split(denying.text) if clause.strip()]
    denied = [clause for clause in clauses if force_of(clause)[1]]
    if len(clauses) < 2 or len(denied) != 1:
        return False
    terms = frozenset(terms_of(denied[0], denying.tongue))
    return 2 * len(terms & other.terms) < len(terms)


def _left_out(
    one: Statement, other: Statement, pairs: Sequence[tuple[Amount, Amount]]
) -> str | None:
    """A time, a share, or a sum that one of them gives and the other does not: they do not say the same."""
    ours = [each for each in one.amounts if each.family in _WEIGHTY and each not in _firsts(pairs)]
    theirs = [
        each for each in other.amounts if each.family in _WEIGHTY and each not in _seconds(pairs)
    ]
    if bool(ours) == bool(theirs):
        return None
    return f"{ours[0].said} / {NO_AMOUNT}" if ours else f"{NO_AMOUNT} / {theirs[0].said}"


def _firsts(pairs: Sequence[tuple[Amount, Amount]]) -> list[Amount]:
    return [pair[0] for pair in pairs]


def _seconds(pairs: Sequence[tuple[Amount, Amount]]) -> list[Amount]:
    return [pair[1] for pair in pairs]


def _bare(word: str) -> str:
    words = plain_words(word)
    return root(words[0]) if words else ""


def _said(one: Statement, *, beside_must: bool = False) -> str:
    if one.denies:
        return _DENIED[one.force]
    return "optional" if one.force == "may" and beside_must else _AFFIRMED[one.force]


_DENIED = {"must": "not allowed", "should": "not recommended", "may": "not allowed", "": "no"}
_AFFIRMED = {"must": "required", "should": "recommended", "may": "allowed", "": "yes"}
