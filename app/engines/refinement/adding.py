"""Putting a thing somewhere: "add the lamp to the cart", "add Ann to the editors"."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.page import Node
from app.domain.plan import Proposal, Refinement
from app.engines.grounding.label import label
from app.engines.planning.wording import quoted
from app.engines.refinement.case import Case, act, ambiguous, one
from app.engines.refinement.naming import called
from app.engines.refinement.recognising import in_record, is_of_record
from app.engines.risk.lexicon import speaks_of

PRESSED = frozenset({"btn", "link", "el", "img", "menu"})


def add_to(case: Case) -> Refinement | None:
    """The thing's own control for that place, or the place's field for a name; None without both."""
    directive = case.directive
    where, target = directive.destination, directive.target
    if where is None or target is None or directive.fields:
        return None
    named = " ".join(part for part in (target.phrase, target.within) if part)
    if not named:
        return None
    return _by_control(case, named, where.phrase) or _by_name(case, named, where.phrase)


def _by_control(case: Case, named: str, place: str) -> Refinement | None:
    """Press "Add to cart" of the thing."""
    for phrase in (f"add to {place}", f"add {place}", "add"):
        found = case.find(Target(phrase=phrase, within=named))
        node = case.tree.get(found.chosen[0]) if found.chosen else None
        if found.outcome == "ambiguous" and all(
            in_record(named, c.group) for c in found.candidates
        ):
            return ambiguous(found, f"the way to add {quoted(named)}")
        if node is None or not _adds(node) or not in_record(named, f"{node.group} {node.name}"):
            continue
        left = case.directive.times - case.count("click", node)
        if left > 0:
            words = f"Press {called(node)} of {quoted(named)}"
            return act([Proposal(action=action("click", node.id), description=words)] * left, words)
    return _of_shown(case, named, place)


def _of_shown(case: Case, named: str, place: str) -> Refinement | None:
    """The only such control, where the page as a whole is about the thing."""
    heading = next((s for s in case.page.summary.splitlines()[1:] if s.startswith("#")), "")
    about = in_record(named, f"{heading} {case.page.title}")
    said = label(place).meaning_set | {"add"}
    fitting = [n for n in case.tree if _adds(n) and said <= label(n.name).meaning_set]
    if not about or len(fitting) != 1 or is_of_record(fitting[0]):
        return None
    return one(action("click", fitting[0].id), f"Press {called(fitting[0])}")


def _adds(node: Node) -> bool:
    return node.role in PRESSED and node.enabled and "add" in label(node.name).meaning_set


def _by_name(case: Case, named: str, place: str) -> Refinement | None:
    """Type the name into the place's one field, and press its "Add"."""
    own = [n for n in case.tree if n.enabled and in_record(place, n.group)]
    fields = [n for n in own if n.role == "inp" and not speaks_of("search", f"{n.name} {n.hint}")]
    adders = [n for n in own if _adds(n)]
    if len(fields) != 1 or len(adders) > 1:
        return None
    entering = Proposal(
        action=action("setValue", fields[0].id, named),
        description=f"Enter {quoted(named)} in {called(fields[0])}",
    )
    made = action("click", adders[0].id) if adders else action("pressKey", "Enter")
    words = f"Press {called(adders[0])}" if adders else "Press Enter"
    sending = Proposal(action=made, description=words)
    return act([entering, sending], f"{entering.description}; {words}.")
