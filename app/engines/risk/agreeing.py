"""Agreeing in a dialog to something of which nothing is known: it is not guessed to be harmless."""

from collections.abc import Iterator

from app.domain.page import Node, Observation
from app.engines.risk.commands import said
from app.engines.risk.confirming import told
from app.engines.risk.controls import container, entries, inside
from app.engines.risk.places import innermost, is_sieve, is_way, tagged
from app.engines.risk.tagging import read

_PRESSED = frozenset({"btn", "link", "el", "img", "inp"})
_REFUSES = frozenset({"declines", "dismisses"})
_TOLD = 2  # words; less than that tells of nothing


def agrees_unknown(node: Node, page: Observation) -> str:
    """The text of its dialog that is agreed to; empty where it is known as harmless, or is no agreeing.

    Taken to agree: a "Yes" or a "Confirm", by which a dialog without fields is answered; an "OK" or a
    "Continue" only where the dialog can be answered in another way too, or else it takes note.
    """
    if said(node.name).manner != "affirms" or tagged(node.name, "changes", "joins", "hands_in"):
        return ""
    box = container(node)
    if box is None or not any(kind == "dialog" for kind, _ in node.groups):
        return ""
    if entries(page, box) or is_sieve(node) or is_way(node) or innermost(node) in ("row", "item"):
        return ""
    spoken = [text for text in told(node, page) if text != node.name]
    texts = [text for text in spoken if len(read(text).words) >= _TOLD]
    if not texts or any(tagged(text, "harmless_topics", "consent", "sieves") for text in spoken):
        return ""
    if _takes_note(node) and (_only_leads(node) or not _can_refuse(node, page, box)):
        return ""
    return next((text for text in texts if "?" in text), max(texts, key=len))


def _only_leads(node: Node) -> bool:
    """Whether its dialog is one to choose, to look or to begin something in."""
    return any(kind == "dialog" and said(label).manner == "looks" for kind, label in node.groups)


def _takes_note(node: Node) -> bool:
    """Whether its name alone may also only take note of what is told."""
    words = read(node.name)
    note = words.at(0, "takes_note")
    return note is not None and note.end == len(words.words)


def _can_refuse(node: Node, page: Observation, box: str) -> bool:
    return any(said(name).manner in _REFUSES for name in _beside(node, page, box))


def _beside(node: Node, page: Observation, box: str) -> Iterator[str]:
    """The other answers: the controls of the dialog, or the lines of the page's text after it."""
    for other in page.tree.of_roles(_PRESSED):
        if other is not node and inside(other, box):
            yield other.name
    _, found, after = page.summary.rpartition("\n" + node.name + "\n")
    if found:
        yield after.partition("\n")[0]
