"""The words of the grammar, from `words.toml`."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@cache
def words() -> dict[str, dict[str, Any]]:
    """The tables of `words.toml`."""
    return tomllib.loads((HERE / "words.toml").read_text(encoding="utf-8"))


@cache
def phrases(name: str) -> frozenset[str]:
    """A list of `[phrases]`."""
    return frozenset(words()["phrases"][name])


@cache
def first_verbs() -> frozenset[str]:
    """The first word of each verb."""
    verbs = words()["verbs"].values()
    return frozenset(phrase.split()[0] for phrases_ in verbs for phrase in phrases_)


@cache
def roles() -> dict[str, str]:
    """The role of each noun for a kind of control."""
    return {noun: role for role, nouns in words()["roles"].items() for noun in nouns}
