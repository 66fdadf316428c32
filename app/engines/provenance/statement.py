"""What a text that a model wrote for the person says, and whether anything stands behind it."""

from datetime import datetime

from app.domain.base import Value
from app.engines.provenance.tokens import Scan, Token, normal, scan
from app.engines.provenance.trace import holder
from app.engines.provenance.writing import stated
from app.engines.reasoner import Situation

_CHANCE = 2  # digits of a number that is on any page by chance
_SAID = frozenset({"goal", "answer"})


class Statement(Value):
    """Its facts: names, numbers, dates, addresses. `unknown` are those that no source holds, `found`
    those that the page or what was looked up does, and the person did not say.
    """

    unknown: tuple[str, ...] = ()
    found: tuple[str, ...] = ()


def statement(text: str, situation: Situation) -> Statement:
    """The facts of a text. A small number, such as a count, is on any page: none is known by it."""
    today = situation.today or datetime.now().astimezone().date()
    read = scan(normal(text))
    unknown: list[str] = []
    found: list[str] = []
    for at in stated(read):
        source = holder(read, at, situation, today=today)
        word = read.excerpt(at, at)
        if source is None or (source.origin == "page" and _is_small(read, read.tokens[at])):
            unknown.append(word)
        elif source.origin not in _SAID:
            found.append(word)
    return Statement(unknown=tuple(unknown), found=tuple(found))


def _is_small(text: Scan, token: Token) -> bool:
    said = text.text[token.start : token.end]
    return token.kind == "number" and sum(char.isdigit() for char in said) <= _CHANCE
