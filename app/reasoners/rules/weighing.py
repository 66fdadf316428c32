"""Whether what a search found answers what was to be found out, by the words alone."""

from app.domain.background import WebSearch
from app.engines.grounding.label import label
from app.engines.grounding.lexicon import STOP_WORDS
from app.text import patterns
from app.text.languages import vocabulary

ASKING = vocabulary("questions.searching")
LONGEST = 300  # characters of an answer; a sentence of an excerpt is shorter
_SENTENCE = patterns.compile(r"(?<=[.!?])\s+|\n+")


def weigh(search: WebSearch) -> WebSearch:
    """`solved`, with the sentence that says most of it, where one result holds every content word.

    The rules know no better query: an unsolved search comes back as it was.
    """
    wanted = _content(search.need or search.query)
    if not wanted:
        return search
    for result in search.results:
        if wanted <= label(f"{result.title} {result.text}").meaning_set:
            answer = _telling(wanted, result.text) or result.title
            return search.model_copy(update={"solved": True, "answer": answer[:LONGEST]})
    return search


def _content(text: str) -> frozenset[str]:
    words = label(
        " ".join(word for word in text.split() if word.strip("?.,!").lower() not in ASKING)
    )
    return words.meaning_set - STOP_WORDS


def _telling(wanted: frozenset[str], text: str) -> str:
    """The sentence with most of the words, the first of equals."""
    sentences = [part.strip() for part in _SENTENCE.split(text) if part.strip()]
    return max(sentences, key=lambda said: len(wanted & label(said).meaning_set), default="")
