"""What is done about a thing that is not on the page: wait for it, look for it, say that it is missing."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.grounding import Candidate, Grounding
from app.domain.page import Node, Observation
from app.domain.plan import Deed, Proposal, Refinement
from app.engines.grounding.label import label
from app.engines.planning.wording import thing
from app.engines.refinement.case import Case, act, missing, same
from app.engines.refinement.match import in_record, is_of_record
from app.engines.refinement.messages import called, not_here, unknown
from app.engines.risk import is_grave
from app.engines.risk.controls import is_closed
from app.engines.risk.lexicon import speaks_of
from app.text import patterns

LOADING_MS = 1_000
DISABLED_MS = (1_000, 3_000)  # what is disabled at first is often so until its data came
PLACEHOLDERS_MS = (1_000, 3_000)  # after the client's own patience; what stays then is an ornament
LOADING_TEXT = 500  # characters of the summary in which a loading notice counts
LOADING = patterns.compile(r"\b(loading|please wait)\b", patterns.IGNORECASE)


def wait_while_disabled(case: Case, found: Refinement) -> Refinement | None:
    """A wait, twice a step, where the control that is to be acted on next is disabled."""
    target = found.proposals[0].action.target if found.proposals else None
    node = case.tree.get(target or "")
    if found.outcome != "act" or node is None or "disabled" not in node.states:
        return None
    waits = sum(deed.action.name == "wait" for deed in case.deeds)
    if waits >= len(DISABLED_MS) or found.proposals[0].action.name in ("hover", "scroll"):
        return None
    made = Proposal(
        action=action("wait", DISABLED_MS[waits]),
        description=f"Wait until '{node.name}' can be used",
        purpose="explore",
    )
    return act([made], f"'{node.name}' is disabled as yet.", confidence=0.8, completes=False)


def wait_while_loading(case: Case) -> Refinement | None:
    """A wait, once a step, while there is nothing on the page or it says that it loads; twice while
    the client says so.
    """
    if case.still_loading:
        return wait_for_placeholders(case)
    waited = any(deed.action.name == "wait" for deed in case.deeds)
    empty = not any(node.role != "txt" for node in case.tree)
    if waited or not (empty or LOADING.search(case.page.summary[:LOADING_TEXT])):
        return None
    return _wait(LOADING_MS)


def wait_for_placeholders(case: Case) -> Refinement | None:
    """A wait, twice a step, while the page shows placeholders in place of what may be looked for."""
    waits = sum(deed.action.name == "wait" for deed in case.deeds)
    if not case.still_loading or waits >= len(PLACEHOLDERS_MS):
        return None
    return _wait(PLACEHOLDERS_MS[waits])


def wait_before_concluding(case: Case, found: Refinement) -> Refinement | None:
    """That wait, where what was found rests on something not being on the page; None otherwise."""
    return wait_for_placeholders(case) if _rests_on_absence(case, found) else None


def _rests_on_absence(case: Case, found: Refinement) -> bool:
    """Whether what is still to come may make it untrue: nothing fits, or nothing fits best; nothing is
    left.
    """
    if found.outcome == "done":
        target = case.directive.target
        return target is not None and target.all
    return found.outcome in {"missing", "ambiguous"}


def _wait(ms: int) -> Refinement:
    made = Proposal(
        action=action("wait", ms), description="Wait for the page to load", purpose="explore"
    )
    return act([made], "The page is still loading.", confidence=0.8, completes=False)


def absent(case: Case, target: Target | None, grounding: Grounding | None = None) -> Refinement:
    """A wait while it may still come, a look where it may be hidden, or what is missing."""
    found = wait_while_loading(case) or look_behind(case, target)
    if found is not None:
        return found
    what = thing(target, case.directive.value or case.directive.source or "that")
    near: tuple[Candidate, ...] = grounding.candidates[:3] if grounding else ()
    return missing(unknown(target, case.page) or not_here(what, case.page), near)


MOST = 2  # looks a step: a menu, and an item of it
RELATED = 0.45  # of the words' weight; what shares less has nothing to do with it
_ENTERS = frozenset({"txt", "inp", "chk", "rad", "sel", "file", "range", "opt"})


def look_behind(case: Case, target: Target | None) -> Refinement | None:
    """The click that may show it; None where nothing here leads to it."""
    opened = [
        deed for deed in case.deeds if deed.purpose == "explore" and deed.action.name == "click"
    ]
    if target is None or len(opened) >= MOST:
        return None
    fresh = [
        node
        for node in case.tree
        if node.enabled and node.role not in _ENTERS and not _was_opened(node, opened, case)
    ]
    opener = _of_record(target, fresh) or _related(case, target, fresh)
    if opener is None:
        return None
    click = Proposal(
        action=action("click", opener.id), description=f"Open {called(opener)}", purpose="explore"
    )
    thought = f"I do not see {thing(target)} yet; looking behind {called(opener)}."
    return act([click], thought, confidence=0.8, completes=False)


def _may_open(node: Node, page: Observation) -> bool:
    if is_closed(node):
        return True
    signs_out = speaks_of("sign_out", node.name)
    return not signs_out and not is_grave(action("click", node.id), node, page)


def _was_opened(node: Node, opened: list[Deed], case: Case) -> bool:
    """Whether it was pressed already; one that did not open may have missed the click, once."""
    own = [deed for deed in (*opened, *((case.last,) if case.last else ())) if same(deed, node)]
    return len({id(deed) for deed in own}) > 1 or any(deed.status != "failure" for deed in own)


def _of_record(target: Target, fresh: list[Node]) -> Node | None:
    """The one menu in the line of the record that is named."""
    name = target.within
    own = [node for node in fresh if name and is_closed(node) and in_record(name, node.group)]
    lines = {node.group for node in own if is_of_record(node)}
    return own[0] if len(lines) == 1 else None


def _related(case: Case, target: Target, fresh: list[Node]) -> Node | None:
    """What may reveal it by its name: of a "new order" only "order" tells where it may be."""
    asked = case.directive.target if case.directive.verb == "create" else None
    phrase = asked.phrase if asked is not None else target.phrase
    likeness = {node.id: _relatedness(phrase, node.name) for node in fresh if _leads(node)}
    related = [node for node in fresh if likeness.get(node.id, 0.0) >= RELATED]
    related.sort(key=lambda node: -likeness[node.id])
    return next((node for node in related if _may_open(node, case.page)), None)


def _relatedness(phrase: str, name: str) -> float:
    """The weight of the words in common, of the shorter's: "Customer" is all about a new customer."""
    said, here = label(phrase), label(name)
    common = said.meaning_set & here.meaning_set
    if not common or not said.total or not here.total:
        return 0.0
    weights = dict(zip(said.meanings, said.weights, strict=True))
    return min(1.0, sum(weights[one] for one in common) / min(said.total, here.total))


def _leads(node: Node) -> bool:
    """Whether it is a way to somewhere: a menu, a tab, a link that is no record's."""
    if node.states & {"current", "selected"}:
        return False
    if is_closed(node) or node.role in {"menu", "tree", "tab"}:
        return True
    kinds = {kind for kind, _ in node.groups}
    return "nav" in kinds or (node.role == "link" and not kinds & {"row", "item"})
