"""A text that a field holds already, with a part of it changed."""

from dataclasses import replace
from difflib import SequenceMatcher

from app.domain.background import Provenance
from app.domain.page import Node
from app.engines.provenance.sources import GIVEN
from app.engines.provenance.trace import trace
from app.engines.reasoner import Situation

SHORTEST = 4  # words; less is a value, such as a name, which is not put together from two
LONGEST = 4_000  # words that are compared; comparing takes the square of it at worst
_KEPT = 0.5  # of the new text; less is another text


def trace_edit(value: str, node: Node, situation: Situation) -> Provenance | None:
    """The source of what `value` adds to the text that the field holds; None where a part has none.

    What is left out needs no source, what is new is the person's. Line breaks are not compared: a page
    may show a text without them.
    """
    held, edited = (node.value or "").split(), value.split()
    if not SHORTEST <= len(held) <= LONGEST or len(edited) > LONGEST:
        return None
    compared = SequenceMatcher(None, held, edited, autojunk=False)
    if sum(block.size for block in compared.get_matching_blocks()) < _KEPT * len(edited):
        return None
    found = Provenance(origin="page", ref=node.name)
    for change, _, _, start, end in compared.get_opcodes():
        added = " ".join(edited[start:end])
        if change == "equal" or not any(sign.isalnum() for sign in added):
            continue
        source = trace(added, situation, node=replace(node, value=None))
        if source is None or source.origin not in GIVEN:
            return None
        found = source
    return found.model_copy(update={"operation": "edit"})
