"""Phrases made into expressions over `words(text)`, in any script."""

from app.engines.risk.lexicon import words
from app.text import patterns

UNSPACED = patterns.compile(r"[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def compiled(stems: str) -> patterns.Pattern:
    """One expression for stems written as `app.engines.verification.phrases` says.

    Spaced scripts match from the beginning of a word; unspaced ones (Chinese, Japanese, Korean)
    wherever they stand.
    """
    spaced: list[str] = []
    anywhere: list[str] = []
    for stem in dict.fromkeys(stems.split()):
        (anywhere if UNSPACED.search(stem) else spaced).append(_body(stem))
    parts = [rf"(?:^|(?<= ))(?:{'|'.join(spaced)})"] if spaced else []
    return patterns.compile("|".join((*parts, *anywhere)))


def _body(stem: str) -> str:
    parts = (patterns.escape(words(part.replace("_", " "))) for part in stem.rstrip("$").split("+"))
    body = r"\w* (?:\w+ )??".join(parts)
    return body + (r"(?!\S)" if stem.endswith("$") else "")
