"""Which verb phrase stands at a place, in its base form or as a gerund."""

from dataclasses import dataclass

from app.reasoners.rules.parse.spans import Span, stands
from app.reasoners.rules.parse.verb_table import Entry, verbs_by_first


@dataclass(frozen=True)
class Found:
    """A verb phrase of `length` tokens; `word` is its first word in base form."""

    entry: Entry
    word: str
    length: int


def verb_at(span: Span, index: int) -> Found | None:
    """The longest verb phrase that begins at `index`."""
    return _lookup(span, index, span.low(index))


def gerund_at(span: Span, index: int) -> Found | None:
    """The verb phrase whose first word stands there as a gerund ("clicking on")."""
    for base in base_forms(span.low(index)):
        if found := _lookup(span, index, base):
            return found
    return None


def base_forms(word: str) -> tuple[str, ...]:
    """What a gerund may come from: "saving" -> "sav", "save"; "setting" -> also "set"."""
    if not word.endswith("ing") or len(word) < 5:
        return ()
    stem = word[:-3]
    doubled = (stem[:-1],) if len(stem) > 2 and stem[-1] == stem[-2] else ()
    return (*doubled, stem, stem + "e")


def _lookup(span: Span, index: int, first: str) -> Found | None:
    for words, entry in verbs_by_first().get(first, ()):
        if stands(span, index + 1, words[1:]):
            return Found(entry, words[0], len(words))
    return None
