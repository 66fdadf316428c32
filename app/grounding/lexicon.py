"""General English words of user interfaces that mean the same, that are opposites, or that add nothing."""

from collections.abc import Mapping
from functools import cache

from app.text.vocabulary import entries, section, vocabulary

# Each line is one meaning; any spelling on it can stand for any other.
MEANINGS = entries("grounding.meanings.of")
# What a picture stands for when it is the whole label.
SYMBOLS: Mapping[str, str] = {
    sign: meaning for meaning, signs in section("grounding.symbols").items() for sign in signs
}
# Words for the sort of thing, said by a person or added by a page, that do not tell things apart.
ROLE_WORDS = vocabulary("grounding.roles")
STOP_WORDS = vocabulary("grounding.small")
# Sorts of record that a person says before its own name: "user Ann", "ticket 12".
RECORD_NOUNS = vocabulary("grounding.sorts")
# What a button says first that hands in the form it is in, and one that does something else.
SENDS, LEAVES = vocabulary("grounding.sends"), vocabulary("grounding.leaves")
# Words that name a sort of container and nothing more.
CONTAINER_KINDS: Mapping[str, frozenset[str]] = {
    kind: frozenset(words) for kind, words in section("grounding.containers").items()
}


@cache
def meanings() -> Mapping[str, str]:
    """Spelling -> the first spelling of its line."""
    table: dict[str, str] = {}
    for line in MEANINGS:
        spellings = line.split("|")
        for spelling in spellings:
            table.setdefault(spelling, spellings[0])
    return table


@cache
def opposites() -> frozenset[tuple[str, str]]:
    """Words of which one excludes the other, however near their contexts are; in both orders."""
    pairs = (pair.split("|") for pair in entries("grounding.opposites.of"))
    return frozenset(both for a, b in pairs for both in ((a, b), (b, a)))
