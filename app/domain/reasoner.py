"""The Reasoner port, which proposes. The callers decide."""

from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol

from app.domain.access import Effect
from app.domain.action import ActionRecord, Chain
from app.domain.background import Background, WebSearch
from app.domain.directive import Instruction
from app.domain.page import Observation
from app.domain.plan import Analysis, Decision, Plan, Proposal
from app.domain.verdict import (
    AnswerMeaning,
    Critique,
    EffectReview,
    ExpectedOutcome,
    ModelOpinion,
    RePlan,
    Verdict,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The state of a run: the goal, the plan, the current page, and the actions so far (oldest first).

    `effect` is the goal's gravest effect according to the model; None if unknown. `verdict` is the result
    of the last chain, `before` the packed page it was chosen on; `shown_before` the packed page before the
    last submission or navigation. `refused` says why the previous decision for this page was not sent, if
    it is requested again; `unsent` what was left out of it, and why; `seeing` the result of its request for
    another observation mode, `looked_up` of its lookups. If the plan has sub-tasks, `deeds` are those of
    the current one only. `rules_only`: do not call a model, because the caller has an alternative if rules
    are unsure, or replays a recipe. `today` is the date that "tomorrow" is relative to. `replanning`: the
    page differs from the one that the plan was made for.
    """

    goal: str
    page: Observation
    effect: Effect | None = None
    instruction: Instruction | None = None
    plan: Plan = Plan()
    deeds: tuple[ActionRecord, ...] = ()
    background: Background = Background()
    verdict: Verdict | None = None
    before: bytes = b""
    shown_before: bytes = b""
    refused: str | None = None
    unsent: tuple[str, ...] = ()
    seeing: str = ""
    looked_up: str = ""
    rules_only: bool = False
    today: date | None = None
    replanning: RePlan | None = None

    @property
    def said(self) -> str:
        """The goal in the person's own words; a sub-task's goal is in a model's."""
        if not self.plan.subtasks:
            return self.goal
        return self.instruction.text if self.instruction else ""

    @property
    def told(self) -> str:
        """Everything the person said for this task: the goal and their later answers."""
        return "\n".join((self.said, *(answer.text for answer in self.background.answers)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """A transition for a model to judge: the page `before` the `chain`, and what tier 1 `found`.

    `tier` 2 is a short question about this chain, 3 a full one about the goal. The page after it is the
    situation's; the situation's plan and deeds are those before the verdict.
    """

    before: Observation
    chain: Chain
    found: Verdict
    tier: Literal[2, 3]
    last_step: bool


class Reasoner(Protocol):
    """Proposes; raises `ModelFailed` if the model is unavailable."""

    async def understand(self, goal: str, page: Observation) -> Instruction:
        """Parse the goal: its kind and its directives."""
        ...

    async def analyse(self, situation: Situation) -> Analysis:
        """Determine what the goal needs before planning, with anything else the same call provides."""
        ...

    async def plan(self, situation: Situation) -> Plan:
        """Plan steps from this page to the goal (or the current sub-task's)."""
        ...

    async def refine(self, situation: Situation) -> Decision:
        """Decide what to do for the current step or, if no step is left, whether the goal is reached."""
        ...

    async def predict(
        self, situation: Situation, proposals: tuple[Proposal, ...]
    ) -> ExpectedOutcome:
        """Predict checkable outcomes of the proposals."""
        ...

    async def judge(self, situation: Situation, transition: Transition) -> ModelOpinion:
        """Judge the last chain if tier 1 could not."""
        ...

    async def correct(self, situation: Situation, reason: str) -> Decision:
        """Propose an alternative after the last action failed for `reason`."""
        ...

    async def criticise(self, situation: Situation, refinement: Decision) -> Critique:
        """Check that the decision makes sense for its step."""
        ...

    async def examine(
        self, situation: Situation, acts: tuple[str, ...], shown: tuple[str, ...]
    ) -> EffectReview:
        """Judge what these described acts would do now, and whether the person's words ask for exactly
        that. `shown` is all text and questions around their controls on the page.
        """
        ...

    async def hear(self, situation: Situation, question: str, said: str) -> AnswerMeaning:
        """Interpret an answer to an approval question that is neither yes nor no."""
        ...

    async def answer(self, situation: Situation, question: str) -> str | None:
        """Answer a question from the page; None if the page does not say."""
        ...

    async def weigh(self, search: WebSearch) -> WebSearch:
        """Judge whether the results satisfy the need: `solved` and `answer`, or a better `query`."""
        ...
