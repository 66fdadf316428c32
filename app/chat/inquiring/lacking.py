"""What a question names and no passage does: nothing there is about it, however near it reads."""

from collections.abc import Sequence

from app.chat.evidence.naming import identifiers, names
from app.chat.evidence.wording import root, tells, tongue, words_of
from app.chat.inquiring.question import Question
from app.domain.chat import Evidence
from app.engines.provenance.tokens import fold

MOST_CAPITALS = 0.5  # of the telling words: with more they are how it is written, and no names


def lacks(question: Question, passages: Sequence[Evidence]) -> bool:
    """Whether a proper name or an identifier of the question stands in no passage, title or heading."""
    language = tongue(question.own)
    whole = " ".join(" ".join((one.text, one.title, *one.heading_path)) for one in passages)
    named = names(question.own, language)
    telling = [word for word in words_of(question.own) if tells(word)]
    if len(named) > MOST_CAPITALS * len(telling) and len(telling) > 1:
        named = frozenset()
    there = {root(word, language) for word in words_of(whole)}
    folded = fold(whole)
    return bool(named - there) or any(one not in folded for one in identifiers(question.own))
