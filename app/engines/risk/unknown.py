"""Commands of which nothing is known: what they do is not guessed to be harmless."""

from app.domain.page import Node, Observation
from app.engines.risk.controls import container, is_opener, is_submit
from app.engines.risk.places import (
    innermost,
    is_column,
    is_consent,
    is_content,
    is_priced,
    is_sieve,
    is_way,
    tagged,
)
from app.engines.risk.tagging import read
from app.text import patterns

_ACT = frozenset({"row", "item", "menu", "dialog"})
_MIXED = frozenset({"section", "toolbar"})  # where things are named as well
_VERBAL = patterns.compile(r"(?:[ai]r|[aei]r-?(?:se|me|te)|ieren|ate|ify|i[sz]e)$")
_PRESSED = frozenset({"btn", "img", "el", "inp", "menu"})
_ENDING, _OF = "\N{HEBREW LETTER HE}", "\N{HEBREW LETTER TAV}"
_FORM = "form"
_WORD = 40  # letters
_LONG = 6  # words; a longer name tells of a thing


def acts_unknown(node: Node, name: str, page: Observation) -> bool:
    """Whether it is a button or a menu's item where commands act, whose words nobody knows as harmless.

    A record, its menu, a dialog, a form's last button: what stands there does something.
    """
    spoken = read(name).words
    if node.role not in _PRESSED or is_opener(node) or not 0 < len(spoken) <= _LONG:
        return False
    if not any(word.isalpha() and 1 < len(word) < _WORD for word in spoken):
        return False
    if spoken[-1].isdigit() and not is_priced(name):
        return False  # how many there are of a thing
    hands_in = is_submit(node, page)
    if not (_acts(node, spoken) or (hands_in and innermost(node) == _FORM)):
        return False
    if is_priced(name) and hands_in and container(node) is not None:
        return True
    return not (
        tagged(name, "known", "looks", "tails", "sieves", "consent", "joins", "declines")
        or _is_construct(spoken[0])
        or is_way(node)
        or is_column(node)
        or is_sieve(node)
        or is_consent(node)
        or is_content(node)
    )


def _is_construct(word: str) -> bool:
    """Whether a Hebrew word is a known one as it stands before another noun: "map" in "map of tables"."""
    return word.endswith(_OF) and tagged(word[:-1] + _ENDING, "known")


def _acts(node: Node, spoken: tuple[str, ...]) -> bool:
    """Whether commands act where it stands; a lone word on a page must look like a verb for that."""
    place = innermost(node)
    if place not in _MIXED:
        return place in _ACT
    told = len(spoken) > 1 or _VERBAL.search(spoken[0]) is not None
    return told or tagged(node.groups[-1][1], "dangerous")
