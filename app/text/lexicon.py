"""Whether a text names something of a kind: the lexicon made into expressions."""

import unicodedata
from functools import lru_cache

from app.text import patterns, vocabulary

_TOKENS = patterns.compile(r"[^\W_]+|[\u00d7\u2715\u2716]")


def pattern(stems: str) -> patterns.Pattern:
    """One expression over `words(text)` for stems written as `app.text.vocabulary` says."""
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
# "New order", "Neue Bestellung": the name of a thing to begin with, and no command to order it.
_NEW_THING = patterns.compile(
    rf"(?:^|(?<= ))(?:{'|'.join(vocabulary.vocabulary('controls.new'))}) \w+"
)
_COMMANDS = frozenset({"risky", "submit"})
_LONG = 8  # words; the name of a row or a card tells of things and commands nothing


@lru_cache(maxsize=8192)
def words(text: str) -> str:
    """The words of a text, lower case, without accents, between single spaces."""
    if text.isascii():
        return " ".join(_TOKENS.findall(text.lower()))
    plain = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss"))
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(_TOKENS.findall(kept))


def match(kind: str, text: str) -> patterns.Match | None:
    """Where the text first names something of that kind; a command is not what is named as new."""
    plain = words(text)
    if kind in _COMMANDS:
        plain = _NEW_THING.sub(lambda new: "0" * len(new[0]), plain)  # places stay
    return _PATTERNS[kind].search(plain)


@lru_cache(maxsize=8192)
def speaks_of(kind: str, text: str) -> bool:
    """Whether the text names something of that kind.

    Kinds: risky, totality, submit, search, sign_in, sign_out, dismiss, harmless.
    """
    return match(kind, text) is not None


def does(text: str) -> frozenset[str]:
    """The kinds of effects that are hard to undo which a control's name speaks of (`KINDS`)."""
    plain = _SIGNS_ON.sub("enter", words(text))
    return frozenset(kind for kind in KINDS if _PATTERNS[kind].search(plain))


def is_risky(name: str) -> bool:
    """Whether nobody presses a control of that name to look around: by its words it deletes, pays, orders,
    sends, publishes, changes access, or signs out. Whether a person is asked is for `assess` to say.

    A name that begins with a harmless command ("Search deleted items", "Cancel") is not risky, nor is one
    too long to be a command.
    """
    if len(words(name).split()) > _LONG:
        return False
    risky = match("risky", name)
    if risky is None:
        return False
    harmless = match("harmless", name)
    return harmless is None or risky.start() <= harmless.start()
