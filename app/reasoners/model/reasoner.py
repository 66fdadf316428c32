"""The reasoner with a model. It proposes; engines and the graph decide."""

from collections.abc import Callable

from app.domain.analysis import Analysis
from app.domain.background import WebSearch
from app.domain.directive import Instruction
from app.domain.page import Observation
from app.domain.plan import Plan, Proposal, Refinement
from app.domain.verdict import Critique, Examination, ExpectedOutcome, Meaning, Opinion
from app.engines import prediction
from app.engines.reasoner import Situation, Transition
from app.llm.fence import new_tag
from app.llm.port import Model
from app.reasoners.model import (
    acting,
    answering,
    correcting,
    criticising,
    examination,
    judging,
    meaning,
    opening,
    weighing,
)
from app.reasoners.model.asking import ask
from app.reasoners.model.reading import refinement_of
from app.reasoners.model.veil import Veil
from app.reasoners.model.writer import Writer


class ModelReasoner:
    """Implements `app.engines.reasoner.Reasoner` with at most one call to a model for each question.

    A reply whose actions cannot be is asked for once more, with the reason. Every method that asks
    raises `ModelFailed`. `tags` draws the tag that fences untrusted text in one call.
    """

    def __init__(self, model: Model, *, tags: Callable[[], str] = new_tag) -> None:
        self._model = model
        self._tags = tags

    async def understand(self, goal: str, page: Observation) -> Instruction:
        """Nothing is understood before `analyse`; the router takes the rules' parse instead."""
        return Instruction(text=goal, confidence=0.0)

    async def analyse(self, situation: Situation) -> Analysis:
        """What the goal needs, its plan, and the first actions; or the current sub-task opened."""
        write = self._writer(situation)
        return await ask(
            self._model,
            opening.request(situation, write),
            lambda reply: opening.analysis_of(reply, situation, write),
            write,
        )

    async def plan(self, situation: Situation) -> Plan:
        """The plan alone; without a step when the goal wants none."""
        analysis = await self.analyse(situation)
        return analysis.plan or Plan(maker="model", instruction=situation.instruction)

    async def refine(self, situation: Situation) -> Refinement:
        """What to do now."""
        write = self._writer(situation)
        return await ask(
            self._model,
            acting.request(situation, write),
            lambda reply: refinement_of(reply, situation, write.veil),
            write,
        )

    async def predict(
        self, situation: Situation, proposals: tuple[Proposal, ...]
    ) -> ExpectedOutcome:
        """By templates, without a call: what else to expect came with the actions."""
        plan, following = situation.plan, situation.plan.current + 1
        step = plan.steps[following] if following < len(plan.steps) else None
        return prediction.predict(proposals, situation.page, next_step=step)

    async def judge(self, situation: Situation, transition: Transition) -> Opinion:
        """What came of the last chain: of a fast model for tier 2, of the strong one for tier 3."""
        request = judging.request(situation, transition, self._writer(situation))
        return judging.opinion_of(await self._model.ask(request), transition)

    async def correct(self, situation: Situation, reason: str) -> Refinement:
        """What to try instead."""
        write = self._writer(situation)
        return await ask(
            self._model,
            correcting.request(situation, reason, write),
            lambda reply: correcting.correction_of(reply, situation, write),
            write,
        )

    async def criticise(self, situation: Situation, refinement: Refinement) -> Critique:
        """Whether it makes sense; a few words of a fast model."""
        request = criticising.request(situation, refinement, self._writer(situation))
        return criticising.critique_of(await self._model.ask(request))

    async def examine(
        self, situation: Situation, acts: tuple[str, ...], shown: tuple[str, ...]
    ) -> Examination:
        """What the acts do, and whether they are wanted; a few words of a fast model."""
        request = examination.request(situation, acts, shown, self._writer(situation))
        return examination.examination_of(await self._model.ask(request))

    async def hear(self, situation: Situation, question: str, said: str) -> Meaning:
        """What the person's answer means; one word of a fast model."""
        reply = await self._model.ask(
            meaning.request(situation, question, said, self._writer(situation))
        )
        return reply.means

    async def answer(self, situation: Situation, question: str) -> str | None:
        """The answer, read from the page."""
        request = answering.request(situation, question, self._writer(situation))
        return answering.answer_of(await self._model.ask(request), situation)

    async def weigh(self, search: WebSearch) -> WebSearch:
        """Whether the results solve the need."""
        request = weighing.request(search, Writer(self._tags()))
        return weighing.weighed(await self._model.ask(request), search)

    def _writer(self, situation: Situation) -> Writer:
        return Writer(self._tags(), Veil.over(situation))
