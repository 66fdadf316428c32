"""A question that one line of the documents answers plainly."""

from collections.abc import Sequence

from app.domain.background import Passage
from app.engines.documents.facts import Fact, facts, lines_of
from app.engines.grounding.label import label, stem
from app.engines.provenance.vocabulary import COMMON
from app.engines.risk.lexicon import words
from app.text import patterns
from app.text.languages import vocabulary

COVERED = 0.75  # of what the question speaks of: with less, the line is about something else
LONGEST = 400  # characters of an answer
_ASKING = vocabulary("questions.asking")
_OWNED = patterns.compile(
    r"^(?:what|which|who|when|where)?(?:'s|\s+is|\s+are)?\s*(?:the|our|my)?\s*(?P<what>.+?)"
    r"(?:\s+(?:of|for)\s+(?:the\s+)?(?P<whose>.+?))?\s*[?.!]*$",
    patterns.IGNORECASE,
)
_COUNTS = patterns.compile(
    r"^\s*(?:how\s+(?:many|much|long|often|far|old)|when\b|what\s+(?:time|date))",
    patterns.IGNORECASE,
)
_NUMBER = patterns.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|never|always|daily|weekly|monthly"
    r"|yearly|annually|unlimited|free|none|no)\b",
    patterns.IGNORECASE,
)


def answer(passages: Sequence[Passage], question: str) -> Fact | None:
    """The line that answers, as it stands; None where none does plainly, or lines give different values."""
    asked = _OWNED.match(question.strip())
    if asked is not None:
        given = facts(passages, asked["what"], asked["whose"] or "")
        if len(given) == 1:
            return given[0]
        if given:
            return None
    return _covering(passages, question)


def _covering(passages: Sequence[Passage], question: str) -> Fact | None:
    """The line that speaks of most of what the question does, where that is nearly all of it."""
    telling = _telling(question)
    if len(telling) < 2:
        return None
    best: tuple[float, Fact] | None = None
    counts = _COUNTS.match(question) is not None
    for passage in passages:
        around = _telling(f"{passage.title} {passage.label}")
        for line in lines_of(passage.text):
            if line.endswith("?") or (counts and not _NUMBER.search(line)):
                continue
            said = _telling(line)
            own = len(telling & said) / len(telling)
            told = len(telling & (said | around)) / len(telling)
            # A line that only repeats the question's words, as a heading does, answers nothing.
            if told < COVERED or own < COVERED / 2 or len(said - telling) < 1:
                continue
            if best is None or own > best[0]:
                best = own, Fact(line[:LONGEST], line[:LONGEST], passage)
    return best[1] if best else None


def _telling(text: str) -> frozenset[str]:
    found = words(text).split()
    kept = [word for word in found if word not in _ASKING and word not in COMMON]
    return frozenset(_root(word) for word in kept) | frozenset(
        _root(word) for word in label(text).meaning_set if word in kept
    )


def _root(word: str) -> str:
    """The word without the endings that a question and a sentence differ by."""
    base = stem(word)
    for ending in ("ing", "ed", "es", "s", "e"):
        if base.endswith(ending) and len(base) - len(ending) >= 4:
            return base[: -len(ending)].rstrip("e")
    return base
