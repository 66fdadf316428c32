"""Proper names of a claim: they stand in what it cites, or it speaks of somebody else."""

import unicodedata
from collections.abc import Iterator

from app.chat.claims.sources import Sources
from app.provenance import scan_text
from app.text import patterns

_WORD = patterns.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_BEGINS = patterns.compile(r"(?:^|[.!?:\u2026]\s|[\"\u201c\u201e\u00ab(\u2022]\s?|\n)\W*$")
_POSSESSIVE = patterns.compile(r"['\u2019]s?$")
_ENDING = 2  # letters that a name may have more: of a plural, or of a case
_SHORT = 4  # letters: a shorter name has no ending
_NOUNS_IN_CAPITALS = frozenset({"de", "lb"})  # where a capital tells a noun, and no name


def missing_names(
    claim: str,
    held: tuple[str, ...],
    language: str,
    sources: Sources,
    theirs: frozenset[str],
    question: str,
) -> list[str]:
    """Names in the claim that none of the texts held has; the question tells that a word is a name, and shows
    nothing. Where capitals tell no names only codes such as "ISO-9001" are looked for; where the claim is in
    another `language` than they (`theirs`; nothing where it is not known), and may write a name or an
    abbreviation differently, those alone that have digits.
    """
    known = {_folded(word) for text in held for word in _words(text)}
    foreign = bool(language and theirs) and language not in theirs
    nouns = language in _NOUNS_IN_CAPITALS
    return [
        name
        for name, code in _names(claim, sources, question)
        if (_has_digits(name) if foreign else code or not nouns)
        and not all(_among(_folded(one), known) for one in (_codes(name) if code else [name]))
    ]


def _names(text: str, sources: Sources, question: str) -> Iterator[tuple[str, bool]]:
    """Codes, and words with a capital, of those that begin a sentence those that passages or the question
    write so within one; each with whether it is a code. Days are neither.
    """
    days = [(one.start, one.end) for one in scan_text(text).tokens if one.kind in ("date", "time")]
    for found in _WORD.finditer(text):
        word, capitals = found[0], sum(map(str.isupper, found[0]))
        if not capitals or any(start <= found.start() < end for start, end in days):
            continue
        code = bool(_codes(word))
        begins = _BEGINS.search(text[: found.start()]) is not None
        whole = len(_POSSESSIVE.sub("", word)) > 1
        if code or capitals > 1 or (whole and (not begins or sources.names(word, question))):
            yield word, code


def _has_digits(word: str) -> bool:
    return any(map(str.isdigit, word))


def _codes(word: str) -> list[str]:
    """The parts of a word that are codes: "LAS" and "2" of "LAS-2-Format"."""
    return [
        one
        for one in patterns.split(r"['\u2019-]", word)
        if _has_digits(one) or (len(one) > 1 and one.isupper())
    ]


def _words(text: str) -> Iterator[str]:
    for found in _WORD.finditer(text):
        yield found[0]
        yield from patterns.split(r"['\u2019-]", found[0])


def _folded(word: str) -> str:
    apart = unicodedata.normalize("NFKD", _POSSESSIVE.sub("", word))
    return "".join(one for one in apart if not unicodedata.combining(one)).casefold()


def _among(name: str, known: set[str]) -> bool:
    if name in known:
        return True
    if parts := [one for one in patterns.split(r"['\u2019-]", name) if one != name]:
        return all(_among(one, known) for one in parts if len(one) > 1)
    return len(name) >= _SHORT and any(
        len(other) >= _SHORT
        and abs(len(other) - len(name)) <= _ENDING
        and (other.startswith(name) or name.startswith(other))
        for other in known
    )
