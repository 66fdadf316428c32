# ruff: noqa: RUF001 (typographic marks are what is looked for)
"""Tokens -> clauses: where one thing to do ends and the next begins."""

from dataclasses import dataclass
from functools import cache

from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.conditions import condition_of, fits
from app.reasoners.rules.parse.spans import Phrases, Span
from app.reasoners.rules.parse.verbs import gerund_at, verb_at

_HARD = frozenset(".!?;。！？；")
_SOFT = frozenset({",", "and", "&", "，", "、", ":", "or", "(", "|"})
_LISTING = frozenset({"with", "whose", "having"})  # what follows lists fields and their values
_GIVES_UP = frozenset({"stop", "skip", "wait"})  # alone these are for the one who is told
# Verbs that "to" may introduce as what a clause is for.
_PURPOSES = frozenset({"click", "login", "find", "select", "read", "open", "check", "fill", "delete",
                       "search", "create", "edit", "press", "submit", "verify", "close"})  # fmt: skip


@dataclass(frozen=True)
class Clause:
    """One stretch. `joint` is how it hangs on the one before: hard, soft or purpose ("to ...")."""

    span: Span
    joint: str = "hard"


@cache
def lead_ins() -> Phrases:
    """Words before the verb that carry no meaning of their own."""
    return Phrases(lexicon.LEAD_INS)


@cache
def negations() -> Phrases:
    """Words that forbid what follows."""
    return Phrases(lexicon.NEGATIONS)


def split(span: Span) -> list[Clause]:
    """The clauses in order, without empty ones."""
    clauses: list[Clause] = []
    start, joint, index = 0, "hard", 0
    while index < len(span):
        cut = _cut(span, start, index)
        if cut is None:
            index = max(index + 1, _skip_joints(span, index))
            continue
        _append(clauses, span[start:index], joint)
        joint, start = cut
        index = max(start, index + 1)
    _append(clauses, span[start:], joint)
    return clauses


def _append(clauses: list[Clause], span: Span, joint: str) -> None:
    trimmed = _unnumbered(span.trimmed())
    if len(trimmed):
        clauses.append(Clause(trimmed, joint))


def _unnumbered(span: Span) -> Span:
    """Without the number or bullet of a list item: "2)", "(b)", "-", a lone "3"."""
    if len(span) == 1 and span[0].low.isdecimal():
        return span[:0]
    marked = span.first(lambda token: token.text == ")")
    if marked is not None and 0 < marked <= 2 and len(span[marked - 1].text) <= 2:
        return span[marked + 1 :].trimmed()
    if len(span) > 1 and span[0].text in {"-", "–", "—", "•", "*", "·", "‣", "▪"}:
        return span[1:].trimmed()
    if span.low(0) == "step" and span.low(1).isdecimal():
        return span[2:].trimmed()
    return span


def _cut(span: Span, start: int, index: int) -> tuple[str, int] | None:
    """How and where the next clause begins when the current one ends before `index`."""
    token = span[index]
    if token.kind == "break":
        return "hard", index + 1
    if token.kind == "mark" and token.text in _HARD:
        return _after_stop(span, start, index)
    if index > start and span.low(start) == "if":
        return _after_condition(span, start, index)
    if index == start or span.low(start) in lexicon.CONDITIONS:
        return None
    if token.text in _SOFT or token.low in _SOFT:
        after = _skip_joints(span, index)
        begins = begins_clause(span, after) or _parallel(span, start, after)
        begins = begins and not _goes_on_listing(span, start, after)
        return ("soft", after) if begins else None
    if token.low == "then" and span[index - 1].text == ",":
        return "soft", index + 1
    if _is_label(span, index):
        return None
    return _after_word(span, start, index)


def _goes_on_listing(span: Span, start: int, index: int) -> bool:
    """As in "with plate X, driver Y, type Z": the name of one more field, and nothing to be done.

    "Type Z into ..." and a value in quotes are something to do.
    """
    listed = any(span.low(at) in _LISTING or span[at].text == ":" for at in range(start, index))
    if not listed or span.low(index) not in lexicon.FIELD_HEADS or index + 1 >= len(span):
        return False
    rest = index + 1
    while rest < len(span) and span[rest].kind != "break" and span[rest].text not in _SOFT | _HARD:
        if span[rest].quoted or span.low(rest) in {"in", "into", "on"}:
            return False
        rest += 1
    return rest > index + 1 and span[index + 1].kind in {"word", "number"}


def _after_word(span: Span, start: int, index: int) -> tuple[str, int] | None:
    """As _cut, at a word that is no joint by itself."""
    token = span[index]
    # "the next page" is the one after this
    counted = span.low(index - 1) in lexicon.ARTICLES or verb_at(span, index) is not None
    if token.low in lexicon.SEQUENCE_WORDS and not counted and begins_clause(span, index + 1):
        return "soft", index + 1
    if token.low == "to":
        return _purpose(span, start, index)
    if token.low in {"without", "instead", "rather", "but"} and _forbids(span, index):
        return "soft", index
    return None


def _after_condition(span: Span, start: int, index: int) -> tuple[str, int] | None:
    """A condition that can be told from the page ends at its comma; others take all that follows."""
    if span[index].text != "," and span.low(index) != "then":
        return None
    after = skip_lead_ins(span, _skip_joints(span, index))
    after += span.low(after) == "then"
    found = verb_at(span, after)
    if found is None or (found.word in _GIVES_UP and after + found.length >= len(span)):
        return None
    if not fits(condition_of(span[start:index]), found):
        return None
    return "soft", after


def _parallel(span: Span, start: int, index: int) -> bool:
    """As in "for A choose X and for B choose Y": a preposition in front again, then a verb."""
    front = span.low(skip_lead_ins(span, start))
    if front not in {"for", "in", "on", "from", "under"} or span.low(index) != front:
        return False
    near = range(index + 2, min(index + 8, len(span)))
    return any(verb_at(span, at) is not None for at in near)


def _after_stop(span: Span, start: int, index: int) -> tuple[str, int] | None:
    """A full stop ends a clause, but for an initial ("J. Smith"), a list number ("1.") and "No. 5"."""
    if _within_word(span, index):
        return None
    before = span[index - 1] if index > start else None
    if (
        span[index].text == "."
        and index == start + 1
        and before is not None
        and before.low.isdecimal()
    ):
        return "hard", index + 1
    initial = before is not None and len(before.text) == 1 and before.text.isupper()
    after = span[index + 1] if index + 1 < len(span) else None
    if span[index].text == "." and initial and after is not None and after.text[:1].isupper():
        return None if verb_at(span, index + 1) is None else ("hard", index + 1)
    return "hard", index + 1


def _within_word(span: Span, index: int) -> bool:
    """A mark that something follows without a space ("s3cret!,"), or a dot before a house number."""
    after = span[index + 1] if index + 1 < len(span) else None
    if after is None or index == 0:
        return False
    if span[index].text in "!?":
        return after.kind != "break" and after.start == span[index].end
    marked = span.low(index + 2) in {".", ")"} or after.end - after.start > 4
    return span[index].text == "." and after.kind == "number" and not marked


def _skip_joints(span: Span, index: int) -> int:
    limit = index + 6  # more joints in a row than that are no English
    while index < min(limit, len(span)) and (span[index].text in _SOFT or span.low(index) in _SOFT):
        index += 1
    return index


def skip_lead_ins(span: Span, index: int = 0) -> int:
    """The index after polite and sequencing words; a verb is never skipped."""
    limit = min(len(span), index + 24)  # polite words before a verb; more is prose
    while index < limit:
        length = lead_ins().at(span, index)
        if span[index].text in {",", ":", "(", "-", "–", "•", "*", "·", ")"}:
            length = length or 1
        found = verb_at(span, index)
        if not length or (found is not None and found.length >= length):
            return index
        if negations().at(span, index) >= length:
            return index
        index += length
    return index


def begins_clause(span: Span, index: int) -> bool:
    """Whether something to do (or not to do) begins at `index`, after a soft joint."""
    after = skip_lead_ins(span, index)
    if span.low(index) in lexicon.CONDITIONS and span.low(index) != "or":
        return True
    if _forbids(span, after) or span.low(index) == "not":
        return True
    found = verb_at(span, after)
    if found is None:
        return False
    following = after + found.length
    if following >= len(span) or _ends(span, following):
        shares = _shares_object(span, following)
        return (found.entry.bare or shares) and not _label_like(span, after)
    if span.low(following) in lexicon.ROLES and _label_like(span, after):
        return following + 1 < len(span) and not _ends(span, following + 1)
    if span[following].kind == "mark" and span[following].text in {":", "="}:
        return False
    return not (_label_like(span, after) and span.low(following) in {"from", "in", "on", "of"})


def _shares_object(span: Span, index: int) -> bool:
    """As in "find and click the link": the first verb's object follows the second verb."""
    return span.low(index) in {"and", "then"} and verb_at(span, index + 1) is not None


def _is_label(span: Span, index: int) -> bool:
    """As in "click Next": a word of sequence that is what is clicked."""
    word = span[index]
    if word.low not in lexicon.SEQUENCE_WORDS or not word.text[:1].isupper() or not index:
        return False
    found = next((f for n in (1, 2) if (f := verb_at(span, index - n)) and f.length == n), None)
    return found is not None and found.entry.verb in {"click", "press"}


def _ends(span: Span, index: int) -> bool:
    token = span[index]
    if _is_label(span, index):
        return False
    marks = token.kind == "break" or (token.kind == "mark" and token.text not in "({[:=")
    if token.low == "next":  # "go to next week" has its object yet to come
        return marks or (verb_at(span, index) is None and verb_at(span, index + 1) is not None)
    return marks or token.low in {"and", "then", "or"} or token.low in lexicon.SEQUENCE_WORDS


def _label_like(span: Span, index: int) -> bool:
    """Capitalised in the middle of a sentence: a label rather than a verb."""
    return span[index].text[:1].isupper() and index > 0 and span[index - 1].kind != "break"


def _forbids(span: Span, index: int) -> bool:
    length = negations().at(span, index)
    if not length or span.low(index) == "not":
        return False
    if span.low(index) in {"instead", "rather"}:
        return True
    after = index + length
    return verb_at(span, after) is not None or gerund_at(span, after) is not None


def _purpose(span: Span, start: int, index: int) -> tuple[str, int] | None:
    """As in "to" and a verb: what the clause before is for. "go to find" needs something before it."""
    found = verb_at(span, index + 1)
    if found is None or found.entry.verb not in _PURPOSES or index - start < 2:
        return None
    following = index + 1 + found.length
    if found.entry.verb == "login":
        return "purpose", index + 1
    if following >= len(span) or (_ends(span, following) and not _shares_object(span, following)):
        return None
    first = skip_lead_ins(span, start)
    head = verb_at(span, first)
    if (
        first >= index
        or head is None
        or head.entry.frame in {"set", "fill", "drag", "search", "verify", "read"}
    ):
        return None
    return "purpose", index + 1
