"""A reasoner that says what a test tells it to, and counts what it was asked."""

from dataclasses import dataclass, field
from typing import Any

from app.domain.action import action
from app.domain.directive import Instruction
from app.domain.page import Observation
from app.domain.plan import Analysis, Decision, Plan, Proposal
from app.domain.reasoner import Situation, Transition, WebSearch
from app.domain.verdict import Critique, ExpectedOutcome, ModelOpinion


@dataclass
class ScriptedReasoner:
    """`says` maps a method to its next answers; an exception is raised. Unasked-for calls fail."""

    says: dict[str, list[Any]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    situations: list[Situation] = field(default_factory=list)

    def _next(self, method: str, situation: Situation | None = None) -> Any:
        self.asked.append(method)
        if situation is not None:
            self.situations.append(situation)
        assert self.says.get(method), f"nobody expected the model to be asked: {method}"
        said = self.says[method].pop(0)
        if isinstance(said, Exception):
            raise said
        return said

    async def understand(self, goal: str, page: Observation) -> Instruction:
        return self._next("understand")

    async def analyse(self, situation: Situation) -> Analysis:
        return self._next("analyse", situation)

    async def plan(self, situation: Situation) -> Plan:
        return self._next("plan", situation)

    async def refine(self, situation: Situation) -> Decision:
        return self._next("refine", situation)

    async def predict(self, situation: Situation, made: tuple[Proposal, ...]) -> ExpectedOutcome:
        return self._next("predict", situation)

    async def judge(self, situation: Situation, transition: Transition) -> ModelOpinion:
        return self._next("judge", situation)

    async def correct(self, situation: Situation, reason: str) -> Decision:
        return self._next("correct", situation)

    async def criticise(self, situation: Situation, refinement: Decision) -> Critique:
        return self._next("criticise", situation)

    async def answer(self, situation: Situation, question: str) -> str | None:
        return self._next("answer", situation)

    async def weigh(self, search: WebSearch) -> WebSearch:
        return self._next("weigh")


def click(node_id: str, **more: Any) -> Decision:
    """A model's click."""
    made = Proposal(action=action("click", node_id), description=f"Click {node_id}")
    return Decision(
        **{"outcome": "act", "maker": "model", "proposals": (made,), "confidence": 0.9, **more}
    )
