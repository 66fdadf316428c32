"""What can be tagged with `@`, by what is typed after it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from app.chat.documents.titles import ALIKE, Titles, lines_of_words
from app.domain.chat import ACTIONS, ChatAction
from app.domain.knowledge import DocumentTitle

LABELS: dict[ChatAction, str] = {
    "summarize": "Summarize",
    "inquire": "Ask",
    "compare": "Compare",
    "audit": "Audit",
}
_AS_TYPED, _FROM_THE_START, _WORDS, _WITHIN = range(4)
_SHORTEST_TYPO = 4  # letters: of fewer all titles are alike


@dataclass(frozen=True, slots=True)
class SuggestedSet:
    """A set, and how many documents are in it."""

    name: str
    documents: int


def suggest_titles(titles: Titles, query: str, limit: int) -> list[DocumentTitle]:
    """The titles in which each typed word begins a word, or stands at all; those that begin with it first. If
    there are none, likely misspellings. All, newest first, for "".
    """
    typed = lines_of_words([query])[0]
    if not typed:
        return list(titles.all[:limit])
    places = _rank_lines(titles.lines, typed) or _misspelt(titles, " ".join(typed), limit)
    return [titles.all[place] for place in places[:limit]]


def suggest_sets(titles: Titles, query: str, limit: int) -> list[SuggestedSet]:
    typed = lines_of_words([query])[0]
    counted = Counter(one.set_name for one in titles.all)
    names = [name for name, _ in counted.most_common()]
    lines = [" " + " ".join(line) for line in lines_of_words(names)]
    places = _rank_lines(lines, typed)[:limit]
    return [SuggestedSet(names[at], counted[names[at]]) for at in places]


def suggest_actions(query: str) -> list[tuple[ChatAction, str]]:
    """The actions whose name or label begins with what is typed."""
    typed = query.strip().casefold()
    return [
        (one, LABELS[one])
        for one in ACTIONS
        if one.startswith(typed) or LABELS[one].casefold().startswith(typed)
    ]


def _rank_lines(lines: Iterable[str], typed: list[str]) -> list[int]:
    """The places of the lines that match, best first."""
    ranks = ((_rank(line, typed), at) for at, line in enumerate(lines))
    return [at for _, at in sorted((rank, at) for rank, at in ranks if rank is not None)]


def _rank(line: str, typed: list[str]) -> int | None:
    """How well a title matches, 0 best; None if one is missing. `line` is its words, each after a space."""
    if line.startswith(" " + " ".join(typed)):
        return _AS_TYPED
    if not all(word in line for word in typed):
        return None
    if not all(f" {word}" in line for word in typed):
        return _WITHIN
    return _FROM_THE_START if line.startswith(f" {typed[0]}") else _WORDS


def _misspelt(titles: Titles, query: str, limit: int) -> list[int]:
    """Titles of which a part is similar: what is typed is the beginning of more."""
    if len(query) < _SHORTEST_TYPO:
        return []
    found = process.extract(
        query, titles.lines, scorer=fuzz.partial_ratio, score_cutoff=ALIKE - 5, limit=limit
    )
    return [place for _, _, place in found]
