"""Texts that a model puts in words of its own, because it was asked to: searches and messages."""

from collections.abc import Callable, Sequence

from app.domain.page import Node
from app.engines.grounding.label import stem
from app.engines.provenance.matching import Wanted
from app.engines.provenance.sources import Source
from app.engines.provenance.tokens import Scan, Token
from app.engines.provenance.vocabulary import COMMON, GLUE, MONTHS
from app.engines.reasoner import Situation
from app.engines.risk.lexicon import pattern, speaks_of, words
from app.text import patterns
from app.text.languages import stems

_WRITES = pattern(stems("writing.asked"))
_TEXT_FIELD = pattern(stems("writing.fields"))
_SHORTEST = 4  # words; less is a value and no text
FACTS = frozenset({"date", "time", "phone", "email", "url", "number"})


def is_search(node: Node) -> bool:
    """Whether what is typed there only looks something up."""
    return node.input_type == "search" or speaks_of("search", node.name)


def sought(wanted: Wanted, scans: Sequence[tuple[Source, Scan]]) -> tuple[Source, str] | None:
    """The source of a query each word of which was said, in whatever order and number."""
    said = [(stem(wanted.scan.word(i)), t) for i, t in enumerate(wanted.scan.tokens)]
    telling = [(word, t) for word, t in said if t.kind != "word" or word not in COMMON]
    if not telling:
        return None
    for source, scan in scans:
        stems = {stem(scan.word(at)) for at in range(len(scan.tokens))}
        keys = {key for token in scan.tokens for key in token.keys}
        if all(word in stems or token.keys & keys for word, token in telling):
            return source, " ".join(word for word, _ in telling)
    return None


def is_asked_for(situation: Situation, node: Node) -> bool:
    """Whether the person wants a text written, and this is a field for one."""
    said = words(situation.told)
    is_text = node.input_type == "textarea" or _TEXT_FIELD.search(words(node.name)) is not None
    return node.role in ("inp", "el") and is_text and _WRITES.search(said) is not None


def made_of(wanted: Wanted, knows: Callable[[int], bool]) -> bool:
    """Whether a written text states nothing new: its dates, numbers, addresses and names are known.

    A name is a capital letter within a sentence; ordinary words are the writer's own. `knows` tells
    of one token of the text, by its place, whether any source holds it.
    """
    return len(wanted.scan.tokens) >= _SHORTEST and all(map(knows, stated(wanted.scan)))


def stated(scan: Scan) -> list[int]:
    """The places of the tokens that are facts."""
    return [at for at, token in enumerate(scan.tokens) if _states(scan, at, token)]


def _states(scan: Scan, at: int, token: Token) -> bool:
    """Whether the token is a fact, and none of the words one writes with."""
    if token.kind in FACTS:
        return True
    written = scan.text[token.start : token.end]
    if any(char.isdigit() for char in written):
        return True
    before = scan.text[: token.start].rstrip(" \t\"'(\u201c\u2018")
    begins = not before or patterns.search(r"[.!?\n:\u2026\u2014-]$", before) is not None
    word = scan.word(at)
    if begins or not written[0].isupper() or word in GLUE or word == "i":
        return False
    return word not in COMMON or any(word in line for line in MONTHS)
