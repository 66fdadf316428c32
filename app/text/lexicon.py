"""Matches text against the lexicon of effects and controls."""

import unicodedata
from functools import lru_cache

from app.text import patterns, vocabulary

_TOKENS = patterns.compile(r"[^\W_]+|[\u00d7\u2715\u2716]")


def pattern(stems: str) -> patterns.Pattern:
    """Build one expression over `words(text)` from stems written as in `app.text.vocabulary`."""
    parts = []
    for stem in dict.fromkeys(stems.split()):
        phrase = (patterns.escape(word).replace("_", " ") for word in stem.rstrip("$").split("+"))
        body = r"\w* (?:\w+ )??".join(phrase)
        parts.append(body + (r"(?!\S)" if stem.endswith("$") else ""))
    return patterns.compile(r"(?:^|(?<= ))(?:" + "|".join(parts) + ")")


KINDS = ("destroys", "spends", "tells", "decides", "grants", "leaves")
_OTHERS = ("totality", "submit", "search", "sign_in", "sign_out", "dismiss", "harmless")
_PATTERNS = {
    **{kind: pattern(vocabulary.stems(f"controls.{kind}")) for kind in (*KINDS, *_OTHERS)},
    "risky": pattern(vocabulary.stems(*(f"controls.{kind}" for kind in KINDS))),
}
_SIGNS_ON = patterns.compile(r"(?:^|(?<= ))sign (?:in|up|on)(?!\S)")
# "New order", "Neue Bestellung": the name of something to create, not a command to order it.
_NEW_THING = patterns.compile(
    rf"(?:^|(?<= ))(?:{'|'.join(vocabulary.vocabulary('controls.new'))}) \w+"
)
_COMMANDS = frozenset({"risky", "submit"})
_LONG = 8  # words; longer names belong to rows or cards and are not commands


@lru_cache(maxsize=8192)
def words(text: str) -> str:
    """The words of a text in lower case, without accents, separated by single spaces."""
    if text.isascii():
        return " ".join(_TOKENS.findall(text.lower()))
    plain = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss"))
    unaccented = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(_TOKENS.findall(unaccented))


def find_kind(kind: str, text: str) -> patterns.Match | None:
    """The first match of that kind; a command is ignored if it is part of the name of something new."""
    plain = words(text)
    if kind in _COMMANDS:
        plain = _NEW_THING.sub(lambda new: "0" * len(new[0]), plain)  # keeps positions
    return _PATTERNS[kind].search(plain)


@lru_cache(maxsize=8192)
def speaks_of(kind: str, text: str) -> bool:
    """Whether the text contains a word of that kind.

    Kinds: risky, totality, submit, search, sign_in, sign_out, dismiss, harmless.
    """
    return find_kind(kind, text) is not None


def does(text: str) -> frozenset[str]:
    """The kinds of irreversible effects (`KINDS`) that a control's name suggests."""
    plain = _SIGNS_ON.sub("enter", words(text))
    return frozenset(kind for kind in KINDS if _PATTERNS[kind].search(plain))


def is_risky(name: str) -> bool:
    """Whether a control of that name must not be pressed just to explore: its words suggest deleting,
    paying, ordering, sending, publishing, changing access, or signing out. Whether to ask the user is
    up to `assess`.

    A name that begins with a harmless command ("Search deleted items", "Cancel") is not risky, nor is
    one too long to be a command.
    """
    if len(words(name).split()) > _LONG:
        return False
    risky = find_kind("risky", name)
    if risky is None:
        return False
    harmless = find_kind("harmless", name)
    return harmless is None or risky.start() <= harmless.start()
