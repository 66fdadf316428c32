"""The page's own confirmation dialog: "Are you sure? [Yes, go on] [Cancel]"."""

from app.domain.action import MAY_PRESS, ActionRecord, action
from app.domain.page import Node, Observation, ObservedDialog
from app.domain.plan import Decision
from app.domain.reasoner import Situation
from app.page import ENTRIES, enclosing_form, is_dismiss_button
from app.plans import asks_for_more, decide_dialog
from app.recovery.correction.case import AGREE, corrective_decision
from app.text.lexicon import is_risky, pattern, speaks_of, words
from app.text.vocabulary import stems

_AGREES = pattern(stems("dialogs.agrees"))
_PRESSED = frozenset({"btn", "link", "el"})


def find_page_question(
    page: Observation, pressed: tuple[str, str, str] | None
) -> tuple[str, Node] | None:
    """The question in front of the page after the control of this signature was pressed, and the control
    that agrees.

    A dialog with a question mark (or "Confirm"), no field, one control that agrees and one that
    refuses, and that the press was not inside of. None if there is no such dialog.
    """
    _, name, own = pressed or ("", "", "")
    for place in dict.fromkeys(enclosing_form(n) for n in page.tree if n.role in _PRESSED):
        kind, _, title = (place or "").rpartition(" > ")[2].partition(":")
        if place is None or kind.strip() != "dialog" or f"{own} > ".startswith(f"{place} > "):
            continue
        found = _asked(title.strip(), [n for n in page.tree if enclosing_form(n) == place], name)
        if found is not None:
            return found
    return None


def _asked(title: str, inside: list[Node], pressed: str) -> tuple[str, Node] | None:
    controls = [n for n in inside if n.role in _PRESSED and n.enabled and not n.occluded]
    refusing = [n for n in controls if is_dismiss_button(n)]
    agreeing = [n for n in controls if n not in refusing]
    if any(n.role in ENTRIES for n in inside) or len(agreeing) != 1 or not refusing:
        return None
    said = [title, *(n.name for n in inside if n.role not in _PRESSED)]
    asks = [text for text in said if "?" in text or "؟" in text]
    if not _agrees(agreeing[0], pressed) or not (asks or _AGREES.match(words(title))):
        return None
    text = " ".join(" ".join(dict.fromkeys(asks or [title])).split())
    return text, agreeing[0]


def _agrees(node: Node, pressed: str) -> bool:
    """Whether it says yes, or repeats the pressed control: "Save" after "Save"."""
    name = words(node.name)
    return bool(_AGREES.match(name)) or (bool(name) and name == words(pressed))


def find_new_page_question(
    page: Observation, before: Observation, pressed: Node | None
) -> str | None:
    """The page's new question before it does what was pressed; None if there is none."""
    found = find_page_question(page, pressed.signature if pressed is not None else None)
    if found is None or asks_for_more(found[0]):
        return None
    place = enclosing_form(found[1])
    return None if any(enclosing_form(n) == place for n in before.tree) else found[0]


def agree_to_page(situation: Situation, failed: ActionRecord) -> Decision | None:
    """A yes to the page's question if it is about exactly what the person asked for."""
    found = find_page_question(situation.page, failed.signature)
    if found is None or failed.action.name not in MAY_PRESS:
        return None
    text, yes = found
    on = failed.signature[1] if failed.signature else ""
    if decide_dialog(ObservedDialog(kind="confirm", message=text), situation.plan, on=on) is None:
        return None
    if is_risky(yes.name) and not speaks_of("risky", f"{on} {situation.told}"):
        return None
    press = action("click", yes.id)
    if any(deed.action.text == press.text and deed.strategy == AGREE for deed in situation.deeds):
        return None
    thought = f"The page asks “{text}”, which is what was asked for"
    return corrective_decision(
        AGREE, thought, (press, f"Agree with '{yes.name}'"), completes=True, sure=0.8
    )
