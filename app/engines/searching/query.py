"""What is sent to a search service: short, plain, and with no secret in it."""

from collections.abc import Iterable

from app.engines.redaction import QUOTED, SECRET_FIELD
from app.text import patterns

LONGEST = 400  # characters; what Tavily takes
_NAMED = rf"(?P<name>{SECRET_FIELD.pattern})"
_GIVEN = patterns.compile(
    rf"{_NAMED}(?:\s*(?:[:=]|\s(?:is|was)\s)\s*(?:{QUOTED}|\S+)|\s+(?:{QUOTED}))",
    patterns.IGNORECASE,
)
# A word after "password" with a digit and a letter in it, or digits alone: no word of a question.
_FOLLOWING = patterns.compile(
    rf"{_NAMED}\s+(?:(?=\S*\d)(?=\S*[^\W\d])\S{{4,}}|\d{{3,8}}\b)", patterns.IGNORECASE
)
# Keys of services and signed tokens: long, without spaces, with letters and digits.
_KEY = patterns.compile(r"(?<![\w/.-])(?=[\w.+/=-]*\d)(?=[\w.+/=-]*[A-Za-z])[\w.+=-]{24,}(?![\w/])")


def cleaned(text: str, hidden: Iterable[str] = ()) -> str:
    """The query without the hidden values, and without what is given in it as a secret."""
    for value in sorted(filter(None, hidden), key=len, reverse=True):
        bounds = ("(?<!\\w)", "(?!\\w)") if len(value) < 4 else ("", "")
        text = patterns.sub(
            f"{bounds[0]}{patterns.escape(value)}{bounds[1]}", " ", text, flags=patterns.IGNORECASE
        )
    for pattern in (_GIVEN, _FOLLOWING):
        text = pattern.sub(lambda found: found["name"], text)
    text = " ".join(_KEY.sub(" ", text).split())
    if len(text) <= LONGEST:
        return text
    return text[: LONGEST + 1].rpartition(" ")[0] or text[:LONGEST]
