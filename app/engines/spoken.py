"""Whether the person's words are about a thing, and which of their words are orders at all.

A long quotation in a goal is a text to work with, which somebody else may have written: what it names
or asks for is not what the person asks for.
"""

from collections.abc import Iterator
from functools import lru_cache

from app.engines.grounding.label import label
from app.engines.provenance.vocabulary import COMMANDS, GLUE
from app.engines.reasoner import Situation
from app.engines.risk.lexicon import asks, does, words
from app.text import patterns

_LEAST = 3  # letters of a word that tells what a control is about
_QUOTED = patterns.compile(
    "(?<!\\w)'(.{40,}?)'(?!\\w)|\"(.{40,}?)\"|\u201c(.{40,}?)\u201d|\u201e(.{40,}?)[\u201c\u201d]|\u00ab(.{40,}?)\u00bb",
    patterns.DOTALL,
)  # shorter ones are names of controls, and values
GENERIC = (
    GLUE
    | COMMANDS
    | frozenset(["save", "submit", "ok", "done", "apply", "confirm", "continue", "finish"])
)


@lru_cache(maxsize=256)
def unquoted(said: str) -> str:
    """What was said, without its long quotations."""
    return _QUOTED.sub(" ", said)


def is_only_quoted(value: str, said: str) -> bool:
    """Whether it is a part, and not the whole, of long quotations, and told nowhere else."""
    part, own = value.strip().casefold(), unquoted(said).casefold()
    if not part or part in own:
        return False
    quotes = (next(filter(None, found)) for found in _QUOTED.findall(said))
    return any(part in one.casefold() and part != one.strip().casefold() for one in quotes)


def about(text: str, situation: Situation) -> bool:
    """Whether the person's words are about what is called so: a word of it, or what it does."""
    if not text.strip():
        return False
    told = unquoted(situation.told)
    if does(text) & asks(told):
        return True
    meant = label(told).meaning_set | label(told).stems
    return any(
        {word, *label(word).stems, *label(word).meaning_set} & meant for word in telling_words(text)
    )


def telling_words(text: str) -> Iterator[str]:
    """The words of a name that say what it is about."""
    for word in words(text).split():
        if (len(word) >= _LEAST or not word.isascii()) and word not in GENERIC:
            yield word
