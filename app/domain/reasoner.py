"""The Reasoner port: who proposes. Engines ask it and decide themselves."""

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
    """Where a run stands: the goal, the plan, the page now, and what was done so far (oldest first).

    `effect` is the gravest that the goal has, as the model says; None where it did not say.
    `verdict` is what the last chain came to, `before` the packed page that it was chosen on; `shown_before`
    the packed page before the last one that handed something in or led to another page. `refused` says
    why the last refinement of this same page was not sent, when it is asked for again; `unsent` what of
    the last one was not sent, and why; `seeing` what came of its wish to see the page in another form,
    `looked_up` of a look into it. Where the plan has sub-tasks, `deeds`
    are those of the current one alone. `rules_only`: no model is to be asked, since the caller goes
    another way where rules are not sure, or replays a recipe. `today` is the day from which "tomorrow"
    counts. `replanning` says that the page is another than the plan was made for.
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
        """The goal in the person's own words; that of a sub-task is in a model's."""
        if not self.plan.subtasks:
            return self.goal
        return self.instruction.text if self.instruction else ""

    @property
    def told(self) -> str:
        """All that the person said for this task: the goal, and what they answered since."""
        return "\n".join((self.said, *(answer.text for answer in self.background.answers)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """What a model is asked about: the page `before` the `chain`, and what tier 1 `found`.

    `tier` 2 is a short question about this chain, 3 a full one about the goal. The page after is the
    situation's, whose plan and deeds are those before the verdict.
    """

    before: Observation
    chain: Chain
    found: Verdict
    tier: Literal[2, 3]
    last_step: bool


class Reasoner(Protocol):
    """Proposes; raises `ModelFailed` when it cannot be asked."""

    async def understand(self, goal: str, page: Observation) -> Instruction:
        """Read the goal: what kind it is and which directives it holds."""
        ...

    async def analyse(self, situation: Situation) -> Analysis:
        """What the goal needs before it can be planned; with it, what else the same call gave."""
        ...

    async def plan(self, situation: Situation) -> Plan:
        """Steps that reach the goal (or the current sub-task's) from this page."""
        ...

    async def refine(self, situation: Situation) -> Decision:
        """What to do now for the plan's current step, or, when no step is left, whether it is done."""
        ...

    async def predict(
        self, situation: Situation, proposals: tuple[Proposal, ...]
    ) -> ExpectedOutcome:
        """What can be checked once the proposals were executed."""
        ...

    async def judge(self, situation: Situation, transition: Transition) -> ModelOpinion:
        """What came of the last chain, where tier 1 leaves it open."""
        ...

    async def correct(self, situation: Situation, reason: str) -> Decision:
        """What to try instead, after the last deed failed for `reason`."""
        ...

    async def criticise(self, situation: Situation, refinement: Decision) -> Critique:
        """Whether the refinement makes sense for its step."""
        ...

    async def examine(
        self, situation: Situation, acts: tuple[str, ...], shown: tuple[str, ...]
    ) -> EffectReview:
        """What these acts, in words, would do now, and whether the person's words want exactly that.
        `shown` is all that the page says and asks around their controls.
        """
        ...

    async def hear(self, situation: Situation, question: str, said: str) -> AnswerMeaning:
        """What an answer means that is neither yes nor no, to a question whether something may be done."""
        ...

    async def answer(self, situation: Situation, question: str) -> str | None:
        """The answer to a question, read from the page; None when it is not there."""
        ...

    async def weigh(self, search: WebSearch) -> WebSearch:
        """Whether the results solve the need: `solved` and `answer`, or a better `query`."""
        ...
