"""Titles and misspelt words in a request, before its words are judged."""

from rapidfuzz import fuzz, process

from app.chat.documents import Listing
from app.chat.documents.words import words_of
from app.chat.intent.request import DOC
from app.text import patterns

_MOST_WORDS = 400  # of a request that are looked up
_LONGEST = 10  # words of a title
_FEWEST_LETTERS = 5  # of a title of one word; a shorter one is hardly told from other words
_CUES = frozenset(
    {"summary", "overview", "comparison", "review", "audit", "compliance", "differences"}
)
_SPELT = (
    "summarize", "summarise", "summary", "compare", "comparison", "difference", "differences", "overview",
    "compliance", "violations", "takeaways", "highlights",
)  # fmt: skip
_ALIKE = 88.0  # of 100: one letter of eight is wrong, left out or added
_LETTERS = patterns.compile(r"[^\W\d_]{6,}")


def with_titles_marked(text: str, listing: Listing) -> str:
    """The text with a mark for every title that stands in it whole, the longest first."""
    if not listing.titles:
        return text
    ready, words, parts, done, at = listing.ready, words_of(text)[:_MOST_WORDS], [], 0, 0
    while at < len(words):
        for end in range(min(len(words), at + _LONGEST), at, -1):
            said = [word.text for word in words[at:end]]
            if ready.verbatim(said) and _a_title(said):
                parts += [text[done : words[at].start], DOC]
                done, at = words[end - 1].end, end - 1
                break
        at += 1
    return "".join([*parts, text[done:]])


def _a_title(said: list[str]) -> bool:
    return len(said) > 1 or (len(said[0]) >= _FEWEST_LETTERS and said[0] not in _CUES)


def spelt(text: str) -> str:
    """The text with the words that ask for an action set right, where a letter of them is wrong."""
    return _LETTERS.sub(_right, text, count=_MOST_WORDS)


def _right(found: patterns.Match) -> str:
    word = found[0].lower()
    if not word.isascii() or word.startswith(("summar", "compar", "compl", "violat", "highlight")):
        return found[0]
    near = process.extractOne(word, _SPELT, scorer=fuzz.ratio, score_cutoff=_ALIKE)
    return near[0] if near and near[0] != word else found[0]
