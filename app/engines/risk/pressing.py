"""The risk of a press on a control, or of a choice."""

from app.domain.page import Node, Observation
from app.domain.risk import Risk
from app.engines.risk.agreeing import agrees_unknown
from app.engines.risk.commands import said
from app.engines.risk.confirming import agreed, asked, irreversible, new_secret
from app.engines.risk.controls import container, dismisses, entries, is_opener, is_submit
from app.engines.risk.effects import DEEDS, IRREVERSIBLE
from app.engines.risk.governing import Said
from app.engines.risk.lexicon import does
from app.engines.risk.lexicon import words as plain
from app.engines.risk.places import (
    can_compose,
    is_at_once,
    is_begun,
    is_column,
    is_consent,
    is_content,
    is_gathered,
    is_of_record,
    is_priced,
    is_saved_later,
    is_sieve,
    is_unsaved,
    is_way,
    tagged,
)
from app.engines.risk.unknown import acts_unknown

LOW = Risk()
SENDERS = frozenset({"btn", "inp", "img", "el"})
_PASSIVE = frozenset({"txt", "row", "tree", "tab", "range", "sel", "file"})
_BUTTONS = frozenset({"submit", "button", "image", "reset"})
_SHORT = 4  # words
_LASTING = frozenset({"destroys", "leaves"})
_TAKEN_OUT = frozenset({"delete", "remove", "discard"})
_ANSWERED = frozenset({"accept", "refuse", "approve", "grant"})


def pressed(node: Node, page: Observation) -> Risk:
    """The risk of a press on a control."""
    if node.role == "chk":
        return switched(node, page)
    if node.role in ("rad", "opt"):
        return chosen(node, node.name, page)
    if node.role in _PASSIVE or (node.role == "inp" and node.input_type not in _BUTTONS):
        return LOW
    name = node.name or node.hint
    words = said(name)
    risk = _spoken(node, words, page)
    if risk is not None:
        return risk
    risk = _handed_in(node, words, page)
    if risk.level != "high" and words.manner == "none" and acts_unknown(node, name, page):
        return high("pay" if is_priced(name) else "unknown", name, "")
    if risk.level != "high" and (text := agrees_unknown(node, page)):
        return high("agree", text, "")
    return risk


def _spoken(node: Node, words: Said, page: Observation) -> Risk | None:
    """What its own words settle; None where its dialog or form has to."""
    name = node.name or node.hint
    if words.manner == "deed":
        return _deed(node, words, page)
    if words.manner == "none" and _sounds(node, name):
        return high("remove", name, irreversible(node, page))
    if words.manner == "affirms":
        decides = tagged(name, "validates") and is_of_record(node, page)
        return high("approve", name, "") if decides else None
    if words.manner == "dismisses" and is_of_record(node, page):
        return high("cancel", name, "")
    return LOW if words.manner in ("dismisses", "declines") else None


def _sounds(node: Node, name: str) -> bool:
    """Whether the stems of what destroys or signs out are in a name of which no more is understood."""
    short = len(plain(name).split()) <= _SHORT and node.role in (*SENDERS, "menu")
    return short and not is_way(node) and bool(_LASTING & does(name))


def _deed(node: Node, words: Said, page: Observation) -> Risk | None:
    """The risk of a control whose name says what it does; None where its place makes it another thing."""
    deed, name = DEEDS[words.deed], node.name or node.hint
    lasting = bool(_LASTING & {*deed.effects})
    if is_content(node) or (words.deed in _ANSWERED and is_consent(node)):
        return LOW
    if is_way(node) and not (lasting and words.sure):
        return LOW
    if not words.sure and is_column(node) and not deed.composes and "decides" not in deed.effects:
        return LOW
    if words.deed in ("refuse", "accept") and _in_dialog(node):
        return None if words.deed == "accept" else LOW
    if (is_opener(node) and (not lasting or name.endswith("?"))) or (
        deed.composes and not is_at_once(name) and not can_compose(node, page)
    ):
        return LOW
    if words.deed in _TAKEN_OUT and _is_light(node, words.deed, page):
        return medium(name)
    costs = is_priced(name) and not {"tells", "grants"}.isdisjoint(deed.effects)
    return high("pay" if costs else words.deed, name, irreversible(node, page))


def _is_light(node: Node, deed: str, page: Observation) -> bool:
    """Whether what is taken out was only gathered, chosen or being written."""
    if is_gathered(node, page) or is_sieve(node):
        return True
    return is_unsaved(node, page) and (deed == "remove" or is_begun(node))


def _handed_in(node: Node, words: Said, page: Observation) -> Risk:
    """The risk of a control that agrees to what its dialog asks, or hands in its form."""
    hands_in = is_submit(node, page) and (_has_fields(node, page) or words.manner != "affirms")
    if not is_sieve(node) and not is_consent(node):
        risk = _agreed(node, page, words, hands_in=hands_in)
        if risk is not None:
            return risk
    stores = words.manner == "affirms" and tagged(node.name, "changes")
    if stores or words.manner == "changes" or (words.manner != "looks" and hands_in):
        quiet = is_sieve(node) or is_way(node) or (dismisses(node) and not hands_in)
        return LOW if quiet or _only_looks(node) else medium(node.name)
    return LOW


def _agreed(node: Node, page: Observation, words: Said, *, hands_in: bool) -> Risk | None:
    """What is agreed to by the control: all that a "Yes" or a submit may mean; by any other name what
    its dialog asks outright, or a new password beside it.
    """
    answers = words.manner in ("none", "changes") and node.role in SENDERS and not dismisses(node)
    if hands_in or words.manner == "affirms":
        about = agreed(node, page)
    elif answers and node.name and container(node) is not None:
        about = new_secret(node, page) or asked(node, page)
    else:
        return None
    final = (
        irreversible(node, page)
        if about or hands_in or words.manner == "affirms" or _in_dialog(node)
        else ""
    )
    if about is not None:
        return high(about.deed, about.evidence, final)
    if final:
        return Risk(level="high", effects=("irreversible",), reason=IRREVERSIBLE, evidence=final)
    return None


def _in_dialog(node: Node) -> bool:
    return any(kind == "dialog" for kind, _ in node.groups)


def _has_fields(node: Node, page: Observation) -> bool:
    return bool(entries(page, container(node)))


def _only_looks(node: Node) -> bool:
    return (
        is_consent(node)
        or tagged(node.name, "sieves", "joins")
        or "search" in node.group.casefold()
    )


def switched(node: Node, page: Observation) -> Risk:
    """A switch takes effect at once where nothing is handed in after it."""
    gives = _gives_power(node.name, node)
    if is_saved_later(node, page):
        return medium(node.name) if gives else LOW
    if gives:
        return high("grant", node.name, "")
    words = said(node.name)
    if tagged(node.name, "shown_to_all") and not is_sieve(node):
        return high("publish", node.name, "")
    if words.manner == "deed" and words.deed in ("publish", "grant", "deactivate"):
        return high(words.deed, node.name, "")
    return LOW if is_sieve(node) or words.manner == "looks" else medium(node.name)


def _gives_power(chosen: str, node: Node) -> bool:
    """Whether a choice says who may do what."""
    if is_sieve(node):
        return False
    held = any(
        tagged(label, "roles_held") for kind, label in node.groups if kind not in ("row", "item")
    )
    if node.role == "chk":
        return held or tagged(chosen, "power")
    shared = any(said(label).deed == "share" for _, label in node.groups)
    place = (
        held
        or shared
        or tagged(node.name, "roles_held")
        or (node.name != chosen and tagged(node.name, "power"))
    )
    return place and tagged(chosen, "power")


def chosen(node: Node, label: str, page: Observation) -> Risk:
    """The risk of a choice in a list: one that gives power, or is a command by itself."""
    if _gives_power(label, node):
        return medium(label) if is_saved_later(node, page) else high("grant", label, "")
    words = said(label)
    acts = words.manner == "deed" and words.sure and "destroys" in DEEDS[words.deed].effects
    if acts and node.role != "rad" and not is_saved_later(node, page) and not is_sieve(node):
        return high(words.deed, label, "")
    return LOW


def high(deed: str, evidence: str, final: str) -> Risk:
    """What a deed does, read from `evidence`; `final` is the text by which it cannot be undone."""
    effects = DEEDS[deed].effects
    return Risk(
        level="high",
        effects=(*effects, "irreversible") if final else effects,
        reason=f"{DEEDS[deed].reason}; {IRREVERSIBLE.lower()}" if final else DEEDS[deed].reason,
        evidence=evidence,
    )


def medium(evidence: str) -> Risk:
    """A change of what is stored, which can be changed back."""
    return Risk(level="medium", reason="Changes what is stored", evidence=evidence)
