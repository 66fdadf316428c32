"""A question that the page puts in a dialog of its own: "Are you sure? [Yes, go on] [Cancel]"."""

from dataclasses import dataclass

from app.domain.action import action
from app.domain.dialog import DialogSeen
from app.domain.page import Node, Observation
from app.domain.plan import Deed, Proposal, Refinement
from app.engines.dialogs import asks_for_more, decision
from app.engines.reasoner import Situation
from app.engines.risk import is_risky
from app.engines.risk.controls import ENTRIES, container, dismisses
from app.engines.risk.lexicon import pattern, speaks_of, words
from app.text import patterns
from app.text.languages import stems

ANSWER = "answer the dialog"  # of the browser: asked and answered in words that code can read
AGREE = "answer the page"
_AGREES = pattern(stems("dialogs.agrees"))
_PRESSED = frozenset({"btn", "link", "el"})


@dataclass(frozen=True, slots=True)
class PageQuestion:
    """What the dialog says, the control that agrees, and the one that does not."""

    text: str
    yes: Node
    no: Node


def page_question(page: Observation, pressed: tuple[str, str, str] | None) -> PageQuestion | None:
    """The question that stands in front after the control of this signature was pressed.

    A dialog with a question mark (or "Confirm"), no field, one control that agrees and one that
    refuses, and which is not the one that was pressed in. None where there is no such dialog.
    """
    own = pressed[2] if pressed else ""
    for place in dict.fromkeys(container(n) for n in page.tree if n.role in _PRESSED):
        kind, _, title = (place or "").rpartition(" > ")[2].partition(":")
        if place is None or kind.strip() != "dialog" or _holds(own, place):
            continue
        inside = [n for n in page.tree if container(n) == place]
        found = _asked(title.strip(), inside, pressed[1] if pressed else "")
        if found is not None:
            return found
    return None


def _holds(group: str, place: str) -> bool:
    return group == place or group.startswith(f"{place} > ")


def _asked(title: str, inside: list[Node], pressed: str) -> PageQuestion | None:
    if any(n.role in ENTRIES for n in inside):
        return None
    controls = [n for n in inside if n.role in _PRESSED and n.enabled and not n.occluded]
    refusing = [n for n in controls if dismisses(n)]
    agreeing = [n for n in controls if n not in refusing and _agrees(n, pressed)]
    others = [n for n in controls if n not in refusing and n not in agreeing]
    said = [title, *(n.name for n in inside if n.role not in _PRESSED)]
    asks = [text for text in said if "?" in text or "؟" in text]
    if len(agreeing) != 1 or not refusing or others:
        return None
    if not asks and not _AGREES.match(words(title)):
        return None
    text = " ".join(
        dict.fromkeys(patterns.sub(r"\s+", " ", one).strip() for one in asks or [title])
    )
    return PageQuestion(text=text, yes=agreeing[0], no=refusing[0])


def _agrees(node: Node, pressed: str) -> bool:
    """Whether it says yes, or again what the pressed control says: "Save" after "Save"."""
    name = words(node.name)
    return bool(_AGREES.match(name)) or (bool(name) and name == words(pressed))


def asks_first(page: Observation, before: Observation, pressed: Node | None) -> str | None:
    """What the page asks, as something new, before it does what was pressed; None where it does not."""
    found = page_question(page, pressed.signature if pressed is not None else None)
    if found is None or asks_for_more(found.text):
        return None
    place = container(found.yes)
    return None if any(container(n) == place for n in before.tree) else found.text


def agreed(situation: Situation, failed: Deed) -> Refinement | None:
    """Yes to the page's question, where it is about that very thing which the person asked for."""
    asked = page_question(situation.page, failed.signature)
    if asked is None or failed.action.name not in ("click", "clickAt", "pressKey"):
        return None
    on = failed.signature[1] if failed.signature else ""
    seen = DialogSeen(kind="confirm", message=asked.text)
    if decision(seen, situation.plan, on=on) is None:
        return None
    if is_risky(asked.yes.name) and not speaks_of("risky", f"{on} {situation.told}"):
        return None
    press = action("click", asked.yes.id)
    if any(deed.action.text == press.text and deed.strategy == AGREE for deed in situation.deeds):
        return None
    return Refinement(
        outcome="act",
        thought=f"The page asks “{asked.text}”, which is what was asked for",
        proposals=(
            Proposal(action=press, description=f"Agree with '{asked.yes.name}'", purpose="correct"),
        ),
        confidence=0.8,
        strategy=AGREE,
        source="strategy",
    )
