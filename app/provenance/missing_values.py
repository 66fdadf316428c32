"""The dynamic interrupt: what is missing half-way is searched for, or asked for."""

from typing import Literal

from app.domain.reasoner import Situation
from app.text import patterns
from app.text.lexicon import pattern, words
from app.text.vocabulary import stems

Missing = Literal["EXTERNAL_KNOWLEDGE", "PRIVATE_DATA"]

MOST = 10  # things one text may name as missing
LONGEST = 80  # characters of a name; a longer one is an explanation
_MARK = patterns.compile(r"MISSING[_ ]INFO\s*[:=]\s*", patterns.IGNORECASE)
_END = patterns.compile(r"[\n\r;\]]|[.](?:\s|$)")
_LIST = patterns.compile(r"\s*,\s*|\s+and\s+", patterns.IGNORECASE)
_TRIMMED = " \t[](){}<>\"'`*."
_ALIKE = 0.6  # of a need's words: from here on a search was for the same thing
_SMALL = frozenset(
    {"a", "an", "and", "at", "by", "de", "der", "die", "for", "in", "la", "of", "on", "the", "to"}
)

# Facts of the world: they are the same whoever asks.
_PUBLIC = pattern(stems("facts.public"))
_PRIVATE = pattern(stems("facts.private"))


def classify(what: str, situation: Situation) -> Missing:
    """Whether the missing thing is to be found out on the web, or only a person knows it.

    In doubt a person is asked: a search tells the world what is looked for. What was searched for
    once already is asked for too.
    """
    said = words(what)
    known = _PUBLIC.search(said) is not None and _PRIVATE.search(said) is None
    return "EXTERNAL_KNOWLEDGE" if known and not _was_searched(said, situation) else "PRIVATE_DATA"


def missing_info(text: str) -> tuple[str, ...]:
    """What a model's text names as missing: `MISSING_INFO: middle name` gives ("middle name",)."""
    found: dict[str, None] = {}
    for part in _MARK.split(text)[1:]:
        named = _END.split(part, maxsplit=1)[0]
        for name in _LIST.split(named):
            kept = " ".join(name.strip(_TRIMMED).split())[:LONGEST]
            if kept:
                found[kept] = None
    return tuple(found)[:MOST]


def _was_searched(said: str, situation: Situation) -> bool:
    wanted = frozenset(said.split()) - _SMALL
    return bool(wanted) and any(
        len(wanted & frozenset(words(f"{done.need} {done.query}").split())) >= _ALIKE * len(wanted)
        for done in situation.background.searches
    )
