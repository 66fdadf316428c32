"""The reasoner without a model: rules over the person's words and the page."""

from app.domain.directive import Instruction
from app.domain.grounding import Candidate
from app.domain.page import Observation
from app.domain.plan import Deed, ExpectedOutcome, Plan, Proposal, Refinement
from app.engines import correction, prediction
from app.engines.grounding import Grounder
from app.engines.planning.steps import plan_of
from app.engines.reasoner import Situation
from app.engines.refinement.alternatives import alternatives_to
from app.engines.refinement.dispatch import refine_step
from app.reasoners.rules.parse import parse


class RuleReasoner:
    """Implements `app.engines.reasoner.Reasoner`; deterministic, without state and without waiting."""

    def __init__(self, grounder: Grounder) -> None:
        self._grounder = grounder

    async def understand(self, goal: str, page: Observation) -> Instruction:
        """Read the goal; the page says nothing about what was meant."""
        return parse(goal)

    async def plan(self, instruction: Instruction, page: Observation) -> Plan:
        """A step for each thing to do."""
        return plan_of(instruction)

    async def refine(self, situation: Situation) -> Refinement:
        """What to do now for the plan's current step."""
        return refine_step(situation, self._grounder)

    async def predict(
        self, situation: Situation, proposals: tuple[Proposal, ...]
    ) -> ExpectedOutcome:
        """What can be checked afterwards; nothing is demanded of a look behind an opener."""
        plan, following = situation.plan, situation.plan.current + 1
        looks = bool(proposals) and proposals[-1].purpose == "explore"
        step = plan.steps[following] if following < len(plan.steps) and not looks else None
        return prediction.predict(proposals, situation.page, next_step=step)

    async def correct(self, situation: Situation, reason: str) -> Refinement:
        """Look elsewhere after a look that showed nothing, else what the correction engine says."""
        last = situation.deeds[-1] if situation.deeds else None
        if last is not None and last.purpose == "explore":
            return refine_step(situation, self._grounder)

        def others(deed: Deed) -> tuple[Candidate, ...]:
            return alternatives_to(deed, situation, self._grounder)

        return correction.propose(situation, reason, alternatives=others)
