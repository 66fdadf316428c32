"""What a page says around a control."""

from collections.abc import Iterator

from app.authorization.features import near_to
from app.domain.page import Node, Observation
from app.page.controls import container, entries, inside
from app.text import patterns

_SENTENCE_NEAR = 600  # characters of the page's text that belong to a dialog
_SENTENCES = patterns.compile(r"\n|(?<=\D[.!?])\s|(?<=\?)")  # not after "31."


def told(node: Node, page: Observation) -> Iterator[str]:
    """The sentences of its dialog or form; of the page just before it where it stands in none."""
    box = container(node)
    labels = [
        label for kind, label in node.groups if kind in ("dialog", "form", "section") and label
    ]
    yield from labels[-1:]
    if box is not None:
        for other in page.tree.of_roles(frozenset({"txt"})):
            if inside(other, box):
                yield from _SENTENCES.split(other.name)
        for field in entries(page, box):
            yield from filter(None, (field.name, field.hint))
    yield from _SENTENCES.split(near_to(node, page.summary, labels, _SENTENCE_NEAR))
