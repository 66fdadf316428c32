"""What stands on a document says on which."""

from app.domain.background import Passage
from app.engines.provenance.vocabulary import COMMON
from app.engines.reasoner import Situation
from app.engines.risk.lexicon import words
from app.text import patterns

_LEAST = 3  # words that tell, of which a document is the only source
_SHARE = 0.6  # of the message's own words, that the passage holds


def cited(text: str, passage: Passage) -> str:
    """The text with its source, which is not said twice."""
    if passage.cited.casefold() in text.casefold():
        return text
    return f"{text.rstrip()} (from {passage.cited})"


def sourced(message: str, situation: Situation) -> str:
    """A message to the person, with the document that it stands on, where it stands on one: most of what
    it says beyond the person's own words and the page is there.
    """
    passages = situation.background.knowledge
    if not passages or any(one.title and one.title in message for one in passages):
        return message
    known = f"{situation.told}\n{situation.page.summary}\n{situation.page.title}"
    telling = _telling(message) - _telling(known)
    if len(telling) < _LEAST:
        return message
    best = max(passages, key=lambda one: len(telling & _telling(one.text)))
    held = len(telling & _telling(best.text))
    return cited(message, best) if held >= max(_LEAST, _SHARE * len(telling)) else message


def _telling(text: str) -> frozenset[str]:
    found = patterns.sub(r"\W+", " ", words(text)).split()
    return frozenset(word for word in found if len(word) > 2 and word not in COMMON)
