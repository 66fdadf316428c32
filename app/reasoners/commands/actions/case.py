"""The current step with its page and earlier actions, and constructors of decisions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from app.domain.action import ActionRecord
from app.domain.directive import Directive, Grounding, Target, Verb
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Decision
from app.domain.reasoner import Situation
from app.grounding import find_field, ground_target

COMPOUND: frozenset[Verb] = frozenset({"create", "edit", "delete", "login", "logout", "search"})


@dataclass(frozen=True)
class StepCase:
    """The input of a `Move`."""

    situation: Situation
    directive: Directive

    @property
    def page(self) -> Observation:
        return self.situation.page

    @property
    def target(self) -> Target:
        """The directive's target; without one, an empty target."""
        return self.directive.target or Target()

    @property
    def tree(self) -> Tree:
        return self.situation.page.tree

    @cached_property
    def records(self) -> tuple[ActionRecord, ...]:
        current = self.situation.plan.current
        return tuple(record for record in self.situation.records if record.step == current)

    @cached_property
    def work(self) -> tuple[ActionRecord, ...]:
        """Return the step's actions that neither explored nor failed."""
        return tuple(d for d in self.records if d.purpose != "explore" and d.status != "failure")

    @property
    def last(self) -> ActionRecord | None:
        """Return the last action of the whole run."""
        return self.situation.records[-1] if self.situation.records else None

    @property
    def previous_directive(self) -> Directive | None:
        plan = self.situation.plan
        return plan.steps[plan.current - 1].directive if plan.current else None

    @property
    def answered_prompt(self) -> bool:
        """Whether the last press opened a browser prompt that got its text."""
        pressed = self.last is not None and self.last.action.name == "click"
        return pressed and any(d.kind == "prompt" and d.accepted for d in self.page.dialogs)

    def did(self, name: str, node: Node | None = None) -> bool:
        """Whether this step has done such an action (on that element)."""
        return self.count(name, node) > 0

    def count(self, name: str, node: Node | None = None) -> int:
        """Count such actions of this step (on that element and no look-alike of it)."""
        return sum(
            record.action.name == name and (node is None or self._was(record, node))
            for record in self.work
        )

    def _was(self, record: ActionRecord, node: Node) -> bool:
        if any(n.id != node.id and n.signature == node.signature for n in self.tree):
            return record.action.target == node.id
        return is_same_control(record, node)

    def with_directive(self, **changes: object) -> "StepCase":
        """Return the same step with another directive."""
        return StepCase(self.situation, self.directive.model_copy(update=changes))

    def find(self, target: Target | None, verb: Verb | None = None) -> Grounding:
        """Ground the target on this page; compound verbs look for something to click."""
        effective_verb = verb or (
            self.directive.verb if self.directive.verb not in COMPOUND else "click"
        )
        return ground_target(target or Target(), self.tree, verb=effective_verb)

    def field(self, target: Target, value: str | None = None) -> Grounding:
        """Find the field of that name, or the one that the target's other properties identify."""
        qualifiers = (target.ordinal, target.within, target.near)
        unnamed = target.role == "range" and not target.phrase  # sliders often go without a name
        if target.all or unnamed or any(part is not None for part in qualifiers):
            return ground_target(target, self.tree, verb="fill", value=value)
        return find_field(target.phrase, self.tree, value=value)

    def chosen(self, grounding: Grounding) -> Node | None:
        """Return the control that was found; None if none or several were."""
        single = grounding.outcome == "found" and len(grounding.chosen) == 1
        return self.tree.get(grounding.chosen[0]) if single else None


Move = Callable[[StepCase], Decision]


def is_same_control(record: ActionRecord, node: Node) -> bool:
    """Whether the action was on this element, even if it was redrawn since."""
    if record.action.target == node.id:
        return record.signature is None or record.signature[:2] == node.signature[:2]
    return record.signature == node.signature and record.signature is not None
