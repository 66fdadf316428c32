"""Looking behind menus, tabs and folds for what is not to be seen yet, and waiting for what still loads.

A bounded search, remembered in the deeds: what was opened for a step is not opened for it again, and
after `BUDGET` openings the step is given up with what was looked for. What shares a word with the
phrase is opened first; for a control named by its label, plain containers are opened as well.
"""

from app.domain.action import action
from app.domain.directive import Target, Verb
from app.domain.grounding import Candidate, Grounding
from app.domain.page import Node
from app.domain.plan import Deed, Proposal, Refinement
from app.engines.grounding.label import label
from app.engines.grounding.similarity import similarity
from app.engines.grounding.surroundings import record
from app.engines.planning.wording import thing
from app.engines.refinement.case import Case, act, ambiguous, missing, same
from app.engines.refinement.match import in_record, is_of_record
from app.engines.refinement.messages import called, not_here, unknown
from app.engines.risk import is_risky
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
    """Whether what is still to come may make it untrue: nothing fits, or nothing fits best; a look
    elsewhere; nothing is left; what it was made to depend on is not there.
    """
    if found.outcome == "act":
        looks = {(one.purpose, one.action.name == "wait") for one in found.proposals}
        return looks == {("explore", False)}
    if found.outcome == "done":
        target = case.directive.target
        return target is not None and target.all
    return found.outcome in {"missing", "ambiguous"}


def _wait(ms: int) -> Refinement:
    made = Proposal(
        action=action("wait", ms), description="Wait for the page to load", purpose="explore"
    )
    return act([made], "The page is still loading.", confidence=0.8, completes=False)


BUDGET = 4  # explorations a step, so that a hopeless one ends within a few round trips
RELATED = 0.45  # of the words; an opener below this has nothing to do with what is looked for
NAMED: frozenset[Verb] = frozenset(
    {"click", "open", "select", "check", "uncheck", "find", "hover", "focus", "fill", "delete",
     "edit", "logout"}
)  # fmt: skip
CONTAINERS = frozenset({"expanded", "collapsed", "haspopup"})
MORE = patterns.compile(
    r"^([☰≡⋮…▾▼⌄]|menu|(show|load|view|see) (more|all)|more( options| actions)?)$",
    patterns.IGNORECASE,
)


def explore(case: Case, target: Target | None, grounding: Grounding | None = None) -> Refinement:
    """The next place to look at for `target`, or what is missing."""
    waited = wait_while_loading(case)
    if waited is not None:
        return waited
    opened = [deed for deed in case.deeds if deed.purpose == "explore"]
    if (several := _several_records(case, target)) is not None:
        return several
    opener = _next_opener(case, target, opened)
    if opener is None:
        return _uncovered(case, opened) or _given_up(case, target, grounding, opened)
    return act(
        [looking(opener)],
        f"I do not see {thing(target)} yet; looking behind {called(opener)}.",
        confidence=0.8,
        completes=False,
    )


def looking(opener: Node) -> Proposal:
    """The click that shows what is behind an opener."""
    return Proposal(
        action=action("click", opener.id),
        description=f"Open {called(opener)}",
        purpose="explore",
    )


def commands(node: Node) -> bool:
    """Whether it does something rather than shows something: "Add to cart", "Save"."""
    shows = bool(node.states & CONTAINERS) or node.role in {"tab", "menu", "tree"}
    return not shows and speaks_of("submit", node.name)


def _given_up(
    case: Case, target: Target | None, grounding: Grounding | None, opened: list[Deed]
) -> Refinement:
    what = thing(target, case.directive.value or case.directive.source or "that")
    tried = [deed.description for deed in opened if deed.action.name == "click"]
    near: tuple[Candidate, ...] = grounding.candidates[:3] if grounding else ()
    return missing(unknown(target, case.page, tried) or not_here(what, case.page, tried), near)


def _next_opener(case: Case, target: Target | None, opened: list[Deed]) -> Node | None:
    if target is None or len(opened) >= BUDGET:
        return None
    tried = [*opened, *(deed for deed in [case.last] if deed is not None)]
    fresh = [n for n in case.tree if _openable(n) and not _spent(n, tried)]
    related = _related(case, target, fresh)
    if related is not None or case.directive.verb not in NAMED:
        return related
    plain = [node for node in fresh if _plain(node)]
    named = target.within or ""
    own = _as_spelled([n for n in plain if named and in_record(named, n.group)], named)
    left = own or [node for node in plain if not named or not _is_line_menu(node)]
    order = {node.id: index for index, node in enumerate(case.tree)}
    reached = next((order[n.id] for n in case.tree if opened and same(opened[-1], n)), -1)
    return next((n for n in left if order[n.id] > reached), left[0] if left else None)


def _spent(node: Node, tried: list[Deed]) -> bool:
    """Whether it was opened already; one that did not open may have missed the click, once."""
    own = {id(deed): deed for deed in tried if same(deed, node)}.values()
    return len(own) > 1 or any(deed.status != "failure" for deed in own)


def _as_spelled(nodes: list[Node], named: str) -> list[Node]:
    """Of openers in several records those whose record is written as the person wrote it: "@ann"."""
    exact = [node for node in nodes if named and named.casefold() in node.group.casefold()]
    return exact or nodes


def _several_records(case: Case, target: Target | None) -> Refinement | None:
    """Several records go by what was said, each with a menu of its own: a person must say which."""
    if target is None or not target.within or target.ordinal is not None or target.all:
        return None
    named = target.within
    own = [n for n in case.tree if _is_line_menu(n) and in_record(named, n.group)]
    lines = {record(n.group): n for n in _as_spelled(own, named)}
    if len(lines) < 2:
        return None
    shown = tuple(
        Candidate(id=n.id, role=n.role, name=line.rpartition(": ")[2], group="", score=0.6)
        for line, n in lines.items()
    )
    what = f"{len(lines)} things here could be '{named}'"
    found = Grounding(outcome="ambiguous", candidates=shown, reason=what, about=named)
    return ambiguous(found, what)


def _is_line_menu(node: Node) -> bool:
    return _plain(node) and is_of_record(node) and node.role != "tree"


def _related(case: Case, target: Target, fresh: list[Node]) -> Node | None:
    """What may reveal it by its name: of a "new order" only "order" tells where it may be."""
    phrase = target.phrase
    if case.directive.verb == "create" and case.directive.target is not None:
        phrase = case.directive.target.phrase
    about = [(_relatedness(phrase, node.name), node) for node in fresh if _leads(node)]
    best = max(about, key=lambda one: one[0], default=(0.0, None))
    return best[1] if best[0] >= RELATED else None


def _relatedness(phrase: str, name: str) -> float:
    """Words in common, by weight, of the shorter: "Customer" is all about a new customer."""
    said, here = label(phrase), label(name)
    common = said.meaning_set & here.meaning_set
    if not common or not said.total or not here.total:
        return similarity(said, here)[0]
    weights = dict(zip(said.meanings, said.weights, strict=True))
    return 0.35 + 0.65 * min(1.0, sum(weights[one] for one in common) / min(said.total, here.total))


def _leads(node: Node) -> bool:
    """Whether it is a way to somewhere, by what it is: a menu, a tab, a link that is no record's."""
    if node.states & {"current", "selected"}:
        return False
    kinds = {kind for kind, _ in node.groups}
    is_link = node.role == "link" and not kinds & {"row", "item"}
    return _plain(node) or is_link or node.role in {"menu", "tree"} or "nav" in kinds


def _plain(node: Node) -> bool:
    if node.role == "tab":
        return "selected" not in node.states
    return bool(node.states & CONTAINERS) or bool(MORE.match(node.name.strip()))


def _openable(node: Node) -> bool:
    return (
        node.enabled
        and node.role not in {"txt", "inp", "chk", "rad", "sel", "file", "range", "opt"}
        and "expanded" not in node.states
        and not is_risky(node.name)
        and not commands(node)
    )


def _uncovered(case: Case, opened: list[Deed]) -> Refinement | None:
    """Escape, once, when what was opened lies over the rest of the page."""
    if not opened or any(d.action.name == "pressKey" for d in opened):
        return None
    if not any(node.occluded and _plain(node) for node in case.tree):
        return None
    made = Proposal(
        action=action("pressKey", "Escape"),
        description="Press Escape",
        purpose="explore",
        can_fail=True,
    )
    return act([made], "What I opened covers the page.", confidence=0.7, completes=False)
