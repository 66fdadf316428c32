"""What is done about a thing that is not on the page: wait for it, look for it, say that it is missing."""

from app.authorization.assessment import is_grave
from app.domain.action import Action, action
from app.domain.directive import Grounding, Target
from app.domain.directive_wording import thing
from app.domain.page import Node, Observation
from app.domain.plan import Decision, Proposal
from app.grounding.descriptions import called, not_here, unknown
from app.grounding.label import label
from app.grounding.lexicon import STOP_WORDS
from app.page.controls import is_closed
from app.reasoners.commands.actions.case import Case, act, missing, same
from app.reasoners.commands.actions.location import in_record
from app.text.lexicon import pattern, speaks_of, words
from app.text.vocabulary import stems

WAITS_MS = (1_000, 3_000)  # of a step; what is still not there then does not come
LOADING_TEXT = 500  # characters of the summary in which a loading notice counts
_LOADING = pattern(stems("messages.busy"))


def wait_first(case: Case, found: Decision) -> Decision | None:
    """A wait before what was found is done, where its control is disabled as yet, or where it rests on
    something not being here while the page loads: nothing fits, or several do; nothing is left.

    Twice a step while the client says that the page loads, once where only its text says so.
    """
    first = found.proposals[0] if found.proposals else None
    node = case.tree.get(first.action.target or "") if first else None
    whole = case.directive.target is not None and case.directive.target.all
    looks = any(one.purpose == "explore" for one in found.proposals)
    why, most = "The page is still loading.", 0
    if first and node and "disabled" in node.states and first.action.name != "scroll":
        why, most = f"'{node.name}' is disabled as yet.", len(WAITS_MS)
    elif looks or found.outcome in {"missing", "ambiguous"} or (whole and found.outcome == "done"):
        empty = all(node.role == "txt" for node in case.tree)
        told = _LOADING.search(words(case.page.summary[:LOADING_TEXT])) is not None
        most = len(WAITS_MS) if case.page.client.still_loading else int(empty or told)
    waits = sum(deed.action.name == "wait" for deed in case.deeds)
    if waits >= most:
        return None
    return _looking(action("wait", WAITS_MS[waits]), "Wait for the page", why)


def absent(case: Case, target: Target | None, grounding: Grounding | None = None) -> Decision:
    """A look where it may be hidden, or what is missing, with what comes near."""
    if (look := look_behind(case, target)) is not None:
        return look
    what = thing(target, case.directive.value or case.directive.source or "that")
    near = grounding.candidates[:3] if grounding else ()
    return missing(unknown(target, case.page) or not_here(what, case.page), near)


MOST = 2  # looks a step: a menu, and an item of it
_ENTERS = frozenset({"txt", "inp", "chk", "rad", "sel", "file", "range", "opt"})


def look_behind(case: Case, target: Target | None) -> Decision | None:
    """The click that may show it: on the menu of its very record, or on what goes by its own name."""
    looks = [d for d in case.deeds if d.purpose == "explore" and d.action.name == "click"]
    if target is None or len(looks) >= MOST:
        return None
    able = (n for n in case.tree if n.enabled and n.role not in _ENTERS)
    fresh = [node for node in able if not _was_tried(case, node)]
    menus = [n for n in fresh if is_closed(n) and in_record(target.within or "", n.group)]
    asked = case.directive.target if case.directive.verb == "create" else target
    ways = [n for n in fresh if _goes_by(n, (asked or target).phrase) and _leads(n, case.page)]
    opener = menus[0] if len({node.group for node in menus}) == 1 else next(iter(ways), None)
    if opener is None:
        return None
    thought = f"I do not see {thing(target)} yet; looking behind {called(opener)}."
    return _looking(action("click", opener.id), f"Open {called(opener)}", thought)


def _looking(made: Action, description: str, thought: str) -> Decision:
    proposal = Proposal(action=made, description=description, purpose="explore")
    return act([proposal], thought, confidence=0.8, completes=False)


def _was_tried(case: Case, node: Node) -> bool:
    """Whether it was pressed already; one that did not open may have missed the click, once."""
    own = [d for d in case.deeds if d.purpose == "explore" and same(d, node)]
    if case.last is not None and case.last not in own and same(case.last, node):
        own.append(case.last)
    return len(own) > 1 or any(deed.status != "failure" for deed in own)


def _goes_by(node: Node, phrase: str) -> bool:
    """Whether one of the two names is a part of the other: "Customers", and a new customer."""
    said = label(phrase).meaning_set - STOP_WORDS
    own = label(node.name).meaning_set - STOP_WORDS
    return bool(said and own) and (own <= said or said <= own)


def _leads(node: Node, page: Observation) -> bool:
    """Whether it is a way to somewhere: a menu, a tab, a link that is no record's; and does nothing else."""
    if node.states & {"current", "selected"} or speaks_of("sign_out", node.name):
        return False
    kinds = {kind for kind, _ in node.groups}
    link = "nav" in kinds or (node.role == "link" and not kinds & {"row", "item"})
    way = link or node.role in {"menu", "tree", "tab"}
    return is_closed(node) or (way and not is_grave(action("click", node.id), node, page))
