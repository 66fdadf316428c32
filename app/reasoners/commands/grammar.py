# ruff: noqa: RUF001 (typographic quotes are quotes too)
"""Loads the words of `words.toml`, and builds the parser of `commands.lark` from them."""

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark

from app.text import patterns

HERE = Path(__file__).parent


@cache
def word_tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads((HERE / "words.toml").read_text(encoding="utf-8"))


@cache
def phrases(name: str) -> frozenset[str]:
    return frozenset(word_tables()["phrases"][name])


@cache
def first_verbs() -> frozenset[str]:
    verbs = word_tables()["verbs"].values()
    return frozenset(phrase.split()[0] for phrases_ in verbs for phrase in phrases_)


@cache
def roles() -> dict[str, str]:
    """Map each noun for a kind of control to its role."""
    return {noun: role for role, nouns in word_tables()["roles"].items() for noun in nouns}


# A point, comma, colon or apostrophe belongs to a word that goes on: "10:30", "a.b@c.org", "Dr. Lee".
_MARK = r"""[^\s,;:.!?"“”„«»`‘\/]"""
_WORD = (
    r"(?:(?:%abbreviations%)\.(?=\s+\w)|"
    rf"(?:{_MARK}|(?<=\S)[,;:.!?](?=[^\s\"“”„«»`‘])|\/(?=\S))+)"
)


def _any(phrases: Iterable[str]) -> str:
    """Return a pattern for any of the phrases, longest first, up to a word boundary."""
    longest = sorted(phrases, key=len, reverse=True)
    spaced = [
        patterns.escape(phrase).replace(r"\ ", r"\s+").replace("'", "['’]") for phrase in longest
    ]
    return rf"(?:{'|'.join(spaced)})(?![\w'’])"


@cache
def parser() -> Lark:
    """Build the LALR parser. Raises `lark.GrammarError` if two rules of the grammar conflict."""
    table = word_tables()
    polite = table["polite"]
    verbs = _any(phrase for phrases in table["verbs"].values() for phrase in phrases)
    between = _any(polite["between"])
    before = _any(polite["before"])
    after = _any(polite["after"])
    terminals = [
        (f"{name}.{priority}", _any(phrases))
        for group, priority in (("verbs", 7), ("joints", 4))
        for name, phrases in table[group].items()
    ]
    word = _WORD.replace("%abbreviations%", "|".join(table["phrases"]["abbreviations"]))
    declared = [f"{head}: /{body}/i" for head, body in terminals]
    grammar = (HERE / "commands.lark").read_text(encoding="utf-8").replace("%word%", word)
    return Lark(
        "\n".join([grammar, *declared, *_composed(verbs, between, before, after)]),
        parser="lalr",
        lexer="contextual",
        propagate_positions=True,
        maybe_placeholders=False,
    )


def _composed(verbs: str, between: str, before: str, after: str) -> Iterable[str]:
    """Yield the terminals composed of several lists."""
    table = word_tables()
    nouns = [*roles(), *table["places"]["nouns"]]
    behind = "|".join(rf"(?<=\b{noun}\s)" for noun in nouns)
    number = r"(?:\d{1,2}[.)]|[-*•])\s+"
    row = r"(?:(?:the|a)\s+)?(?:row|line|entry|record)\s+(?:of|for|with|named|called)(?!\w)"
    named = r"(?-i:[A-Z0-9\"'“‘])"
    yield rf"_LEAD.20: /\s*(?:{number})?(?:{before}(?:\s*+,)?\s*+)++(?={verbs})|{number}/i"
    yield (
        rf"NEXT.20: /[ \t]*(?:,?\s*{after})?(?:[,;:.!\n]\s*(?:{number})?|\s+(?={between})|\s+(?=without\b))"
        rf"(?:(?:{between}|{before})(?:\s*+,)?\s*+)*+(?={verbs})/i"
    )
    yield rf"_PURPOSE.6: /to\s+{verbs}\s+(?:it|them)(?!\w)/i"
    fill, form = _any(table["verbs"]["_FILL"]), _any(table["phrases"]["form"])
    yield rf"_FORM.8: /{fill}\s+(?:(?:the|this|in)\s+)*{form}(?:\s+with(?!\w)|\s*:)?/i"
    yield rf"_END.20: /[ \t]*,?\s*{after}\s*\Z/i"
    yield rf"_PLACE.6: /(?:in|for)\s+{row}|(?:in|on|under|inside|within|for)\s+(?=the\b|this\b|{named})/i"
    yield (
        rf"WITHIN.5: /(?:in|for|on|of)\s+{row}|(?:in|inside|within|on|from)\s+(?=(?:the|this|my)\s)|under\s+|"
        rf"(?:of|for)\s+(?=(?:(?:the|my)\s+)?[a-z]+\s+{named})|(?:from|by)\s+(?={named}|\S{{1,64}}@)|"
        rf"(?:{behind}|(?<=[\"'”’`»]\s))(?:of|for|from|in|on|at)(?!\w)/i"
    )
    yield (rf"KEY.8: /{_key()}(?=\s*(?:\Z|[,;.\n]|{between}|twice\b|\w+\s+times))/i")
    yield rf"TIMES.6: /{_any(table['times'])}|(?:\d+|{_any(table['numbers'])})\s+times\b/i"
    yield (
        rf"DIRECTION.6: /(?:to\s+the\s+)?(?:very\s+)?{_any(table['directions'])}(?:\s+of\s+the\s+page)?"
        rf"(?=\s*(?:\Z|[,;.\n]|{between}|twice\b|\w+\s+times))/i"
    )


def _key() -> str:
    table = word_tables()
    modifiers = _any(table["modifiers"])
    alone = _any(key for key in table["keys"] if key not in table["named_keys"]["words"])
    named = _any(table["keys"])
    chord = rf"(?:{modifiers}(?:\s*+[+-])?\s*+)++(?:{named}|f\d{{1,2}}|\w)(?!\w)(?:\s+key)?"
    return rf"(?:the\s+)?(?:{chord}|{named}\s+key|{alone})(?!\w)"
