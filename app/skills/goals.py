"""Removes the person's values from a goal, and compares goals."""

from collections.abc import Iterable
from functools import lru_cache

from app.domain.action import ActionRecord
from app.domain.directive import Directive, Instruction
from app.domain.page import MASK
from app.domain.redaction import QUOTED, secrets, secrets_in
from app.grounding import STOP_WORDS, label, meanings
from app.text import patterns

PLACEHOLDER = "…"  # stands for a value
LONGEST_GOAL = 200  # characters; the beginning of a goal says what it is about
_SHORT = 3  # letters; a shorter value cannot be told from a word

_QUOTED = patterns.compile(QUOTED)
_PRIVATE = patterns.compile(r"\S*@\S+|\bhttps?://\S+|\bwww\.\S+|\S*\d\S*")
_MID_SENTENCE_WORD = patterns.compile(
    r"(?<![.!?:]\s)(?<=\s)[^\W\d_][\w'\u2019-]*"
)  # words that do not begin a sentence
_WORD = patterns.compile(r"[^\W_]+")
_SEVERAL = patterns.compile(rf"{PLACEHOLDER}(?:[\s,;/&-]*{PLACEHOLDER})+")
_VERBS_WITH_KEYWORDS = frozenset({"press", "scroll", "wait", "submit", "back", "reload"})
_TYPED = ("text", "label", "name", "query", "url")


def personal_values(
    instruction: Instruction | None,
    records: Iterable[ActionRecord] = (),
    hidden: Iterable[str] = (),
) -> frozenset[str]:
    """Return the person's own values in a task: those to enter or entered, and names of records."""
    found = {*hidden, *secrets(instruction)}
    for directive in instruction.directives if instruction is not None else ():
        found.update(_directive_values(directive))
    for record in records:
        found.update(str(record.action.args[key]) for key in _TYPED if key in record.action.args)
    return frozenset(value for value in found if value.strip() and value != MASK)


def _directive_values(directive: Directive) -> Iterable[str]:
    yield from (field.value for field in directive.fields)
    if directive.value is not None and directive.verb not in _VERBS_WITH_KEYWORDS:
        yield directive.value
    for target in (directive.target, directive.destination):
        if target is not None:
            yield from filter(None, (target.within, target.near, *target.excluding))
            if directive.verb in ("delete", "edit") and target.phrase != target.phrase.lower():
                yield target.phrase  # the record itself, by its name


def strip_values(goal: str, own: Iterable[str] = (), *, named: Iterable[str] = ()) -> str:
    """Replace quotes, secrets, numbers, addresses, names and `own` values by "…".

    A capitalized word is a name, unless it begins a sentence, belongs to user interfaces ("Save"),
    or is part of a `named` control.
    """
    known = frozenset(word for name in named for word in _WORD.findall(name.casefold()))
    text = " ".join(goal.split())
    for secret in secrets_in(text):
        text = text.replace(secret, PLACEHOLDER)
    text = _QUOTED.sub(PLACEHOLDER, text)
    for value in sorted(set(own), key=len, reverse=True):
        if _is_command(value):
            continue
        text = patterns.sub(
            rf"(?<!\w){patterns.escape(value.strip())}(?!\w)",
            PLACEHOLDER,
            text,
            flags=patterns.IGNORECASE,
        )
    text = _PRIVATE.sub(PLACEHOLDER, text)
    text = _MID_SENTENCE_WORD.sub(lambda found: _mask_name(found[0], known), text)
    return _SEVERAL.sub(PLACEHOLDER, text)[:LONGEST_GOAL].strip()


def _is_command(value: str) -> bool:
    return value.casefold() in meanings() or value.casefold() in STOP_WORDS


def _mask_name(word: str, known: frozenset[str]) -> str:
    is_name = word[0].isupper() and word.casefold() not in known and not _is_command(word)
    return PLACEHOLDER if is_name else word


def contains_value(text: str, own: Iterable[str]) -> bool:
    folded = f" {_plain_words(text)} "
    for value in own:
        plain = _plain_words(value)
        if len(plain) >= _SHORT and not _is_command(plain) and f" {plain} " in folded:
            return True
    return False


def _plain_words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def goal_likeness(stored: str, goal: str, own: Iterable[str] = ()) -> float:
    """Return the similarity of two goals in 0..1, ignoring stop words.

    It is the harmonic mean of the share of the `stored` goal's words in this goal, and of this
    goal's words (without values) in the stored one.
    """
    stored_words, all_words, plain_words = (
        _content_words(stored),
        _content_words(goal),
        _plain_goal_words(goal, frozenset(own)),
    )
    shared, shared_plain = len(stored_words & all_words), len(stored_words & plain_words)
    if not shared or (plain_words and not shared_plain):
        return 0.0
    inverse = len(stored_words) / shared
    return 2 / (inverse + (len(plain_words) / shared_plain if plain_words else inverse))


@lru_cache(maxsize=32)  # goals being compared with all memories
def _plain_goal_words(goal: str, own: frozenset[str]) -> frozenset[str]:
    return _content_words(strip_values(goal, own))


@lru_cache(maxsize=512)
def _content_words(text: str) -> frozenset[str]:
    content = label(text)
    return (content.meaning_set or content.stems) - STOP_WORDS
