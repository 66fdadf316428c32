"""A failed action, the page now, and what was tried for its step."""

from dataclasses import dataclass

from app.domain.action import Action, action
from app.domain.page import Node, Observation
from app.domain.plan import Deed, Plan, Proposal, Refinement
from app.engines.reasoner import Situation
from app.engines.recovery.chains import NO_TRACE, NOTHING_ANSWERED
from app.engines.risk import is_risky
from app.engines.risk.controls import is_opener, is_submit
from app.engines.risk.lexicon import speaks_of
from app.engines.verification.snapshot import steady

SHORT_WAIT = 1_000  # ms; the page script has waited for quiet already
LONG_WAIT = 3_000  # ms; a save over a slow network
LONGEST_WAIT = 8_000  # ms; together 12 s, longer than a slow server's usual limit of 10
KEYBOARD = "keyboard"  # the strategy of a key that presses the control which a click did not
WAITS = (SHORT_WAIT, LONG_WAIT, LONGEST_WAIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A failed action, the page now, and what was tried for the step so far (oldest first)."""

    deed: Deed
    page: Observation
    here: tuple[Deed, ...]
    reason: str = ""

    @property
    def signature(self) -> tuple[str, str, str] | None:
        """That of the control acted on; of a press or a point tried instead, what it was tried for."""
        if self.deed.signature is not None or self.deed.purpose != "correct":
            return self.deed.signature
        at = max((i for i, deed in enumerate(self.here) if deed == self.deed), default=0)
        signed = (d.signature for d in reversed(self.here[:at]) if d.signature is not None)
        return next(signed, None)

    @property
    def node(self) -> Node | None:
        """The control acted on, by its id or, when that is gone or another's now, by its signature."""
        found = self.page.tree.get(self.deed.action.target) if self.deed.action.target else None
        return found if found is not None and self._is_still(found) else self.same()

    def _is_still(self, node: Node) -> bool:
        """Whether a node of that id may be the one acted on: its words may change, its role does not,
        and nothing becomes a thing that is hard to undo.
        """
        if self.signature is None:
            return True
        role, name, _ = self.signature
        return node.role == role and (node.name == name or not is_risky(node.name))

    def same(self) -> Node | None:
        """The one enabled control of the same signature; by role and name when its place is another."""
        if self.signature is None:
            return None
        role, name, group = self.signature
        alike = [n for n in self.page.tree if n.role == role and steady(n.name) == steady(name)]
        placed = [n for n in alike if n.group == group]
        found = placed or alike
        return found[0] if len(found) == 1 else None

    @property
    def is_submit(self) -> bool:
        """Whether the action may have handed something in, or cannot be undone; an answer to what the
        page asks does what was asked about, and a key in place of a click what the click would.
        """
        if self.deed.strategy in ("answer the dialog", "answer the page"):
            return True
        node = self.page.tree.get(self.deed.action.target or "")
        if self.deed.action.name == "pressKey":
            node = self.node if self.deed.strategy == KEYBOARD else None
            if node is None:
                return str(self.deed.action.args["key"]).lower() == "enter"
        elif self.deed.action.name not in ("click", "clickAt"):
            return False
        name = self.signature[1] if self.signature else ""
        if is_risky(name):
            return True
        if node is not None and (
            is_opener(node) or node.role in ("chk", "rad", "tab", "menu", "opt")
        ):
            return False
        in_form = self.signature is not None and any(
            kind in self.signature[2] for kind in ("form", "dialog")
        )
        return (node is not None and is_submit(node, self.page)) or (
            in_form and speaks_of("submit", name)
        )

    @property
    def may_have_worked(self) -> bool:
        """Whether a click was made of which the page shows nothing yet."""
        return self.deed.status == "unknown" and self.deed.action.name == "click"

    def was_tried(self, candidate: Action) -> bool:
        """Whether that very action was taken in this step already."""
        return any(d.action.text == candidate.text for d in self.here)

    @property
    def is_dead(self) -> bool:
        """Whether a press was made, by whatever means, that left no trace."""
        silent = self.deed.error in (NOTHING_ANSWERED, NO_TRACE)
        return self.clicked and self.deed.status == "unknown" and silent

    @property
    def clicked(self) -> bool:
        """Whether it was a click, by whatever means."""
        return self.deed.action.name in ("click", "clickAt", "pressKey") and self.node is not None

    @property
    def waits(self) -> int:
        """How often its effect was waited for."""
        at = max((i for i, deed in enumerate(self.here) if deed == self.deed), default=-1)
        return sum(d.action.name == "wait" for d in self.here[at + 1 :])

    def did(self, name: str) -> int:
        """How often a correction of this step took that action."""
        return sum(d.action.name == name and d.purpose == "correct" for d in self.here)


def again(case: Case, node: Node) -> Action:
    """The failed action on another control; of a press or a point tried instead, the click."""
    if case.deed.action.target is None:
        return action("click", node.id)
    return case.deed.action.model_copy(update={"args": {**case.deed.action.args, "id": node.id}})


def with_plan(found: Refinement, plan: Plan, strategy: str, thought: str) -> Refinement:
    """The first choice for a plan that was changed, as a correction of that name."""
    tries = tuple(one.model_copy(update={"purpose": "correct"}) for one in found.proposals)
    told = {"plan": found.plan or plan, "strategy": strategy, "source": "strategy"}
    return found.model_copy(update=told | {"proposals": tries, "thought": thought})


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
        source="strategy",
    )


_PRESSING = frozenset({"click", "clickAt", "pressKey", "dragTo"})


def repeats_unknown(refinement: Refinement, situation: Situation) -> Deed | None:
    """The deed of unknown outcome that these proposals would do over, whoever proposes them."""
    here = tuple(deed for deed in situation.deeds if deed.step == situation.plan.current)
    open_ends = [
        deed
        for deed in here
        if deed.status == "unknown" and Case(deed=deed, page=situation.page, here=here).is_submit
    ]
    return next(
        (
            deed
            for deed in open_ends
            for proposal in refinement.proposals
            if _does_over(proposal.action, deed, situation.page)
        ),
        None,
    )


def _does_over(action: Action, deed: Deed, page: Observation) -> bool:
    """Whether the action acts on what the deed acted on, or presses the same key or point."""
    if action.name not in _PRESSING:
        return False
    node = page.tree.get(action.target or "")
    if node is not None and deed.signature is not None:
        return node.signature[:2] == deed.signature[:2]
    return action == deed.action
