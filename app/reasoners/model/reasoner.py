"""Decides with a language model. It proposes; other rooms and the graph decide."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from app.domain.directive import Instruction
from app.domain.page import Observation
from app.domain.plan import Analysis, Decision, Plan, Proposal
from app.domain.reasoner import Situation, Transition, WebSearch
from app.domain.verdict import AnswerMeaning, Critique, EffectReview, ExpectedOutcome, ModelOpinion
from app.errors import InvalidAction, ModelReplyInvalid
from app.llm.port import Model, ModelRequest, Reply
from app.llm.prompt import fill_prompt, new_tag
from app.plans import predict
from app.reasoners.model import prompts
from app.reasoners.model.decisions import is_supported_answer, parse_decision, parse_question
from app.reasoners.model.limits import (
    LONGEST_ANSWER,
    LONGEST_STRATEGY,
    LONGEST_TEXT,
    cut_line,
    meaningful_text,
    parse_confidence,
)
from app.reasoners.model.plans import parse_analysis, replan_steps
from app.reasoners.model.reply_schemas import Acting, Correcting
from app.reasoners.model.writer import Veil, Writer

Read = TypeVar("Read")
_ANSWERS = {"yes": True, "no": False}


class ModelReasoner:
    """Implements `app.domain.reasoner.Reasoner` with at most one model call per question.

    An impossible reply is requested once more, with the reason. Every method that asks raises
    `ModelFailed`. `tags` makes the random tag that fences untrusted text in one call.
    """

    def __init__(self, model: Model, *, tags: Callable[[], str] = new_tag) -> None:
        self._model = model
        self._tags = tags

    async def understand(self, goal: str, page: Observation) -> Instruction:
        """Return an empty instruction: the router uses the rules' parse."""
        return Instruction(text=goal, confidence=0.0)

    async def analyse(self, situation: Situation) -> Analysis:
        write = self._writer(situation)
        request = prompts.opening_call(situation, write)
        return await self._ask(
            request, lambda reply: parse_analysis(reply, situation, write.veil), write
        )

    async def plan(self, situation: Situation) -> Plan:
        analysis = await self.analyse(situation)
        return analysis.plan or Plan(maker="model", instruction=situation.instruction)

    async def refine(self, situation: Situation) -> Decision:
        write = self._writer(situation)
        request = prompts.acting_call(situation, write)
        return await self._ask(request, lambda reply: _parse_acting(reply, situation, write), write)

    async def predict(
        self, situation: Situation, proposals: tuple[Proposal, ...]
    ) -> ExpectedOutcome:
        plan, following = situation.plan, situation.plan.current + 1
        step = plan.steps[following] if following < len(plan.steps) else None
        return predict(proposals, situation.page, next_step=step)

    async def judge(self, situation: Situation, transition: Transition) -> ModelOpinion:
        request = prompts.judging_call(situation, transition, self._writer(situation))
        reply = await self._model.ask(request)
        return ModelOpinion(
            succeeded=_ANSWERS.get(reply.worked),
            completed=_ANSWERS.get(reply.reached) if transition.last_step else None,
            confidence=parse_confidence(reply.sure),
            reason=cut_line(reply.why),
            quote=cut_line(reply.quote),
            tier=transition.tier,
        )

    async def correct(self, situation: Situation, reason: str) -> Decision:
        """Return what to try; its actions count as attempts of the step, by their purpose."""
        write = self._writer(situation)
        request = prompts.correcting_call(situation, reason, write)

        def read(reply: Correcting) -> Decision:
            decision = _parse_acting(reply, situation, write)
            tries = tuple(
                one.model_copy(update={"purpose": "correct"}) for one in decision.proposals
            )
            strategy = cut_line(reply.strategy, LONGEST_STRATEGY) or "other actions"
            return decision.model_copy(update={"proposals": tries, "strategy": strategy})

        return await self._ask(request, read, write)

    async def criticise(self, situation: Situation, refinement: Decision) -> Critique:
        request = prompts.criticism_call(situation, refinement, self._writer(situation))
        reply = await self._model.ask(request)
        return Critique(sensible=reply.ok, reason=cut_line(reply.why))

    async def examine(
        self, situation: Situation, acts: tuple[str, ...], surroundings: tuple[str, ...]
    ) -> EffectReview:
        request = prompts.examination_call(situation, acts, surroundings, self._writer(situation))
        reply = await self._model.ask(request)
        return EffectReview(effect=reply.effect, requested=reply.wanted)

    async def hear(self, situation: Situation, question: str, answer_text: str) -> AnswerMeaning:
        request = prompts.answer_meaning_call(
            situation, question, answer_text, self._writer(situation)
        )
        return (await self._model.ask(request)).means

    async def answer(self, situation: Situation, question: str) -> str | None:
        request = prompts.answering_call(situation, question, self._writer(situation))
        reply = await self._model.ask(request)
        answer = reply.answer.strip()[:LONGEST_ANSWER] if reply.found else ""
        is_seen = bool(situation.page.screenshot) or is_supported_answer(answer, situation)
        return answer if answer and is_seen else None

    async def weigh(self, search: WebSearch) -> WebSearch:
        reply = await self._model.ask(prompts.search_judgement_call(search, Writer(self._tags())))
        answer = meaningful_text(reply.answer, LONGEST_ANSWER)
        if reply.solved and answer:
            return search.model_copy(update={"solved": True, "answer": answer})
        query = meaningful_text(reply.query) or search.query
        return search.model_copy(update={"solved": False, "answer": "", "query": query})

    def _writer(self, situation: Situation) -> Writer:
        return Writer(self._tags(), Veil.of_situation(situation))

    async def _ask(
        self, request: ModelRequest[Reply], parse: Callable[[Reply], Read], write: Writer
    ) -> Read:
        """Ask, and once more with the reason if `parse` raises `InvalidAction`. Raises `ModelFailed`."""
        reply = await self._model.ask(request)
        try:
            return parse(reply)
        except InvalidAction as error:
            reason = write.fenced_section("Reason", cut_line(error.detail, 2 * LONGEST_TEXT))
        addition = fill_prompt("again.v1", reason=reason)
        reply = await self._model.ask(replace(request, prompt=f"{request.prompt}\n{addition}"))
        try:
            return parse(reply)
        except InvalidAction as error:
            # The reason may quote values, so it is for the model and not for a log.
            raise ModelReplyInvalid("twice it gave actions that this page cannot take") from error


def _parse_acting(reply: Acting, situation: Situation, write: Writer) -> Decision:
    plan = replan_steps(reply.steps, situation.plan)
    return parse_decision(reply, situation, write.veil, plan, parse_question(reply.ask))
