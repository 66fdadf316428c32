"""Vocabulary of natural languages: one TOML file per language, loaded on first use.

A table is addressed by its path, such as `messages.error`. All languages have the same tables, and most
lookups cover all languages at once. An entry is a word, or words joined by `_` that follow each other.
In texts matched by stems, `$` marks the end of a word and `+` allows one word in between. Lists of
strings hold entries with blanks: phrases, or alternatives of a pattern.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def _languages() -> Mapping[str, dict[str, Any]]:
    """The files' contents by language, English first."""
    found = [
        one for one in files("app.text").joinpath("data").iterdir() if one.name.endswith(".toml")
    ]
    found.sort(key=lambda one: (one.name != "en.toml", one.name))
    return {
        one.name.removesuffix(".toml"): tomllib.loads(one.read_text(encoding="utf-8"))
        for one in found
    }


def entries(table: str) -> tuple[str, ...]:
    """The distinct entries of a table in all languages. Raises KeyError if no language has it."""
    found = [entry for one in _at(table) for entry in _split(one)]
    if not found:
        raise KeyError(table)
    return tuple(dict.fromkeys(found))


def vocabulary(table: str) -> frozenset[str]:
    """The entries as words and phrases, `_` as blanks; unaccented if the table is."""
    return frozenset(entry.replace("_", " ") for entry in entries(table))


def stems(*tables: str) -> str:
    """The entries of the tables separated by blanks, as stem patterns take them."""
    return " ".join(entry for table in tables for entry in entries(table))


def section(name: str) -> Mapping[str, tuple[str, ...]]:
    """The entries of each subtable, in order of first appearance."""
    keys = (key for one in _at(name) for key, value in one.items() if not isinstance(value, dict))
    return {key: entries(f"{name}.{key}") for key in dict.fromkeys(keys)}


def numbers(name: str) -> Mapping[str, int]:
    """The number for each word of a section whose tables are named by numbers."""
    return {word: int(key) for key, words in section(name).items() for word in words}


@cache
def numbers_in(name: str, language: str) -> frozenset[str]:
    """The words of such a section in one language; empty if there is no file for it."""
    value: Any = _languages().get(language, {})
    for part in name.split("."):
        value = value.get(part, {})
    return frozenset(word for words in value.values() for word in _split(words))


def _at(path: str) -> list[Any]:
    found = []
    for language in _languages().values():
        value: Any = language
        for part in path.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if value is not None:
            found.append(value)
    return found


def _split(value: str | list[str]) -> list[str]:
    return value.split() if isinstance(value, str) else value
