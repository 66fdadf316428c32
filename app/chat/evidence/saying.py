"""Whether one sentence of a passage says a claim."""

from collections.abc import Iterator
from functools import lru_cache

from app.chat.evidence.limits import goes_beyond
from app.chat.evidence.naming import identifiers, names, quoted
from app.chat.evidence.polarity import opposed, polarity
from app.chat.evidence.standing import Passage, tokens_of
from app.chat.evidence.values import Value, values_of
from app.chat.evidence.wording import root, tells, tongue, word_set, words_of
from app.domain.chat import Evidence
from app.engines.provenance.tokens import scan
from app.text import patterns

# Of what a claim speaks of, the part that has to be there, and in a clause of its own; and how much of it in
# the cited sentences themselves and not only above them. Set on the table of tests/unit/chat/evidence.
HELD, CLAUSE_HELD, SAID_HERE = 0.6, 0.5, 0.34
SHORT = 3  # words and values of a claim that has to be there whole
LEAST_CLAUSE = (
    2  # words and values of a clause that another sentence may hold than the one before it
)
_CLAUSE = patterns.compile(
    r"\s*(?:[,;:()\u2014]|\s-\s|\b(?:and|but|while|whereas|und|aber|et|mais|y|pero)\b)\s*",
    patterns.IGNORECASE,
)
_POINTS = patterns.compile(
    r"\b(?:it|its|they|their|them|he|his|him|she|her|this|that|these|those|the|such|you|your|er|sie|es|ihr"
    r"|dies\w*|der|die|das|il|elle|ils|ce|cette|le|la|les|el|los|las)\b",
    patterns.IGNORECASE,
)
_LEANS = patterns.compile(
    r"^\W*(?:\w+\W+){0,2}(?:it|its|they|their|them|he|him|his|she|her|this|these|those|such|both|otherwise|er"
    r"|sie|ihr|dies\w*|il|elle|ils|elles|cela|ces|eso|esto|ellos)\b",
    patterns.IGNORECASE,
)
_APART = patterns.compile(
    r"\s*;\s+|,?\s+(?:while|whereas|während|wohingegen|tandis que|mientras que)\s+",
    patterns.IGNORECASE,
)
_MONEY = frozenset({"usd", "eur", "gbp", "jpy", "ils", "chf", "cent"})
_ONLY = frozenset({"only", "exclusively", "solely", "nur", "seulement", "solamente"})
_ONLY_SAID = _ONLY | {
    "just",
    "alone",
    "except",
    "unless",
    "other",
    "merely",
    "limited",
    "restricted",
}
# Whom a paraphrase may name where a document says "you", and how it may begin.
_ANYBODY = word_set("""
user users person people anybody everybody nobody reader readers employee employees staff team company
customer customers member members document documents text passage section handbook policy guide manual
page example addition case order order first next following step according overall general summary
""")


class Sayer:
    """One sentence of a passage, or one of two halves that are set against each other, with what it leans on:
    the line that leads to its list, and the sentence before it where it points back.
    """

    def __init__(self, passage: Passage, at: int, part: str, evidence: Evidence) -> None:
        self.unit = passage.units[at]
        self.text = part
        self.near = "\n".join((*_leant(passage, at), self.text))
        self.above = "\n".join((evidence.title, evidence.label, *evidence.heading_path))
        headings = [one.text for one in passage.units[:at] if one.kind == "heading"]
        self.above = "\n".join((self.above, *headings))
        self.before = "\n".join(one.text for one in passage.units[:at])
        self.whole = "\n".join(one.text for one in passage.units)

    def holds(self, claim: str) -> bool:
        """Whether this sentence says the claim."""
        tokens = tokens_of(claim)
        if tokens in (tokens_of(self.unit.text), tokens_of(self.unit.quote)):
            return any(tells(one) or one[0].isdigit() for one in tokens)
        language = tongue(f"{claim} {self.text}")
        values = values_of(claim, claimed=True)
        return (
            self._has_values(values)
            and self._has_names(claim, language)
            and self._has_quoted(claim)
            and self._has_words(claim, values, language)
            and self._agrees(claim, language)
        )

    def _has_values(self, values: tuple[Value, ...]) -> bool:
        here, above = values_of(self.near), values_of(self.above)
        return all(any(value.same(one) for one in (*here, *above)) for value in values)

    def _has_names(self, claim: str, language: str) -> bool:
        """Each name here or above; one that only stands before it where something here points back."""
        points = _POINTS.search(self.text) is not None
        wanted = names(claim, language)
        near = _all_roots(f"{self.text}\n{self.above}", language)
        missing = {one for one in wanted - near if not _initials(one, self.whole)}
        if missing and not (points and missing <= _all_roots(self.before, language)):
            return False
        here, before = (f"{self.text}\n{self.above}".casefold(), self.before.casefold())
        return all(
            _stands(one, here) or (points and _stands(one, before)) for one in identifiers(claim)
        )

    def _has_quoted(self, claim: str) -> bool:
        whole = f" {' '.join(tokens_of(f'{self.above} {self.whole}'))} "
        return all(f" {' '.join(tokens_of(one))} " in whole for one in quoted(claim))

    def _has_words(self, claim: str, values: tuple[Value, ...], language: str) -> bool:
        near, above = roots(self.near, language), roots(self.above, language)
        elsewhere = roots(self.whole, language) - near
        senses = polarity(self.near, language).senses

        paid = any(value.unit in _MONEY for value in values)  # an amount of money is a cost

        def held(stem: str, word: str) -> bool:
            if stem in near or stem in above or (stem == "=cost" and paid):
                return True
            return language == "english" and bool(polarity(word).senses & senses)

        told = dict(_told(claim, language))
        missing = {stem for stem, word in told.items() if not held(stem, word)}
        if missing & elsewhere:
            return False  # two sentences put together to say what neither does
        first = next(iter(told), None)
        if first in missing and told[first] not in _ANYBODY:
            return False  # of whom or what it is said may not be made up
        counted = len(values)
        for clause in (claim, *clauses(claim)):
            words = {stem for stem, _ in _told(clause, language)}
            total = len(words) + len(values_of(clause, claimed=True))
            least = 1.0 if total <= SHORT else HELD if clause is claim else CLAUSE_HELD
            if total and len(words & missing) > (1 - least) * total:
                return False
        units = {f"={one.unit}" for one in values if one.unit}
        here = roots(self.text, language)
        total = len(told) + counted
        said = counted + sum(stem in here or stem in units for stem in told)
        return bool(total) and said >= max(1, SAID_HERE * total)

    def _agrees(self, claim: str, language: str) -> bool:
        said = polarity(claim, language)
        source = polarity(self.near, language)
        words, held = roots(claim, language), roots(self.near, language)
        if opposed(said, source, words, held):
            return False
        if goes_beyond(claim, f"{self.near}\n{self.above}", language):
            return False
        spoken = frozenset(_words(claim))
        return not spoken & _ONLY or bool(frozenset(_words(self.text)) & _ONLY_SAID)


def parts_of(sentence: str) -> list[str]:
    """A sentence whose halves speak of two things as these; what a list with semicolons leads to stays."""
    if not sentence:
        return []
    parts = _APART.split(sentence)
    led = ":" in parts[0] or min(map(size, parts)) < LEAST_CLAUSE
    return [sentence] if led else parts


def _leant(passage: Passage, at: int) -> list[str]:
    """What a sentence is read with: the line that leads to its list, table or code, and where it points back
    the sentence before it.
    """
    units, unit = passage.units, passage.units[at]
    leant: list[str] = []
    if unit.kind in ("item", "row", "code"):
        before = [one for one in units[:at] if one.block != unit.block]
        if before and before[-1].kind == "prose":
            leant.append(before[-1].text)
    if at and _LEANS.search(unit.text) and units[at - 1].kind == unit.kind:
        leant.append(units[at - 1].text)
    return leant


def size(clause: str) -> int:
    """How many of its words and values say something."""
    language = tongue(clause)
    return len(roots(clause, language)) + len(values_of(clause, claimed=True))


def clauses(claim: str) -> list[str]:
    """The parts of a claim that could each be made up, where there are several."""
    parts = [one for one in _CLAUSE.split(claim) if one and one.strip()]
    return parts if len(parts) > 1 else []


def _words(text: str) -> list[str]:
    found = scan(text)
    return [
        found.word(at).replace("'s", "").replace("'", "")
        for at, token in enumerate(found.tokens)
        if token.kind in ("word", "sign")
    ]


def _told(text: str, language: str) -> Iterator[tuple[str, str]]:
    """(stem, word) of those that claim something; numbers are looked at apart."""
    for word in _words(text):
        if tells(word) and not word[0].isdigit() and not _is_number(word):
            yield root(word, language), word


def _is_number(word: str) -> bool:
    return bool(values_of(word, claimed=True))


@lru_cache(maxsize=8_192)
def roots(text: str, language: str) -> frozenset[str]:
    """The stems of the words that claim something."""
    return frozenset(stem for stem, _ in _told(text, language))


@lru_cache(maxsize=8_192)
def _all_roots(text: str, language: str) -> frozenset[str]:
    return frozenset(root(word, language) for word in words_of(text))


def _stands(identifier: str, text: str) -> bool:
    edge = r"[\w-]" if identifier[-1].isalnum() else r"\w"
    return patterns.search(rf"(?<![\w-]){patterns.escape(identifier)}(?!{edge})", text) is not None


def _initials(stem: str, text: str) -> bool:
    """Whether a short name is that of the first letters of words there, as "VPN" may be."""
    if not 2 <= len(stem) <= 5:
        return False
    letters = "".join(word[0] for word in patterns.findall(r"[^\W\d_]+", text)).casefold()
    capitals = "".join(
        word[0] for word in patterns.findall(r"[^\W\d_]+", text) if word[0].isupper()
    )
    return stem in letters and stem in capitals.casefold()
