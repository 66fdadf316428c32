"""What of the documents is to be compared: "the refund terms" of them, or all."""

from collections.abc import Sequence

from app.chat.statements import Held, Statement
from app.chat.statements.words import plain_words, terms_of
from app.engines.embedder import Embedder
from app.text import patterns

MEANT = 0.45  # cosine of a statement with the topic, where no word is the same
_ASKING = frozenset(
    terms_of(
        """compare comparison contrast difference differences differ different differing distinguish versus
        vs similar
        similarities same align against side table what how tell show give find list please documents
        document doc docs
        file files policy policies contract contracts agreement manual version versions terms term
        conditions rules rule
        section sections part parts clause clauses text texts two both three these those each old new older
        newer
        previous current changed change regarding concerning respect regard relation about say says said agree
        overview summary key main important detail details thing things vergleiche vergleich unterschied
        unterschiede
        unterschieden dokumente comparer compare différences documents comparar diferencias documentos"""
    )
)


def topic_of(plain: str, titles: Sequence[str]) -> frozenset[str]:
    """The words of the message that say what to compare, without those that say to compare and the names
    of the
    documents; empty: all of them.
    """
    said = plain.casefold()
    for title in sorted(titles, key=len, reverse=True):
        for name in (title.casefold(), title.casefold().rsplit(".", 1)[0]):
            said = patterns.sub(rf"(?<!\w){patterns.escape(name)}(?!\w)", " ", said)
    named = {term for title in titles for term in terms_of(title)}
    words = [word for word in plain_words(said) if len(word) > 2]
    return frozenset(terms_of(" ".join(words))) - _ASKING - named


def about(
    held: Sequence[Held], topic: frozenset[str], embedder: Embedder | None
) -> list[list[Statement]] | None:
    """The statements of each document on the topic; None where not one has any."""
    found = [[one for one in each.statements if _on(one, topic)] for each in held]
    if not any(found) and embedder is not None:
        found = [_meant(each.statements, topic, embedder) for each in held]
    return found if any(found) else None


def _on(one: Statement, topic: frozenset[str]) -> bool:
    """Whether it, or its heading, has at least half of the words."""
    words = one.terms | frozenset(terms_of(one.theme, one.tongue))
    return 2 * len(words & topic) >= len(topic)


def _meant(
    statements: Sequence[Statement], topic: frozenset[str], embedder: Embedder
) -> list[Statement]:
    if not statements:
        return []
    sought = embedder.embed([" ".join(sorted(topic))])[0]
    near = embedder.embed([f"{one.theme} {one.text}" for one in statements]) @ sought
    return [one for one, value in zip(statements, near, strict=True) if value >= MEANT]
