"""What is agreed to by a "Yes", an "OK" or a plain submit: what its dialog or form is about."""

from collections.abc import Iterator
from typing import NamedTuple

from app.domain.page import Node, Observation
from app.engines.risk.commands import said
from app.engines.risk.controls import container, entries, inside
from app.engines.risk.effects import DEEDS
from app.engines.risk.places import is_priced, tagged
from app.engines.risk.sentences import threatens
from app.engines.risk.tagging import read
from app.text import patterns

_TEXTS = frozenset({"txt"})
_NEAR = 600  # characters of the page's text that belong to a dialog
_FEW = 5  # fields of a form that is a word to somebody
_SENTENCES = patterns.compile(r"\n|(?<=\D[.!?])\s|(?<=\?)")  # not after "31."
_LASTING = frozenset({"destroys", "grants", "leaves"})
_LET = frozenset({"send", "grant"})
_NAMED = frozenset({"delete", "cancel", "pay", "transfer", "leave", "deploy", "grant"})
_PAID = frozenset({"pay", "buy", "book", "transfer", "subscribe"})


class Agreed(NamedTuple):
    """The deed agreed to (a key of `DEEDS`), and the text that says so."""

    deed: str
    evidence: str


def agreed(node: Node, page: Observation) -> Agreed | None:
    """What a press on a control that says little by itself agrees to; None for nothing lasting."""
    return (
        _by_label(node) or _by_text(node, page) or _by_choice(node, page) or _by_fields(node, page)
    )


def irreversible(node: Node, page: Observation) -> str:
    """The text by which what the control hands in cannot be undone; empty where none says so."""
    final = next((text for text in told(node, page) if tagged(text, "irreversible")), "")
    return final or next((text for text in _asked_to_type(node, page)), "")


def _asked_to_type(node: Node, page: Observation) -> Iterator[str]:
    """Where a word has to be typed before: the texts that ask for it."""
    box = container(node)
    if box is None:
        return
    for field in entries(page, box):
        for text in (field.name, field.hint):
            if field.role == "inp" and tagged(text, "typed") and tagged(text, "confirming"):
                yield text


def _in_dialog(node: Node) -> bool:
    return any(kind == "dialog" for kind, _ in node.groups)


def _affirms(node: Node) -> bool:
    return said(node.name).manner == "affirms"


def _names(text: str) -> str:
    """The deed that a question or a warning has as a noun, or as the amount of it."""
    reading = read(text)
    for tag in reading.each(0, "of_deed"):
        if tag.deed in _NAMED and reading.at(tag.end, "tails") is None:
            return tag.deed
    return "pay" if is_priced(text) else ""


def _titled(label: str) -> str:
    """The deed that a title ends with, as "Kontolöschung"; "Payment received" tells of one."""
    reading = read(label)
    if reading.at(0, "looks", "tells_how") is not None:
        return ""
    last = reading.at(len(reading.words) - 1, "of_deed")
    return last.deed if last is not None and last.deed in _NAMED else ""


def _by_label(node: Node) -> Agreed | None:
    goes_on = tagged(node.name, "goes_on")
    for kind, label in reversed(node.groups):
        if kind not in ("dialog", "form", "section") or not label:
            continue
        about = said(label)
        deed = about.deed if about.manner == "deed" else ""
        if not deed and "?" in label and kind == "dialog":
            deed = threatens(label)
        if deed and kind != "section" and _is_last(deed, goes_on, "?" in label or about.sure):
            return Agreed(deed, label)
        rights = kind != "section" and len(label.split()) <= _FEW and tagged(label, "roles_held")
        if rights and tagged(node.name, "affirms", "changes") and not tagged(label, "joins"):
            return Agreed("grant", label)
        named = _titled(label) if kind == "dialog" and not goes_on and _affirms(node) else ""
        if named:
            return Agreed(named, label)
        paid = (
            ""
            if goes_on or (about.manner == "looks" and kind != "dialog")
            else _names_payment(label)
        )
        if paid and tagged(node.name, "carries_out"):
            return Agreed(paid, label)
    return None


def _is_last(deed: str, goes_on: bool, asked: bool) -> bool:
    """Whether agreeing does it, and does not lead to the next step of it."""
    return not goes_on or (asked and bool(_LASTING & {*DEEDS[deed].effects}))


def _names_payment(label: str) -> str:
    tags = (tag for tag in read(label).each(0, "of_deed") if tag.deed in _PAID)
    return next((tag.deed for tag in tags), "")


def _by_text(node: Node, page: Observation) -> Agreed | None:
    affirms = _in_dialog(node) and _affirms(node)
    for text in told(node, page):
        if "?" not in text and not tagged(text, "asks_or_warns", "consequences"):
            continue
        deed = threatens(text) or (_names(text) if affirms else "")
        if deed and not (deed in _LET and _asks_leave(text)):
            return Agreed(deed, text)
    return None


def _asks_leave(text: str) -> bool:
    """Whether a site asks for leave to notify one, or to know where one is."""
    return tagged(text, "asks_leave") and tagged(text, "harmless_topics")


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


def _by_choice(node: Node, page: Observation) -> Agreed | None:
    """What was chosen to be done: "Delete selected" in a list of actions beside a "Go"."""
    box = container(node)
    for field in entries(page, box):
        chosen = field.value if field.role == "sel" else field.name
        if field.role == "rad" and "checked" not in field.states:
            continue
        if field.role not in ("sel", "rad") or not chosen:
            continue
        about = said(chosen)
        if about.manner == "deed" and about.sure and "destroys" in DEEDS[about.deed].effects:
            return Agreed(about.deed, chosen)
    return None


def _by_fields(node: Node, page: Observation) -> Agreed | None:
    """What the fields are for: a new password, a card to pay with, a word to somebody."""
    secret = new_secret(node, page)
    if secret is not None or container(node) is None or tagged(node.name, "joins", "goes_on"):
        return secret
    fields = entries(page, container(node))
    card = next((f for f in fields if tagged(f.name or f.hint, "pays_with")), None)
    if card is not None:
        return Agreed("pay", card.name or card.hint)
    word = next((f for f in fields if f.role == "inp" and _is_word(f)), None)
    if word is not None and len(fields) <= _FEW and tagged(node.name, "hands_in"):
        return Agreed("send", word.name or word.hint)
    return None


def _is_word(field: Node) -> bool:
    return tagged(field.name or field.hint, "word_to_somebody")


def new_secret(node: Node, page: Observation) -> Agreed | None:
    """The new password that is set with it, not where one registers."""
    box = container(node)
    if box is None or tagged(node.name, "joins") or tagged(box, "joins"):
        return None
    for field in entries(page, box):
        called = field.name or field.hint
        secret = field.input_type == "password" or tagged(called, "access")
        if secret and tagged(called, "another"):
            return Agreed("alter", called)
    return None


def asked(node: Node, page: Observation) -> Agreed | None:
    """What the sentences of its dialog ask or warn of, however the answer is called."""
    return _by_text(node, page) if _in_dialog(node) else None
