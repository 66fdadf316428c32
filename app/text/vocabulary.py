"""The words of natural languages that code looks for: one TOML file a language, read once, when first needed.

A table is named by its path, such as `messages.error`; all languages have the same tables, and most look for
the words of all at once. An entry is a word or, joined by `_`, words that follow each other; where a text is
read by stems, `$` ends a whole word and `+` allows one word between two. A list of strings holds what has
blanks of its own: phrases, or alternatives of a pattern.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def _languages() -> Mapping[str, dict[str, Any]]:
    """The files' contents by their languages, English first."""
    found = [
        one for one in files("app.text").joinpath("data").iterdir() if one.name.endswith(".toml")
    ]
    found.sort(key=lambda one: (one.name != "en.toml", one.name))
    return {
        one.name.removesuffix(".toml"): tomllib.loads(one.read_text(encoding="utf-8"))
        for one in found
    }


def entries(table: str) -> tuple[str, ...]:
    """The entries of a table in all languages, each once; KeyError where no language has it."""
    found = [entry for one in _at(table) for entry in _split(one)]
    if not found:
        raise KeyError(table)
    return tuple(dict.fromkeys(found))


def vocabulary(table: str) -> frozenset[str]:
    """The entries as words and phrases: without accents where the table is, `_` as blanks."""
    return frozenset(entry.replace("_", " ") for entry in entries(table))


def stems(*tables: str) -> str:
    """The entries of the tables between single blanks, as readers of stems take them."""
    return " ".join(entry for table in tables for entry in entries(table))


def section(name: str) -> Mapping[str, tuple[str, ...]]:
    """The entries of each table right below, in the order in which they first stand in a file."""
    keys = (key for one in _at(name) for key, value in one.items() if not isinstance(value, dict))
    return {key: entries(f"{name}.{key}") for key in dict.fromkeys(keys)}


def numbers(name: str) -> Mapping[str, int]:
    """The number of each word of a section whose tables are named by numbers."""
    return {word: int(key) for key, words in section(name).items() for word in words}


@cache
def numbers_in(name: str, language: str) -> frozenset[str]:
    """The words of such a section in one language; empty for one that there is no file of."""
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
