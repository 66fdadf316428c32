"""What an answer says that is no value: that nobody knows, that it stays empty, or something else."""

import unicodedata

from app.text import patterns
from app.text.languages import entries, vocabulary


def _pattern(table: str) -> patterns.Pattern:
    return patterns.compile("|".join(entries(f"replies.{table}")))


def _turn(table: str) -> str:
    """The alternatives of a table, the longest first."""
    return "|".join(sorted(vocabulary(f"replies.turns.{table}"), key=len, reverse=True))


# Over the words of an answer, folded as `folded` does it.
_UNKNOWN = _pattern("unknown")
_EMPTY = _pattern("empty")
_NOTHING = _pattern("nothing")
_CANCELS = _pattern("cancels")
_TURNS = patterns.compile(
    rf"(?:{_turn('no')})\s*[,.;:!\u2013\u2014-]\s*\S+\s+\S"
    rf"|(?:please )?(?:{_turn('dont')})\s+\S+"
    rf"|(?:.+\s)?(?:{_turn('instead')})(?:\s(?:{_turn('please')}))?$"
)
_ORDERS = vocabulary("replies.orders")
_PRESSES = vocabulary("replies.presses")
_NOS = tuple(f"{no}," for no in ("no", "nein", "non", "nao", "לא"))
_MARKS = patterns.compile(r"[^\w\s,.;:!?\u2013\u2014-]")
_SHORT_OF_MARKS = patterns.compile(r"[^\w\s]")


def folded(text: str, *, marks: bool = False) -> str:
    """Lower case, without accents; signs are spaces, unless `marks` keeps those of a sentence."""
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'").casefold())
    plain = "".join(one for one in plain if not unicodedata.combining(one))
    return " ".join((_MARKS if marks else _SHORT_OF_MARKS).sub(" ", plain).split())


def is_unknown(text: str) -> bool:
    """Whether it says that the person does not know."""
    said = folded(text)
    return (not said and "?" in text) or _UNKNOWN.fullmatch(said) is not None


def is_empty(text: str, *, required: bool) -> bool:
    """Whether it says to leave the field empty; "none" may be the value of one that is demanded."""
    said = folded(text)
    if not said:
        return bool(text.strip()) and set(text.strip()) <= set("-\u2013\u2014/.")
    return _EMPTY.fullmatch(said) is not None or (
        not required and _NOTHING.fullmatch(said) is not None
    )


def is_cancel(text: str) -> bool:
    """Whether all that it says is to stop."""
    return _CANCELS.fullmatch(folded(text)) is not None


def is_turn(text: str, *, may_be_sentence: bool) -> bool:
    """Whether it asks for something else than was asked: "no, delete it instead", "open the menu".

    `may_be_sentence`: the field takes sentences, such as a title of a task, and an order may be one.
    """
    said = folded(text, marks=True)
    if may_be_sentence:
        return said.startswith(_NOS) and bool(_TURNS.fullmatch(said) or _TURNS.match(said))
    if _TURNS.match(said):
        return True
    words = text.split()
    ordered = len(words) > 1 and folded(words[0]) in _ORDERS
    if ordered and folded(words[0]) in _PRESSES:
        return True
    return ordered and words[1][:1] == words[1][:1].lower() and not words[1][:1].isdigit()
