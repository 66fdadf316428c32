"""The evidence of one action, and the scene it is derived from."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from app.domain.action import Action, Chain
from app.domain.directive import Directive, Instruction
from app.domain.page import Node, Observation
from app.page import Difference

SLIGHT = 0.66  # below the 0.70 of DESIGN: the step continues, but the task is not completed
Status = Literal["success", "failure", "unknown"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Whether an action had its effect (None: unknown), with confidence and reason.

    `overlooked`: a later action of the chain may supersede it, such as a submit that clears a
    field. `against`: the page contradicts success, which no model's opinion outweighs.
    """

    happened: bool | None
    confidence: float
    why: str
    overlooked: bool = False
    against: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredValue:
    """A value entered into a field, and the value it replaced."""

    signature: tuple[str, str, str]
    value: str
    replaced: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskHistory:
    """The task before the chain: (role, name, group) of `filled` fields, and `entered` values."""

    filled: frozenset[tuple[str, str, str]] = frozenset()
    entered: tuple[EnteredValue, ...] = ()


NO_HISTORY = TaskHistory()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Both observations, their difference, and the chain between them.

    `asked` is the text of the chain's step, `goal` the whole command if the chain `ends` it.
    `unanswered`: nothing on the page reacted to the click at once. `pending`: a request that it may
    have sent is unanswered.
    """

    before: Observation
    after: Observation
    diff: Difference
    chain: Chain
    status: Status
    asked: Directive | None = None
    goal: Instruction | None = None
    ends: bool = False
    past: TaskHistory = NO_HISTORY
    unanswered: bool = False
    pending: bool = False
    memo: dict[str, str] = field(default_factory=dict)

    def spoken(self, look: Literal["before", "after"], read: Callable[[Observation], str]) -> str:
        """Return a text view of an observation, computed once per chain."""
        if look not in self.memo:
            self.memo[look] = read(self.before if look == "before" else self.after)
        return self.memo[look]

    def was(self, action: Action) -> Node | None:
        """Return the action's target before the chain."""
        return self.before.tree.get(action.target) if action.target else None

    def now(self, action: Action) -> Node | None:
        """Return the action's target after the chain, even if it appeared during the chain."""
        target = action.target or ""
        return self.diff.partner.get(target) or self.after.tree.get(target)

    def became(self, node: Node) -> Node | None:
        """Return the control that `node` has become, even if it was re-rendered under another name."""
        added = [n for n in self.diff.added if (n.role, n.group) == (node.role, node.group)]
        return self.diff.partner.get(node.id) or (added[0] if len(added) == 1 else None)

    @property
    def last(self) -> Action | None:
        """The chain's last action."""
        return self.chain.actions[-1].action if self.chain.actions else None

    @property
    def pressed(self) -> Node | None:
        """The target of the last action, before the chain."""
        return self.was(self.last) if self.last is not None else None

    @property
    def reported(self) -> bool:
        """Whether the client reports the action as done."""
        return self.status == "success"

    @property
    def by_itself(self) -> bool:
        """Whether the page may have changed on its own.

        The client saw no other change, or the page never settled. A replaced document is not
        spontaneous.
        """
        client = self.after.client
        moved = client.url_changed is True or self.diff.address.any
        return (client.mutated is False or client.restless is True) and not moved


def yes(confidence: float, why: str, *, overlooked: bool = False) -> Evidence:
    return Evidence(True, confidence, why, overlooked)


def no(confidence: float, why: str) -> Evidence:
    """Evidence that it did not happen or was refused."""
    return Evidence(False, confidence, why)


def unclear(
    confidence: float, why: str, *, overlooked: bool = False, against: bool = False
) -> Evidence:
    """The page does not show whether it happened."""
    return Evidence(None, confidence, why, overlooked, against)
