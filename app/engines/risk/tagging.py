"""A text as words with what each may stand for: the vocabulary made into one index.

A look-up costs a few microseconds: each word of a text is looked up once, by itself and by its first
letters, however many entries there are.
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from app.engines.risk.lexicon import words
from app.text import languages, patterns

_STEM = 3  # letters by which stems are kept; every stem has at least as many
_INFLECTED = patterns.compile(r"(.*?)\[(\w+)\](.*)$")
_SEPARABLE = patterns.compile(
    r"(ab|an|auf|aus|ein|frei|zu|zuruck|zusammen|bereit|weg|vor|durch)(?=\w{4})"
)
_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "ar": ("ar", "a", "e", "arlo", "arla", "arlos", "arlas", "arme", "arte", "alo", "ala"),
    "er": ("er", "ez"),  # and "je …e"
    "ir": ("ir", "issez"),
    "en": ("en", "e"),
    "n": ("n", "re"),
}
_SOFTENED = (("g", "gue"), ("c", "que"), ("z", "ce"), ("z", "ze"))  # pague, publique, rechace
_REMEMBERED = 8_192  # texts
_HEBREW = frozenset(
    "\u05d5\u05d4\u05d1\u05dc\u05db\u05de\u05e9"
)  # and, the, in, to, as, from, that
_AND = "\u05d5"  # "and", before a verb too: "sign up and pay"
_BY_DEED = ("plain_english", "plain", "phrases", "either_english", "either", "of_deed", "will_be")
_WARNS = frozenset({"irreversible", "will_be"})


class Tag(NamedTuple):
    """What the words from `start` to before `end` may stand for; `deed` for those that name one."""

    kind: str
    deed: str
    start: int
    end: int


class Reading(NamedTuple):
    """The words of a text, and the tags by where they begin, the longest first."""

    words: tuple[str, ...]
    tags: tuple[tuple[Tag, ...], ...]

    def at(self, place: int, *kinds: str) -> Tag | None:
        """The longest tag of these kinds that begins there."""
        if place >= len(self.tags):
            return None
        return next((tag for tag in self.tags[place] if tag.kind in kinds), None)

    def after(self, place: int, *kinds: str) -> Tag | None:
        """The first tag of these kinds that begins there or later."""
        return next(self.each(place, *kinds), None)

    def each(self, place: int, *kinds: str) -> Iterator[Tag]:
        """The tags of these kinds that begin there or later."""
        for tags in self.tags[place:]:
            yield from (tag for tag in tags if tag.kind in kinds)


class _Entry(NamedTuple):
    words: tuple[str, ...]
    open: bool  # whether the last word may go on
    ends: bool  # whether the word may have something before it, as in German compounds
    kind: str
    deed: str


def _forms(entry: str) -> tuple[str, ...]:
    """The forms that an entry stands for, as folded words between single spaces."""
    found = _INFLECTED.match(entry)
    if found is None:
        return (words(entry.replace("_", " ").strip("*")),)
    stem, ending, rest = (
        words(found[1].replace("_", " ")),
        found[2],
        words(found[3].replace("_", " ")),
    )
    forms = [stem + end for end in _ENDINGS[ending]]
    if ending == "ar":
        if stem[-1] in "gcz":
            forms.remove(stem + "e")
        forms += [stem[:-1] + soft for hard, soft in _SOFTENED if stem.endswith(hard)]
    if ending == "er":
        forms += [f"je {stem}e", f"j {stem}e"]
    if ending == "en":
        forms += [_SEPARABLE.sub(r"\1zu", forms[0], count=1)]
    return tuple(dict.fromkeys(f"{form} {rest}".strip() for form in forms))


def _entries() -> Iterator[_Entry]:
    for kind, deed, entries in _listed():
        for entry in entries:
            for form in _forms(entry):
                yield _Entry(
                    tuple(form.split()), entry.endswith("*"), entry.startswith("*"), kind, deed
                )


def _listed() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for table in _BY_DEED:
        kind = "plain" if table == "phrases" else table
        for deed, entries in languages.section(f"risk.{table}").items():
            yield kind, deed, entries
    for table in ("things", "words"):
        for kind, entries in languages.section(f"risk.{table}").items():
            yield kind, "", entries


@cache
def _nouns() -> frozenset[str]:
    return frozenset(languages.section("risk.things")) | {"of_deed", "tails", "drafts"}


_Index = dict[str, list[_Entry]]


@cache
def _index() -> tuple[_Index, _Index, _Index]:
    exact: _Index = {}
    stems: _Index = {}
    ends: _Index = {}
    for entry in dict.fromkeys(_entries()):
        if entry.ends:
            ends.setdefault(entry.words[0][-_STEM:], []).append(entry)
        elif entry.open and len(entry.words) == 1:
            stems.setdefault(entry.words[0][:_STEM], []).append(entry)
        else:
            exact.setdefault(entry.words[0], []).append(entry)
    return exact, stems, ends


@lru_cache(maxsize=_REMEMBERED)
def read(text: str) -> Reading:
    """The words of a text and what they may stand for."""
    said = tuple(words(text).split())
    return Reading(said, tuple(_tags(said, at) for at in range(len(said))))


def _tags(said: tuple[str, ...], at: int) -> tuple[Tag, ...]:
    word = said[at]
    exact, stems, ends = _index()
    found = [
        Tag(entry.kind, entry.deed, at, at + len(entry.words))
        for entry in (*exact.get(word, ()), *stems.get(word[:_STEM], ()))
        if _stands(entry, said, at)
    ]
    found += [
        Tag(entry.kind, entry.deed, at, at + 1)
        for entry in ends.get(word[-_STEM:], ())
        if word.endswith(entry.words[0])
    ]
    if not found and word[0] in _HEBREW:
        found = [
            Tag(entry.kind, entry.deed, at, at + 1)
            for entry in _without_prefix(word)
            if len(entry.words) == 1 and entry.kind in _nouns()
        ]
    if not found and word[0] == _AND:
        found = [
            Tag(entry.kind, entry.deed, at, at + len(entry.words))
            for entry in exact.get(word[1:], ())
            if (entry.words == (word[1:],) and entry.kind == "plain")
            or (entry.kind in _WARNS and _stands(entry, (word[1:], *said[at + 1 :]), 0))
        ]
    return tuple(sorted(found, key=lambda tag: -tag.end)) if len(found) > 1 else tuple(found)


def _without_prefix(word: str) -> list[_Entry]:
    """What a Hebrew word may be without the "the", "from" or "and" that is written with it."""
    for size in (1, 2, 3):
        if len(word) - size < _STEM or word[size - 1] not in _HEBREW:
            break
        if found := _index()[0].get(word[size:]):
            return found
    return []


def _stands(entry: _Entry, said: tuple[str, ...], at: int) -> bool:
    size = len(entry.words)
    if at + size > len(said):
        return False
    if not entry.open:
        return size == 1 or said[at : at + size] == entry.words
    return said[at : at + size - 1] == entry.words[:-1] and said[at + size - 1].startswith(
        entry.words[-1]
    )
