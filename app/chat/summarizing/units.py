"""A document as the sentences that a summary may be made of, each with its place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.chat.evidence import reading
from app.chat.summarizing.boilerplate import is_boilerplate
from app.chat.summarizing.injected import is_addressed_to_a_model
from app.domain.chat import Evidence
from app.text import patterns

Section = tuple[str, ...]
KEPT = 8_192  # sentences that are remembered

_LOOSE = patterns.compile(
    r"^[\s\u2192\u00bb\u25b6\u2022>]+|[\ue000-\uf8ff]"
)  # arrows, and signs of icon fonts
_END = patterns.compile(
    r"[.!?\u2026\u3002\uff01\uff1f\u061f\u06d4\u0964][\"'\u201d\u2019\u00bb)\]]*$"
)
_COUNTED = patterns.compile(r"[^\W_]\S*")
_UNSPACED = patterns.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]")
_COMMENT = patterns.compile(
    r"^\s*(?:#+|//+|--|/\*+|\*|;+|\"\"\"|''')\s*(?P<text>[^\W\d_].*?)\s*(?:\*/|\"\"\"|''')?$"
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or list item in plain text. `section` is its path of headings; of one paragraph, list
    or table the `block` is the same. `whole` is one that ends as sentences do.
    """

    text: str
    evidence: Evidence
    section: Section
    block: tuple[int, int]
    item: bool = False
    whole: bool = True

    @property
    def words(self) -> int:
        """How many words it has."""
        return count(self.text)


@lru_cache(maxsize=KEPT)
def count(text: str) -> int:
    """The words of a text: what stands between blanks and holds a letter or digit; of scripts without
    spaces two signs are one.
    """
    signs = 0 if text.isascii() else len(_UNSPACED.findall(text))
    rest = _UNSPACED.sub(" ", text) if signs else text
    return (signs + 1) // 2 + len(_COUNTED.findall(rest))


def units_of(passages: Sequence[Evidence]) -> list[Unit]:
    """The sentences of a document in their order, none twice, and without what is no content: tables, code,
    headings, navigation, and lines that give orders to a model. Of a document that is nothing but
    tables or code, the rows or comments.
    """
    return (
        _of_kind(passages, ("prose", "item"))
        or _of_kind(passages, ("row",))
        or _of_kind(passages, ("code",))
    )


def _of_kind(passages: Sequence[Evidence], kinds: tuple[str, ...]) -> list[Unit]:
    found: dict[str, Unit] = {}
    for number, passage in enumerate(passages):
        for unit in _units(passage, number, kinds):
            found.setdefault(unit.text.casefold(), unit)
    return list(found.values())


def _units(passage: Evidence, number: int, kinds: tuple[str, ...]) -> Iterator[Unit]:
    section = tuple(_clean(heading) for heading in passage.heading_path)
    for unit in reading.units_of(passage.text):
        if unit.kind == "heading":
            title = _clean(unit.text)
            own = passage.heading_path
            section = section if title in section else (*map(_clean, own), title)
        if unit.kind not in kinds:
            continue
        text = _clean(unit.text)
        if unit.kind == "code":
            comment = _COMMENT.match(text)
            text = comment["text"] if comment else ""
        if not is_boilerplate(text) and not is_addressed_to_a_model(text):
            yield Unit(
                text=text,
                evidence=passage,
                section=section,
                block=(number, unit.block * 1_000 + unit.item),
                item=unit.kind != "prose",
                whole=unit.kind == "row" or _END.search(text) is not None,
            )


def _clean(text: str) -> str:
    return _LOOSE.sub("", text).strip()
