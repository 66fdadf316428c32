"""Choosing by a description: "an item that starts with Sa", "words similar to glad and big"."""

from collections.abc import Iterable

from app.domain.action import action
from app.domain.directive import Target
from app.domain.page import Node
from app.domain.plan import Proposal, Refinement
from app.engines.planning.wording import quoted
from app.engines.refinement.case import Case, act, done, missing, one
from app.engines.refinement.naming import called
from app.text import patterns

_TEXT = r"[\"'“‘]?(?P<{0}>[^\"'”’]+?)[\"'”’]?"  # noqa: RUF001 - quotes as people type them
DESCRIBED = patterns.compile(
    r"\b(?:that|which|whose name)\s+(?:start|begin)s?\s+with\s+" + _TEXT.format("start")
    + r"(?:\s+(?:and|but)\s+(?:that\s+)?ends?\s+(?:with|in)\s+" + _TEXT.format("end") + r")?[.]?$",
    patterns.IGNORECASE,
)  # fmt: skip
ALIKE = patterns.compile(
    r"\b(?:similar|related|close|synonymous)\s+(?:in meaning\s+)?(?:to|with)\s+(?P<list>.+?)[.]?$",
    patterns.IGNORECASE,
)
LEAST_ALIKE = 0.05  # the nearest was asked for; below this nothing here is near
SEPARATORS = patterns.compile(r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+")
PICKED = frozenset({"chk", "rad", "opt"})
OFFERED = frozenset({"opt", "menu", "rad", "link", "tree", "row"})


def described(case: Case) -> Refinement | None:
    """The choice of what fits the description; what it starts with is typed to bring it up.

    None when the clause describes nothing.
    """
    asked = DESCRIBED.search(case.directive.source.strip())
    if asked is None:
        return None
    start, end = asked["start"].casefold(), (asked["end"] or "").casefold()
    fitting = [n for n in _offered(case.tree) if _fits(n.name, start, end)]
    if fitting:
        return one(action("click", fitting[0].id), f"Choose {called(fitting[0])}")
    for node in case.tree:
        option = next((o for o in node.options if _fits(o, start, end)), None)
        if option is not None:
            return one(action("selectOption", node.id, option), f"Choose {quoted(option)}")
    if any(deed.action.name == "setValue" for deed in case.deeds):
        return missing(
            f"Nothing that is offered starts with {quoted(asked['start'])} as described."
        )
    field = case.field(Target())
    if field.outcome != "found":
        return None
    box = case.tree.by_id[field.chosen[0]]
    words = f"Enter {quoted(asked['start'])} in {called(box)}"
    return one(action("setValue", box.id, asked["start"]), words, completes=False)


def _offered(nodes: Iterable[Node]) -> list[Node]:
    return [node for node in nodes if node.role in OFFERED and node.enabled]


def _fits(name: str, start: str, end: str) -> bool:
    plain = name.strip().casefold()
    return plain.startswith(start) and plain.endswith(end)


def alike(case: Case) -> Refinement | None:
    """Of what can be picked, the nearest in meaning to each word that is listed; None when none are."""
    asked = ALIKE.search(case.directive.source.strip())
    if asked is None:
        return None
    words = [word for word in SEPARATORS.split(asked["list"]) if word]
    nearest = [node for word in words if (node := _nearest(case, word)) is not None]
    proposals = [_picked(node) for node in dict.fromkeys(nearest) if not _is_on(case, node)]
    if len(nearest) < len(words):
        return missing(f"Not all of {quoted(asked['list'])} have something alike here.")
    return act(proposals, f"Choose what is like {asked['list']}.") if proposals else done("Chosen.")


def _nearest(case: Case, word: str) -> Node | None:
    pickable = [node for node in case.tree if node.role in PICKED and node.name and node.enabled]
    near = case.grounder.likeness(word, [node.name for node in pickable])
    best = max(zip(near, range(len(near)), strict=True), default=(0.0, 0))
    return pickable[best[1]] if best[0] >= LEAST_ALIKE else None


def _is_on(case: Case, node: Node) -> bool:
    return bool(node.states & {"checked", "selected"}) or case.did("click", node)


def _picked(node: Node) -> Proposal:
    if node.role == "chk":
        return Proposal(
            action=action("setChecked", node.id, True), description=f"Check {called(node)}"
        )
    return Proposal(action=action("click", node.id), description=f"Choose {called(node)}")
