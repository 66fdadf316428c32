"""Looking for what is not to be seen yet: menus, tabs, sections, further pages.

A bounded search, depth first, remembered in the deeds: what was opened for a step is not opened for
it again, and after `BUDGET` openings the step is given up with what was looked for. Only what is
related to the phrase is opened; for something named by its label, which may be anywhere, plain
containers (menus, tabs, collapsed sections, the next page of a list) are opened as well.
"""

from app.domain.action import action
from app.domain.directive import Target, Verb
from app.domain.grounding import Candidate, Grounding
from app.domain.page import Node
from app.domain.plan import Deed, Proposal, Refinement
from app.engines.grounding.label import label
from app.engines.grounding.openers import relatedness
from app.engines.grounding.surroundings import record
from app.engines.planning.wording import thing
from app.engines.refinement.case import Case, act, ambiguous, missing, same
from app.engines.refinement.loading import wait_while_loading
from app.engines.refinement.naming import called, not_here
from app.engines.refinement.nearest import unknown
from app.engines.refinement.recognising import in_record, is_of_record, way_to
from app.engines.risk import is_risky
from app.engines.risk.controls import dismisses
from app.engines.risk.lexicon import speaks_of
from app.text import patterns

BUDGET = 4  # explorations a step, so that a hopeless one ends within a few round trips
GUIDED_BUDGET = 16  # where the person said to look through tabs, sections, folders or pages
RELATED = 0.45  # of the words; an opener below this has nothing to do with what is looked for
LIKELY = 0.72  # of the grounder's score for openers: of related sense, without a word in common
# Where what is not on a page usually is: a shop's way on is in its cart.
FOUND_IN = {"check out": "cart", "coupon": "cart", "voucher": "cart", "promo": "cart"}
PAGES = 10  # of one list turned over in a step
NAMED: frozenset[Verb] = frozenset(
    {"click", "open", "select", "check", "uncheck", "find", "hover", "focus", "fill", "delete",
     "edit", "logout"}
)  # fmt: skip
CONTAINERS = frozenset({"expanded", "collapsed", "haspopup"})
MORE = patterns.compile(
    r"^([☰≡⋮…▾▼⌄]|menu|(show|load|view|see) (more|all)|more( options| actions)?)$",
    patterns.IGNORECASE,
)
NEXT = patterns.compile(
    r"^(go to )?(the )?(next( page)?|older( posts)?|[\u203a\u00bb\u2192]|>>?|more results)\W*$",
    patterns.IGNORECASE,
)
ASIDE = patterns.compile(
    r"^(ok(ay)?|got it|close|dismiss|not now|no,? thanks|[x\u00d7\u2715])$", patterns.IGNORECASE
)
PREVIOUS = patterns.compile(
    r"^(go to )?(the )?(prev(ious)?( page)?|newer( posts)?|[\u2039\u00ab\u2190]|<<?)\W*$",
    patterns.IGNORECASE,
)
AGREEING = patterns.compile(r"^(ok(ay)?|yes|continue|confirm)\b", patterns.IGNORECASE)
REFUSING = patterns.compile(r"^(cancel|no|close|not now|later|dismiss)\b", patterns.IGNORECASE)
TREES = patterns.compile(r"\b(trees?|folders?|director(y|ies))\b", patterns.IGNORECASE)
GUIDES = patterns.compile(
    r"\b(tabs?|sections?|panels?|accordions?|trees?|folders?|pages|(sub)?menus?|results?)\b",
    patterns.IGNORECASE,
)


def explore(
    case: Case, target: Target | None, grounding: Grounding | None = None, *, here: int = 0
) -> Refinement:
    """The next place to look at for `target`, or what is missing.

    `here`: how many things that fit, but for the ordinal, are on this page.
    """
    waited = wait_while_loading(case)
    if waited is not None:
        return waited
    opened = [deed for deed in case.deeds if deed.purpose == "explore"]
    if (several := _several_records(case, target)) is not None:
        return several
    opener = _next_opener(case, target, opened)
    if opener is None:
        aside = _uncovered(case, opened) or _dismissed(case, opened)
        return aside or _given_up(case, target, grounding, opened)
    return act(
        [looking(opener, passed=here if NEXT.match(opener.name.strip()) else 0)],
        f"I do not see {thing(target)} yet; looking behind {called(opener)}.",
        confidence=0.8,
        completes=False,
    )


def looking(opener: Node, passed: int = 0) -> Proposal:
    """The click that shows what is behind an opener. `passed`: matches on the page it leaves."""
    return Proposal(
        action=action("click", opener.id),
        description=f"Open {called(opener)}",
        purpose="explore",
        passed=passed,
    )


def turned(case: Case) -> list[Deed]:
    """The pages of a list turned over for this step."""
    return [
        deed
        for deed in case.deeds
        if deed.purpose == "explore" and deed.signature and NEXT.match(deed.signature[1].strip())
        if deed.status != "failure"
    ]


def _given_up(
    case: Case, target: Target | None, grounding: Grounding | None, opened: list[Deed]
) -> Refinement:
    what = thing(target, case.directive.value or case.directive.source or "that")
    tried = [deed.description for deed in opened if deed.action.name == "click"]
    near: tuple[Candidate, ...] = grounding.candidates[:3] if grounding else ()
    return missing(unknown(target, case.page, tried) or not_here(what, case.page, tried), near)


def _next_opener(case: Case, target: Target | None, opened: list[Deed]) -> Node | None:
    tried = [*opened, *(deed for deed in [case.last] if deed is not None)]
    fresh = [n for n in case.tree if _openable(n) and not _spent(n, tried)]
    pages = turned(case)
    within_budget = len(opened) - len(pages) < _budget(case)
    related = (
        (way_to(case, target, fresh) or _related(case, target, fresh)) if within_budget else None
    )
    if related is not None or case.directive.verb not in NAMED:
        return related
    own = _as_spelled([node for node in fresh if _of_record(node, target)], target)
    fresh = [node for node in fresh if not _of_other(node, target)]
    if own and within_budget:
        return _deeper(case, own, opened)
    onward = _onward(case) if len(pages) < PAGES and _is_listed(case, target) else None
    if onward is not None and target is not None and (target.ordinal is not None or target.within):
        return onward
    return (_deeper(case, fresh, opened) if within_budget else None) or onward


def _spent(node: Node, tried: list[Deed]) -> bool:
    """Whether it was opened already; one that did not open may have missed the click, once."""
    own = {id(deed): deed for deed in tried if same(deed, node)}.values()
    return len(own) > 1 or any(deed.status != "failure" for deed in own)


def _of_record(node: Node, target: Target | None) -> bool:
    """Whether the opener stands in the record or container the target is in."""
    if target is None or not target.within or not _plain(node):
        return False
    return in_record(target.within, node.group)


def _as_spelled(nodes: list[Node], target: Target | None) -> list[Node]:
    """Of openers in several records those whose record is written as the person wrote it: "@ann"."""
    said = (target.within or "").casefold() if target is not None else ""
    exact = [node for node in nodes if said and said in node.group.casefold()]
    return exact or nodes


def _several_records(case: Case, target: Target | None) -> Refinement | None:
    """Several records go by what was said, each with a menu of its own: a person must say which."""
    own = _as_spelled([n for n in case.tree if _of_record(n, target)], target)
    own = [n for n in own if is_of_record(n) and n.role != "tree"]
    lines = {record(n.group): n for n in own}
    if len(lines) < 2 or target is None or target.ordinal is not None or target.all:
        return None
    shown = tuple(
        Candidate(id=n.id, role=n.role, name=line.rpartition(": ")[2], group="", score=0.6)
        for line, n in lines.items()
    )
    what = f"{len(lines)} things here could be '{target.within}'"
    found = Grounding(outcome="ambiguous", candidates=shown, reason=what, about=target.within or "")
    return ambiguous(found, what)


def _of_other(node: Node, target: Target | None) -> bool:
    """Whether it opens the menu of another record than the one that was named."""
    named = target.within if target is not None else None
    opens = _plain(node) and is_of_record(node) and node.role != "tree"
    return bool(named) and opens and not in_record(named or "", node.group)


def _is_listed(case: Case, target: Target | None) -> bool:
    """Whether the target can be an entry of a list: counted, of a record, or bearing a proper name."""
    if target is None:
        return False
    counted = target.ordinal is not None or target.within is not None or target.quoted
    proper = any(word[:1].isupper() for word in target.phrase.split())
    return counted or proper or case.directive.verb in {"find", "delete", "edit"}


def _budget(case: Case) -> int:
    return GUIDED_BUDGET if GUIDES.search(case.situation.goal) else BUDGET


def _related(case: Case, target: Target | None, fresh: list[Node]) -> Node | None:
    if target is None:
        return None
    allowed = {node.id for node in fresh}
    phrase = target.phrase
    if case.directive.verb == "create" and case.directive.target is not None:
        phrase = case.directive.target.phrase  # of a "new order" only "order" tells where it may be
    places = [place for word, place in FOUND_IN.items() if word in label(phrase).meaning_set]
    for candidate in case.openers(phrase):
        shared = relatedness(phrase, [candidate.name], None)[0]
        if places and label(places[0]).meaning_set & label(candidate.name).meaning_set:
            shared = RELATED
        if candidate.id in allowed and (shared >= RELATED or candidate.score >= LIKELY):
            return case.tree.get(candidate.id)
    return None


def _deeper(case: Case, fresh: list[Node], opened: list[Deed]) -> Node | None:
    """The next plain container after the one opened last, in the page's order; else the first."""
    branches = _branches(case, fresh) if TREES.search(case.situation.goal) else []
    plain = [node for node in fresh if _plain(node) or node in branches]
    order = {node.id: index for index, node in enumerate(case.tree)}
    reached = next((order[n.id] for n in case.tree if opened and same(opened[-1], n)), -1)
    return next((node for node in plain if order[node.id] > reached), plain[0] if plain else None)


def _branches(case: Case, fresh: list[Node]) -> list[Node]:
    """The lines of a tree that may hold others: those with a control of their own, if any have one."""
    lines = [node for node in fresh if node.role in {"row", "tree"}]
    held = {label for node in case.tree for kind, label in node.groups[-1:] if kind == "item"}
    return [line for line in lines if line.name in held] or lines


def _onward(case: Case) -> Node | None:
    """The control that turns to the next page of a list; it may be used again on each page."""
    return next((n for n in case.tree if NEXT.match(n.name.strip()) and n.enabled), None)


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
        and (not commands(node) or NEXT.match(node.name.strip()) is not None)
    )


def commands(node: Node) -> bool:
    """Whether it does something rather than shows something: "Add to cart", "Save"."""
    shows = bool(node.states & CONTAINERS) or node.role in {"tab", "menu", "tree"}
    return not shows and speaks_of("submit", node.name)


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


def _dismissed(case: Case, opened: list[Deed]) -> Refinement | None:
    """What stands in front is put aside, once: a notice, a banner, a dialog nobody asked for.

    Where it can be refused it is: nothing is agreed to that was not asked for.
    """
    nodes = case.tree.nodes
    for at, node in enumerate(nodes):
        if not _puts_aside(case, node) or any(same(deed, node) for deed in case.situation.deeds):
            continue
        beside = [n for n in nodes[max(0, at - 1) : at + 2] if n is not node and n.enabled]
        refusing = next((n for n in beside if REFUSING.match(n.name.strip())), None)
        chosen = refusing if refusing is not None and AGREEING.match(node.name.strip()) else node
        made = looking(chosen).model_copy(
            update={"description": f"Put aside with {called(chosen)}"}
        )
        return act(
            [made], f"Something may be in front; pressing {called(chosen)}.", completes=False
        )
    return None


def _puts_aside(case: Case, node: Node) -> bool:
    """Whether it closes what is in front; a cross in a line of a list takes that line away instead."""
    if is_of_record(node) or sum(n.name == node.name for n in case.tree) > 1:
        return False
    if not node.enabled or not dismisses(node) or is_risky(node.name):
        return False
    in_dialog = any(kind == "dialog" for kind, _ in node.groups)
    return in_dialog or ASIDE.match(node.name.strip()) is not None
