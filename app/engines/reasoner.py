"""The Reasoner port: who proposes. Engines ask it and decide themselves."""

from dataclasses import dataclass
from typing import Protocol

from app.domain.directive import Instruction
from app.domain.page import Observation
from app.domain.plan import Deed, ExpectedOutcome, Plan, Proposal, Refinement


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Where a run stands: the goal, the plan, the page now, and what was done so far (oldest first)."""

    goal: str
    page: Observation
    plan: Plan = Plan()
    deeds: tuple[Deed, ...] = ()


class Reasoner(Protocol):
    """Proposes; raises `Unavailable` when it cannot be asked."""

    async def understand(self, goal: str, page: Observation) -> Instruction:
        """Read the goal: what kind it is and which directives it holds."""
        ...

    async def plan(self, instruction: Instruction, page: Observation) -> Plan:
        """Steps that reach the goal from this page."""
        ...

    async def refine(self, situation: Situation) -> Refinement:
        """What to do now for the plan's current step."""
        ...

    async def predict(
        self, situation: Situation, proposals: tuple[Proposal, ...]
    ) -> ExpectedOutcome:
        """What can be checked once the proposals were executed."""
        ...

    async def correct(self, situation: Situation, reason: str) -> Refinement:
        """What to try instead, after the last deed failed for `reason`."""
        ...
