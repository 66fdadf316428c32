"""The strategies there are, each from what is on the page now; None where one does not apply."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.domain.action import Action, action
from app.domain.grounding import Candidate
from app.domain.page import Node, Observation
from app.domain.plan import Deed, Proposal, Refinement
from app.engines.risk import is_risky
from app.engines.risk.controls import ENTRIES, dismisses, is_opener, is_submit
from app.engines.risk.lexicon import match, speaks_of
from app.engines.verification.snapshot import steady

Alternatives = Callable[[Deed], tuple[Candidate, ...]]
SHORT_WAIT = 1_000  # ms; the page script has waited for quiet already
LONG_WAIT = 3_000  # ms; a save over a slow network
_VIEW = 800  # CSS px; the height of a usual viewport


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A failed action, the page now, and what was tried for the step so far (oldest first)."""

    deed: Deed
    page: Observation
    here: tuple[Deed, ...]
    reason: str = ""

    @property
    def node(self) -> Node | None:
        """The control acted on, by its id or, when that is gone, by its signature."""
        found = self.page.tree.get(self.deed.action.target) if self.deed.action.target else None
        return found or self.same()

    def same(self) -> Node | None:
        """The one enabled control of the same signature; by role and name when its place is another."""
        if self.deed.signature is None:
            return None
        role, name, group = self.deed.signature
        alike = [n for n in self.page.tree if n.role == role and steady(n.name) == steady(name)]
        placed = [n for n in alike if n.group == group]
        found = placed or alike
        return found[0] if len(found) == 1 else None

    @property
    def is_submit(self) -> bool:
        """Whether the action may have handed something in, or cannot be undone."""
        if self.deed.action.name == "pressKey":
            return str(self.deed.action.args["key"]).lower() == "enter"
        if self.deed.action.name not in ("click", "clickAt"):
            return False
        name = self.deed.signature[1] if self.deed.signature else ""
        if is_risky(name):
            return True
        node = self.page.tree.get(self.deed.action.target or "")
        if node is not None and (
            is_opener(node) or node.role in ("chk", "rad", "tab", "menu", "opt")
        ):
            return False
        in_form = self.deed.signature is not None and any(
            kind in self.deed.signature[2] for kind in ("form", "dialog")
        )
        return (node is not None and is_submit(node, self.page)) or (
            in_form and speaks_of("submit", name)
        )

    def was_tried(self, candidate: Action) -> bool:
        """Whether that very action was taken in this step already."""
        return any(d.action.text == candidate.text for d in self.here)

    def did(self, name: str) -> int:
        """How often a correction of this step took that action."""
        return sum(d.action.name == name and d.purpose == "correct" for d in self.here)


def again(case: Case, node: Node) -> Action:
    """The failed action on another control."""
    return case.deed.action.model_copy(update={"args": {**case.deed.action.args, "id": node.id}})


def act(
    strategy: str, thought: str, *steps: tuple[Action, str], completes: bool, sure: float = 0.6
) -> Refinement:
    """A refinement of corrective actions; `strategy` is its name on record."""
    return Refinement(
        outcome="act",
        thought=thought,
        proposals=tuple(Proposal(action=a, description=d, purpose="correct") for a, d in steps),
        completes_step=completes,
        confidence=sure,
        strategy=strategy,
    )


def strategies(case: Case, alternatives: Alternatives | None) -> Iterator[Refinement]:
    """What to try, best first; each once in a step."""
    makers = (_wait, _refind, _scroll, _dismiss, _once_more)
    for maker in makers:
        found = maker(case)
        if found is not None:
            yield found
    yield from _alternative(case, alternatives)
    for maker in (_keyboard, _at_centre):
        found = maker(case)
        if found is not None:
            yield found


def _wait(case: Case) -> Refinement | None:
    if case.did("wait"):
        return None
    node, pause = case.node, action("wait", SHORT_WAIT)
    may_have_worked = case.deed.status == "unknown" and case.deed.action.name == "click"
    if node is None or not case.deed.action.target or not node.enabled or may_have_worked:
        return act("wait", "Wait, and look again", (pause, "Wait for the page"), completes=False)
    return act(
        "wait and retry",
        "Wait, and try once more",
        (pause, "Wait for the page"),
        (again(case, node), _words(case, node)),
        completes=True,
    )


def _once_more(case: Case) -> Refinement | None:
    """A click that left no trace, even after a wait, may have been lost."""
    node = case.node
    if node is None or not node.enabled or case.deed.status != "unknown" or case.did("click"):
        return None
    step = (again(case, node), _words(case, node))
    return act("retry", "It left no trace; try once more", step, completes=True)


def _refind(case: Case) -> Refinement | None:
    node = case.same()
    if node is None or not node.enabled or case.was_tried(again(case, node)):
        return None
    return act(
        "re-find", f"The page was drawn anew; '{node.name}' is there under another id",
        (again(case, node), _words(case, node)), completes=True, sure=0.8,
    )  # fmt: skip


def _scroll(case: Case) -> Refinement | None:
    node = case.node
    if case.did("scroll") or (node is not None and (node.center is None or _is_in_view(node))):
        return None
    up = node is not None and node.center is not None and node.center[1] < 0
    move = action("scroll", "page", "up" if up else "down")
    if node is None or not node.enabled:
        return act("scroll", "Look further on the page", (move, "Scroll the page"), completes=False)
    return act(
        "scroll into view", f"Scroll to '{node.name}' and try once more",
        (move, "Scroll the page"), (again(case, node), _words(case, node)), completes=True,
    )  # fmt: skip


def _dismiss(case: Case) -> Refinement | None:
    """Only where something stands in front: the target is covered, or a dialog is it is not in."""
    node = case.node
    covered = node is not None and node.occluded
    inside = case.deed.signature[2] if case.deed.signature else ""
    fronts = [n for n in case.page.tree if _stands_in_front(n) and not _shares_dialog(n, inside)]
    if not covered and not fronts and "cover" not in case.reason.lower():
        return None
    for close in _closers(fronts or [n for n in case.page.tree if not n.occluded]):
        click = action("click", close.id)
        if not case.was_tried(click):
            return act(
                "dismiss overlay",
                "Something is in front of it",
                (click, f"Click {close.name}"),
                completes=False,
            )
    escape = action("pressKey", "Escape")
    if case.was_tried(escape):
        return None
    return act(
        "dismiss overlay", "Something is in front of it", (escape, "Press Escape"), completes=False
    )


def _stands_in_front(node: Node) -> bool:
    return any(kind == "dialog" for kind, _ in node.groups) or "modal" in node.states


def _shares_dialog(node: Node, group: str) -> bool:
    """Whether the node's dialog is the one the failed action works in."""
    return any(part in group for part in node.group.split(" > ") if part.startswith("dialog"))


def _closers(nodes: list[Node]) -> list[Node]:
    """The controls that dismiss, those that refuse or close before those that merely agree."""
    found = [n for n in nodes if n.enabled and _only_dismisses(n) and not _is_of_record(n)]
    return sorted(found, key=lambda n: speaks_of("submit", n.name))


def _is_of_record(node: Node) -> bool:
    """Whether it stands in a line of a list: a cross there takes the line away."""
    return any(kind in ("row", "item") for kind, _ in node.groups)


def _only_dismisses(node: Node) -> bool:
    """Whether it closes or refuses: "Reject all" does, "Cancel order" takes back more."""
    risky, said = match("risky", node.name), match("dismiss", node.name)
    if not dismisses(node) or said is None:
        return False
    return risky is None or (said.start() <= risky.start() and said.end() >= risky.end())


def _alternative(case: Case, alternatives: Alternatives | None) -> Iterator[Refinement]:
    if alternatives is None or not case.deed.action.target:
        return
    for candidate in alternatives(case.deed):
        node = case.page.tree.get(candidate.id)
        if node is None or not node.enabled or is_risky(node.name):
            continue
        other = again(case, node)
        if node.id != case.deed.action.target and not case.was_tried(other):
            yield act(
                "alternative element", f"'{node.name}' may be meant instead", (other, _words(case, node)),
                completes=True, sure=min(0.7, candidate.score),
            )  # fmt: skip
            return


def _keyboard(case: Case) -> Refinement | None:
    node = case.node
    if case.deed.action.name != "click" or node is None or "focused" not in node.states:
        return None
    key = action("pressKey", "Space" if node.role in ("chk", "rad") else "Enter")
    if case.was_tried(key) or node.role in ENTRIES - {"chk", "rad"}:
        return None
    return act(
        "keyboard",
        "Use the keyboard",
        (key, f"Press {key.args['key']} on {node.name}"),
        completes=True,
    )


def _at_centre(case: Case) -> Refinement | None:
    node = case.node
    if case.deed.action.name != "click" or node is None or not _is_in_view(node) or node.occluded:
        return None
    x, y = node.center or (0.0, 0.0)
    click = action("clickAt", round(x), round(y))
    if case.was_tried(click):
        return None
    return act(
        "click at centre",
        "Click where it stands",
        (click, f"Click at the middle of {node.name}"),
        completes=True,
    )


def _is_in_view(node: Node) -> bool:
    return node.center is not None and 0 <= node.center[1] <= _VIEW


def _words(case: Case, node: Node) -> str:
    return case.deed.description or f"{case.deed.action.name} {node.name}"
