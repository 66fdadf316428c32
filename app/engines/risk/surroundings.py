"""What a page says around a control."""

from collections.abc import Iterator

from app.domain.page import Node, Observation
from app.engines.risk.controls import container, entries, inside
from app.text import patterns

_TEXTS = frozenset({"txt"})
_NEAR = 600  # characters of the page's text that belong to a dialog
_SENTENCES = patterns.compile(r"\n|(?<=\D[.!?])\s|(?<=\?)")  # not after "31."


def told(node: Node, page: Observation) -> Iterator[str]:
    """The sentences of its dialog or form; of the page just before it where it stands in none."""
    box = container(node)
    labels = [
        label for kind, label in node.groups if kind in ("dialog", "form", "section") and label
    ]
    yield from labels[-1:]
    if box is not None:
        for other in page.tree.of_roles(_TEXTS):
            if other.group and inside(other, box):
                yield from _SENTENCES.split(other.name)
        for field in entries(page, box):
            yield from (text for text in (field.name, field.hint) if text)
    yield from _SENTENCES.split(_near(node, page.summary, labels))


def _near(node: Node, summary: str, labels: list[str]) -> str:
    """The part of the page's text that stands by it: from the label on, else what comes before it."""
    for label in reversed(labels):
        start = summary.rfind(label.rstrip("…"))
        if start >= 0:
            end = summary.find("\n" + node.name, start + len(label) - 1)
            return summary[start : min(end, start + _NEAR) if end >= 0 else start + _NEAR]
    end = summary.rfind("\n" + node.name)
    return summary[max(0, end - _NEAR // 2) : end] if end >= 0 else ""
