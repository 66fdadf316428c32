# ruff: noqa: RUF001 (typographic quotes are quotes too)
"""The parser of `commands.lark`, with the terminals that are lists of words in `words.toml`."""

from collections.abc import Iterable
from functools import cache

from lark import Lark

from app.reasoners.commands.vocabulary import HERE, roles, words
from app.text import patterns

# A point, comma, colon or apostrophe belongs to a word that goes on: "10:30", "a.b@c.org", "Dr. Lee".
_MARK = r"""[^\s,;:.!?"“”„«»`‘\/]"""
_WORD = (
    r"(?:(?:%abbreviations%)\.(?=\s+\w)|"
    rf"(?:{_MARK}|(?<=\S)[,;:.!?](?=[^\s\"“”„«»`‘])|\/(?=\S))+)"
)


def _any(phrases: Iterable[str]) -> str:
    """A pattern for any of the phrases, the longest first, ended where a word ends."""
    longest = sorted(phrases, key=len, reverse=True)
    spaced = [
        patterns.escape(phrase).replace(r"\ ", r"\s+").replace("'", "['’]") for phrase in longest
    ]
    return rf"(?:{'|'.join(spaced)})(?![\w'’])"


@cache
def parser() -> Lark:
    """The LALR parser: one reading or none, in a time that grows with the length.

    Raises `lark.GrammarError` for a grammar of which two rules read the same.
    """
    table = words()
    polite = table["polite"]
    verbs = _any(phrase for phrases in table["verbs"].values() for phrase in phrases)
    between = _any(polite["between"])
    before = _any(polite["before"])
    after = _any(polite["after"])
    terminals = {
        name: (f"{name}.{4 if name in table['joints'] else 7}", _any(phrases))
        for group in ("verbs", "joints")
        for name, phrases in table[group].items()
    }
    return Lark(
        _grammar(_WORD.replace("%abbreviations%", "|".join(table["phrases"]["abbreviations"])))
        + "\n".join(f"{head}: /{body}/i" for head, body in terminals.values())
        + "\n"
        + "\n".join(_composed(verbs, between, before, after)),
        parser="lalr",
        lexer="contextual",
        propagate_positions=True,
        maybe_placeholders=False,
    )


def _grammar(word: str) -> str:
    return (HERE / "commands.lark").read_text(encoding="utf-8").replace("%word%", word)


def _composed(verbs: str, between: str, before: str, after: str) -> Iterable[str]:
    """The terminals that are made of several lists."""
    table = words()
    nouns = [*roles(), *table["places"]["nouns"]]
    behind = "|".join(rf"(?<=\b{noun}\s)" for noun in nouns)
    number = r"(?:\d{1,2}[.)]|[-*•])\s+"
    row = r"(?:(?:the|a)\s+)?(?:row|line|entry|record)\s+(?:of|for|with|named|called)(?!\w)"
    named = r"(?-i:[A-Z0-9\"'“‘])"
    yield rf"LEAD.20: /\s*(?:{number})?(?:{before}(?:\s*+,)?\s*+)++(?={verbs})|{number}/i"
    yield (
        rf"NEXT.20: /[ \t]*(?:,?\s*{after})?(?:[,;:.!\n]\s*(?:{number})?|\s+(?={between})|\s+(?=without\b))"
        rf"(?:(?:{between}|{before})(?:\s*+,)?\s*+)*+(?={verbs})/i"
    )
    yield (
        rf"FORM.8: /{_any(table['verbs']['FILL'])}\s+(?:(?:the|this|in)\s+)*{_any(table['phrases']['form'])}"
        r"(?:\s+with(?!\w)|\s*:)?/i"
    )
    yield rf"END.20: /[ \t]*,?\s*{after}\s*\Z/i"
    yield rf"PLACE.6: /(?:in|for)\s+{row}|(?:in|on|under|inside|within|for)\s+(?=the\b|this\b|{named})/i"
    yield (
        rf"WITHIN.5: /(?:in|for|on|of)\s+{row}|(?:in|inside|within|on|from)\s+(?=(?:the|this|my)\s)|under\s+|"
        rf"(?:of|for)\s+(?=(?:(?:the|my)\s+)?[a-z]+\s+{named})|from\s+(?={named}|\S{{1,64}}@)|"
        rf"(?:{behind}|(?<=[\"'”’`»]\s))(?:of|for|from|in|on|at)(?!\w)/i"
    )
    yield (rf"KEY.8: /{_key()}(?=\s*(?:\Z|[,;.\n]|{between}|twice\b|\w+\s+times))/i")
    yield rf"TIMES.6: /{_any(table['times'])}|(?:\d+|{_any(table['numbers'])})\s+times\b/i"
    yield (
        rf"DIRECTION.6: /(?:to\s+the\s+)?(?:very\s+)?{_any(table['directions'])}(?:\s+of\s+the\s+page)?"
        rf"(?=\s*(?:\Z|[,;.\n]|{between}|twice\b|\w+\s+times))/i"
    )


def _key() -> str:
    table = words()
    modifiers = _any(table["modifiers"])
    alone = _any(key for key in table["keys"] if key not in table["named_keys"]["words"])
    named = _any(table["keys"])
    chord = rf"(?:{modifiers}(?:\s*+[+-])?\s*+)++(?:{named}|f\d{{1,2}}|\w)(?!\w)(?:\s+key)?"
    return rf"(?:the\s+)?(?:{chord}|{named}\s+key|{alone})(?!\w)"
