"""What a model says of passages in its own words, beside the claims that are cited: it may judge, and add no
fact.
"""

from app.chat.evidence.naming import identifiers, names, quoted
from app.chat.evidence.reading import unmarked
from app.chat.evidence.standing import tokens_of
from app.chat.evidence.values import values_of
from app.chat.evidence.wording import root, tongue, words_of


def adds_nothing(text: str, *sources: str) -> bool:
    """Whether each value, name and identifier of the text, and what it quotes, stands in one of the
    sources.
    """
    whole = "\n".join(unmarked(one) for one in sources)
    language = tongue(f"{text} {whole}")
    held = values_of(whole)
    if not all(any(value.same(one) for one in held) for value in values_of(text, claimed=True)):
        return False
    if not names(text, language) <= {root(one, language) for one in words_of(whole)}:
        return False
    if not identifiers(text) <= identifiers(whole):
        return False
    told = f" {' '.join(tokens_of(whole))} "
    return all(f" {' '.join(tokens_of(one))} " in told for one in quoted(text))
