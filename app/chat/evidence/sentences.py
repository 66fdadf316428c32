"""The sentences of a passage, as a person reads them."""

from dataclasses import dataclass

from app.chat.evidence.reading import UnitKind, units_of
from app.domain.chat import Evidence


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, list item or table row without marks, the `number`th of its passage. Of a row `text` has
    the cells with their headings; `quote` are the passage's own words, to cite it by. Those of one
    paragraph, list or table share a `block`, of one item its number `item`; `ordered`: the list is numbered.
    """

    text: str
    evidence: Evidence
    number: int
    quote: str = ""
    kind: UnitKind = "prose"
    block: int = 0
    item: int = 0
    ordered: bool = False


def sentences_of(evidence: Evidence) -> list[Sentence]:
    """In their order; headings are none."""
    units = [one for one in units_of(evidence.text) if one.kind != "heading" and one.text]
    return [
        Sentence(one.text, evidence, number, one.quote, one.kind, one.block, one.item, one.ordered)
        for number, one in enumerate(units)
    ]
