"""What one action's evidence is, and the scene it is read from."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from app.domain.action import Action, Chain
from app.domain.directive import Directive, Instruction
from app.domain.page import Node, Observation
from app.page.difference import Difference

SLIGHT = 0.66  # DESIGN completes a task from 0.70 on: the step goes on, but nothing is completed
Status = Literal["success", "failure", "unknown"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Whether an action had its effect (None: the page does not tell), how surely, and why.

    `overlooked` holds evidence of a plainer kind that a later action of the chain may replace: the
    value of a field that a submit took away. `against`: the page shows something that speaks against
    it having happened, which no model's opinion outweighs.
    """

    happened: bool | None
    confidence: float
    why: str
    overlooked: bool = False
    against: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredValue:
    """A value that was put into a field, and the one that it replaced."""

    signature: tuple[str, str, str]
    value: str
    replaced: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskHistory:
    """What the task did before the chain: role, name and group of the fields that it `filled`, and what it
    `entered` into them.
    """

    filled: frozenset[tuple[str, str, str]] = frozenset()
    entered: tuple[EnteredValue, ...] = ()


NO_HISTORY = TaskHistory()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Both looks at the page, what differs, and what was sent in between.

    `asked` is what the chain's step was read from, `goal` the whole command, where the chain `ends` it;
    `unanswered`: nothing in the page answered this click at once; `pending`: a request that it may have
    sent has no answer yet.
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
        """What one look says by `read`, read once for all actions of the chain."""
        if look not in self.memo:
            self.memo[look] = read(self.before if look == "before" else self.after)
        return self.memo[look]

    def was(self, action: Action) -> Node | None:
        """The control acted on, as it was."""
        return self.before.tree.get(action.target) if action.target else None

    def now(self, action: Action) -> Node | None:
        """The control acted on, as it is now; also one that came up while the chain ran."""
        target = action.target or ""
        return self.diff.partner.get(target) or self.after.tree.get(target)

    def became(self, node: Node) -> Node | None:
        """What a control is now, also where it was drawn anew by another name."""
        added = [n for n in self.diff.added if (n.role, n.group) == (node.role, node.group)]
        return self.diff.partner.get(node.id) or (added[0] if len(added) == 1 else None)

    @property
    def last(self) -> Action | None:
        """The last action of the chain."""
        return self.chain.actions[-1].action if self.chain.actions else None

    @property
    def pressed(self) -> Node | None:
        """The control that the last action was about, as it was."""
        return self.was(self.last) if self.last is not None else None

    @property
    def reported(self) -> bool:
        """Whether the client says that it was done."""
        return self.status == "success"

    @property
    def by_itself(self) -> bool:
        """Whether what changed may be what changes all the time, for all that the client saw.

        It saw nothing else change, or it never saw the page be still. Where the document was
        replaced it says otherwise.
        """
        client = self.after.client
        moved = client.url_changed is True or self.diff.address.any
        return (client.mutated is False or client.restless is True) and not moved


def yes(confidence: float, why: str, *, overlooked: bool = False) -> Evidence:
    """It happened."""
    return Evidence(True, confidence, why, overlooked)


def no(confidence: float, why: str) -> Evidence:
    """It did not happen, or was refused."""
    return Evidence(False, confidence, why)


def unclear(
    confidence: float, why: str, *, overlooked: bool = False, against: bool = False
) -> Evidence:
    """The page does not tell."""
    return Evidence(None, confidence, why, overlooked, against)
