"""What is sent to a search service: short, plain, and with no secret in it."""

from collections.abc import Iterable

from app.engines.redaction import QUOTED, SECRET_FIELD, secret_in_word
from app.text import patterns

LONGEST = 400  # characters; what Tavily takes
_NAMED = rf"(?P<name>{SECRET_FIELD.pattern})"
_GIVEN = patterns.compile(
    rf"{_NAMED}(?:\s*(?:[:=]|\s(?:is|was)\s)\s*(?:{QUOTED}|\S+)|\s+(?:{QUOTED}))",
    patterns.IGNORECASE,
)
_FOLLOWING = patterns.compile(rf"{_NAMED}\s+(?P<word>\S{{3,}})", patterns.IGNORECASE)
# Keys of services and signed tokens: long, without spaces, with letters and digits.
_KEY = patterns.compile(r"(?<![\w/.-])[\w.+=-]{24,}(?![\w/])")


def _without_secret(found: patterns.Match) -> str:
    secret = secret_in_word(found["word"])
    return f"{found['name']}{found['word'][len(secret) :]}" if secret else found[0]


def _without_key(found: patterns.Match) -> str:
    is_key = any(map(str.isdecimal, found[0])) and any(
        one.isascii() and one.isalpha() for one in found[0]
    )
    return " " if is_key else found[0]


def cleaned(text: str, hidden: Iterable[str] = ()) -> str:
    """The query without the hidden values, and without what is given in it as a secret."""
    for value in sorted(filter(None, hidden), key=len, reverse=True):
        bounds = ("(?<!\\w)", "(?!\\w)") if len(value) < 4 else ("", "")
        text = patterns.sub(
            f"{bounds[0]}{patterns.escape(value)}{bounds[1]}", " ", text, flags=patterns.IGNORECASE
        )
    text = _GIVEN.sub(lambda found: found["name"], text)
    text = _FOLLOWING.sub(_without_secret, text)
    text = " ".join(_KEY.sub(_without_key, text).split())
    if len(text) <= LONGEST:
        return text
    return text[: LONGEST + 1].rpartition(" ")[0] or text[:LONGEST]
