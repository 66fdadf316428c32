"""What else is said, on a page or by the person, of the kind that a value is of."""

from typing import NamedTuple

from app.domain.reasoner import Situation
from app.provenance.sources import controls_say
from app.provenance.tokens import normal, scan
from app.text import patterns
from app.text.lexicon import words
from app.text.value_words import COMMON

_CHANCE = 2  # digits of a number that is on any page by chance
_SAME_LENGTH = 3  # digits by which two numbers of one kind may differ
_IN_GROUPS = patterns.compile(
    r"\b[A-Za-z]{2}\d{2}(?: [A-Za-z0-9]{4}){2,7}(?: [A-Za-z0-9]{1,3})?\b"
)  # ISO 13616
_ACCOUNT = patterns.compile(r"[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}")  # the same, in one word


class _Fact(NamedTuple):
    kind: str
    keys: frozenset[str]
    parts: frozenset[str]
    digits: int


def rivals(value: str, situation: Situation) -> bool:
    """Whether the page says something else of the same kind about the record that the person named.

    Two phone numbers beside "Ann Miller": which one is hers is for a person to say, since a page lets
    others write on it too. Words and codes have no kind of their own, and are not compared.
    """
    own = [one for one in _facts(value) if one.kind != "code"]
    keys = frozenset().union(*(one.keys for one in own))
    return any(
        one.kind == other.kind
        and not other.keys & keys
        and (one.kind == "account" or abs(one.digits - other.digits) <= _SAME_LENGTH)
        for text in _of_record(situation)
        for other in _facts(text)
        for one in own
    )


def said_otherwise(value: str, situation: Situation) -> bool:
    """Whether the person said another value of that kind: an IBAN of theirs is not to be another."""
    return bool(_kinds(value) & _kinds(situation.told))


def offers_another(name: str, situation: Situation) -> bool:
    """Whether a control is called by a number or an address other than the person's of that kind."""
    told = _facts(situation.told)
    known = frozenset().union(*(one.keys | one.parts for one in told))
    kinds = {one.kind for one in told} - {"code", "date", "time"}
    return any(
        one.kind in kinds
        and not one.keys & known
        and (one.kind != "number" or one.digits > _CHANCE + 1)
        for one in _facts(name)
    )


def _kinds(text: str) -> set[str]:
    return {one.kind for one in _facts(text)}


def _facts(text: str) -> list[_Fact]:
    """What in a text is no mere word: a word with several digits in it is a code, or an account."""
    joined = _IN_GROUPS.sub(lambda found: found[0].replace(" ", ""), normal(text))
    read = scan(joined)
    found = []
    for at, token in enumerate(read.tokens):
        word, kind = read.excerpt(at, at), token.kind
        digits = sum(map(str.isdigit, word))
        if kind == "word" and digits > _CHANCE:
            kind = "account" if _ACCOUNT.fullmatch(word) else "code"
        if kind not in ("word", "sign"):
            found.append(_Fact(kind, token.keys, token.parts, digits))
    return found


def _of_record(situation: Situation) -> list[str]:
    """What the page says of the record, a text each: its controls, their places, and its messages."""
    page, said = situation.page, _names(situation.told)
    texts = [text for text, _ in controls_say(page.tree)]
    texts += [*page.successes, *page.errors, page.title]
    texts += [dialog.message for dialog in page.dialogs]
    shared = [(len(said & _names(text)), text) for text in texts]
    best = max((count for count, _ in shared), default=0)
    return [text for count, text in shared if count == best and count]


def _names(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text).split() if word.isalpha() and word not in COMMON)
