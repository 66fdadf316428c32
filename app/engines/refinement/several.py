"""A number of things of a kind: as many as were asked for, or none."""

from app.domain.directive import Several, Verb
from app.domain.plan import Proposal, Refinement
from app.engines.grounding.label import label
from app.engines.refinement.case import Case, Move, done, missing
from app.engines.refinement.recognising import record_boxes
from app.engines.risk import risk_of

_DOES = frozenset({"click", "setChecked", "selectOption"})


def severally(case: Case, move: Move) -> Refinement | None:
    """The step for as many things as were counted; None where the number is part of a label here.

    Fewer than that are left alone, and which of more is hard to undo is for the person to say.
    """
    several = case.directive.several
    if several is None or _spelled(case, several):
        return None
    inner = case.instead(target=several.target, value=None, several=None)
    made = sum(deed.action.name in _DOES for deed in case.work)
    wanted = abs(several.count)
    if several.exact:
        there = _fitting(inner)
        wrong = not made and there and there != wanted
        return missing(_told(several, there)) if wrong else move(inner)
    if made >= wanted:
        return done(f"{wanted} of them are done.")
    found = move(inner)
    if found.outcome == "done":
        return missing(_told(several, made))
    if found.outcome != "act" or any(one.purpose == "explore" for one in found.proposals):
        return found
    if any(_is_high(case, one) for one in found.proposals):
        return missing(f"Say which {several.words} are meant: this is hard to undo.")
    if len(found.proposals) + made < wanted:
        return missing(_told(several, len(found.proposals) + made))
    left = wanted - made
    chosen = found.proposals[:left] if several.count > 0 else found.proposals[-left:]
    return found.model_copy(update={"proposals": chosen})


def _spelled(case: Case, several: Several) -> bool:
    """Whether something is called so, number and all: "7 days", "2 adults"."""
    said = label(several.words).folded
    names = (name for n in case.tree for name in (n.name, *n.options, *(t for _, t in n.groups)))
    return any(label(name).folded == said for name in names if name)


def _fitting(inner: Case) -> int:
    """How many things here the target could be; 0 where that is not plain."""
    target = inner.directive.target
    if target is None:
        return 0
    verb: Verb = inner.directive.verb if inner.directive.verb != "delete" else "click"
    if verb == "select" and (boxes := record_boxes(inner, target)):
        return len(boxes) if len(boxes) > 1 else 0
    return len(inner.find(target, verb).chosen)


def _told(several: Several, there: int) -> str:
    number = f"only {there}" if there < abs(several.count) else str(there)
    return f"You asked for {several.words}, and there are {number} of them here."


def _is_high(case: Case, proposal: Proposal) -> bool:
    node = case.tree.get(proposal.action.target or "")
    return risk_of(proposal.action, node) == "high"
