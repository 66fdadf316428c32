"""Both reasoners behind one port: rules where they are sure, the model where not."""

from dataclasses import replace

import structlog

from app.domain.analysis import Analysis
from app.domain.background import WebSearch
from app.domain.directive import Instruction
from app.domain.page import Observation
from app.domain.plan import Plan, Proposal, Refinement
from app.domain.verdict import Critique, Examination, ExpectedOutcome, Meaning, Opinion
from app.engines.correction.case import repeats_unknown
from app.engines.hierarchy import opens, rejoined, within
from app.engines.planning.limits import flaw, tidied
from app.engines.reasoner import Reasoner, Situation, Transition
from app.engines.recovery.chains import recovered, without_done
from app.errors import (
    BudgetReached,
    ModelFailed,
    ModelMisconfigured,
    ModelRefused,
    ModelReplyInvalid,
)
from app.reasoners.sureness import mends, plain, sure, understood
from app.reasoners.threaded import Rules

log = structlog.get_logger(__name__)


NOTICES: dict[type[ModelFailed], str] = {
    ModelRefused: "would not do this",
    ModelReplyInvalid: "gave nothing usable",
    ModelMisconfigured: "cannot be used: its settings were refused, see `tabwright doctor`",
    ModelFailed: "did not answer",
}
"""What the person is told; the most general kind is last."""


UNPAID = "The budget is used up; this was looked at without the model."


class Router:
    """Implements `app.engines.reasoner.Reasoner`; never raises `ModelFailed`.

    `BudgetReached` is for a person to decide on; what is done already is looked at by rules then.

    Where the model is away the rules' own proposal stands, with a `notice` for the person. What a
    model proposes passes the same bounds whoever the model is: the size of a plan, what the person
    forbade, and that nothing of unknown outcome is handed in a second time.
    """

    def __init__(self, rules: Rules, model: Reasoner) -> None:
        self._rules = rules
        self._model = model

    async def understand(self, goal: str, page: Observation) -> Instruction:
        """The rules' reading: it costs nothing, and says how sure it is."""
        return await self._rules.understand(goal, page)

    async def analyse(self, situation: Situation) -> Analysis:
        """The rules' analysis of a goal they understood and can begin, else the model's, plan and all.

        A goal whose first step the rules do not find here was perhaps not understood after all; the
        model is asked once in either case, and can do most with an opening. Without the model, the
        rules' plan and first refinement come along: the same request does not ask it again.
        """
        if situation.rules_only:
            return await self._rules.analyse(situation)
        read = situation.instruction or await self._rules.understand(situation.goal, situation.page)
        found = await self._rules.analyse(situation)
        if understood(read, found, situation):
            begun = await self._begun(found, situation)
            if begun is not None:
                return begun
        try:
            made = _opened(await self._model.analyse(situation), situation, read)
        except ModelFailed as error:
            return await self._opened_by_rules(found, situation, _notice(error))
        if made.plan is None or made.first is None:
            return made
        first = await self._bounded(made.first, replace(situation, plan=made.plan))
        return made.model_copy(update={"first": first})

    async def _begun(self, found: Analysis, situation: Situation) -> Analysis | None:
        """The rules' analysis with their plan and its first refinement; None where that is not sure."""
        planned = replace(situation, plan=await self._rules.plan(situation))
        first = await self._rules.refine(planned)
        if planned.plan.step is None or not sure(first, planned):
            return None
        return found.model_copy(update={"plan": planned.plan, "first": first})

    async def _opened_by_rules(self, found: Analysis, situation: Situation, told: str) -> Analysis:
        found = found.model_copy(update={"notice": told})
        if found.answer is not None or found.missing is not None:
            return found
        plan = await self._rules.plan(situation)
        if not plan.steps:
            return found.model_copy(
                update={"missing": f"No steps were found for: {situation.goal}"}
            )
        first = await self._rules.refine(replace(situation, plan=plan))
        return found.model_copy(update={"plan": plan, "first": _noticed(first, told)})

    async def plan(self, situation: Situation) -> Plan:
        """The rules' plan for what they understood, else the model's."""
        if situation.rules_only:
            return await self._rules.plan(situation)
        read = situation.instruction or await self._rules.understand(situation.goal, situation.page)
        found = await self._rules.analyse(situation)
        if understood(read, found, situation):
            return await self._rules.plan(situation)
        try:
            plan = _sound(await self._model.plan(situation), read)
        except ModelFailed as error:
            _notice(error)
            return await self._rules.plan(situation)
        return within(situation.plan, plan) if opens(situation.plan) else plan

    async def refine(self, situation: Situation) -> Refinement:
        """The rules' refinement where it is sure, else the model's.

        What was refused once is for the model, and so is a plan that has no step left.
        """
        found: Refinement | None = None
        if situation.rules_only or await self._is_for_rules(situation):
            found = await self._rules.refine(situation)
            if situation.rules_only or sure(found, situation):
                return found
        try:
            return await self._bounded(await self._model.refine(situation), situation)
        except ModelFailed as error:
            return _noticed(found or await self._rules.refine(situation), _notice(error))

    async def _is_for_rules(self, situation: Situation) -> bool:
        """Whether the rules are worth a try at all: their refinement takes time too.

        A page that is shown in another form was asked to be by a model, which is still to say why. Of
        what a person chose there is nothing to ask a model.
        """
        step = situation.plan.step
        if step is None or situation.refused is not None:
            return False
        if situation.plan.maker == "rules" or step.chosen is not None:
            return True
        if situation.page.mode != "semantic_v3":
            return False
        return plain(await self._rules.understand(step.description, situation.page), situation)

    async def predict(
        self, situation: Situation, proposals: tuple[Proposal, ...]
    ) -> ExpectedOutcome:
        """By the rules' templates: it costs no call."""
        return await self._rules.predict(situation, proposals)

    async def judge(self, situation: Situation, transition: Transition) -> Opinion:
        """The model's opinion; without the model tier 1 stands."""
        if situation.rules_only:
            return await self._rules.judge(situation, transition)
        try:
            return await self._model.judge(situation, transition)
        except (ModelFailed, BudgetReached) as error:
            found = await self._rules.judge(situation, transition)
            return found.model_copy(update={"notice": _notice(error)})

    async def correct(self, situation: Situation, reason: str) -> Refinement:
        """A mechanical correction first, then the model's."""
        found = await self._rules.correct(situation, reason)
        if situation.rules_only or mends(found, situation):
            return found
        try:
            made = await self._model.correct(situation, reason)
            return await self._bounded(recovered(made, situation), situation)
        except ModelFailed as error:
            return _noticed(found, _notice(error))

    async def criticise(self, situation: Situation, refinement: Refinement) -> Critique:
        """The model's opinion; without the model, none."""
        if situation.rules_only:
            return await self._rules.criticise(situation, refinement)
        try:
            return await self._model.criticise(situation, refinement)
        except ModelFailed as error:
            _notice(error)
            return await self._rules.criticise(situation, refinement)

    async def examine(
        self, situation: Situation, acts: tuple[str, ...], shown: tuple[str, ...]
    ) -> Examination:
        """The model's opinion; without it, or without the money for it, none."""
        if situation.rules_only:
            return await self._rules.examine(situation, acts, shown)
        try:
            return await self._model.examine(situation, acts, shown)
        except (ModelFailed, BudgetReached) as error:
            _notice(error)
            return await self._rules.examine(situation, acts, shown)

    async def hear(self, situation: Situation, question: str, said: str) -> Meaning:
        """The model's reading; without it, that by signs."""
        if situation.rules_only:
            return await self._rules.hear(situation, question, said)
        try:
            return await self._model.hear(situation, question, said)
        except (ModelFailed, BudgetReached) as error:
            _notice(error)
            return await self._rules.hear(situation, question, said)

    async def answer(self, situation: Situation, question: str) -> str | None:
        """What the rules read plainly, else what the model does."""
        found = await self._rules.answer(situation, question)
        if found is not None or situation.rules_only:
            return found
        try:
            return await self._model.answer(situation, question)
        except ModelFailed as error:
            _notice(error)
            return None

    async def weigh(self, search: WebSearch) -> WebSearch:
        """The model's judgement; without the model, the rule of thumb."""
        try:
            return await self._model.weigh(search)
        except (ModelFailed, BudgetReached) as error:
            _notice(error)
            return await self._rules.weigh(search)

    async def _bounded(self, made: Refinement, situation: Situation) -> Refinement:
        """The model's refinement within what holds for everyone."""
        made = without_done(made.model_copy(update={"maker": "model"}), situation)
        if made.plan is not None:
            joined = rejoined(situation.plan, _sound_rest(made.plan, situation.plan))
            made = made.model_copy(update={"plan": joined})
        if (deed := repeats_unknown(made, situation)) is not None:
            log.warning("a model would hand in again what may have gone through")
            return await self._rules.correct(situation, deed.note)
        return self._rules.allowed(situation, made)


def _opened(analysis: Analysis, situation: Situation, read: Instruction) -> Analysis:
    """A model's analysis with its plan made sound; the first actions only where they still fit."""
    if analysis.plan is None:
        return analysis
    plan = _sound(analysis.plan, read)
    if opens(situation.plan):
        plan = within(situation.plan, plan)
    same = [step.description for step in plan.steps[:1]] == [
        step.description for step in analysis.plan.steps[:1]
    ]
    first = analysis.first if same else None
    return analysis.model_copy(update={"plan": plan, "first": first})


def _sound(plan: Plan, read: Instruction | None) -> Plan:
    """A new plan put in order. Raises `ModelReplyInvalid` for one that cannot be taken."""
    if (why := flaw(plan)) is not None:
        raise ModelReplyInvalid(why)
    made = tidied(plan)
    return made.model_copy(update={"maker": "model", "instruction": plan.instruction or read})


def _sound_rest(new: Plan, old: Plan) -> Plan:
    """The part of a changed plan that is still to be done, put in order."""
    done = old.steps[: old.current]
    rest = new.steps[len(done) :] if new.steps[: len(done)] == done else new.steps
    return _sound(new.model_copy(update={"steps": rest, "current": 0}), old.instruction)


def _notice(error: ModelFailed | BudgetReached) -> str:
    """What the person is told when a model failed, or was not asked."""
    if isinstance(error, BudgetReached):
        return UNPAID
    log.warning("the model failed; going on by rules", code=error.code, detail=error.detail)
    why = error.detail.rstrip(". ")
    said = next(text for kind, text in NOTICES.items() if isinstance(error, kind))
    return f"The model {said} ({why}); going on by rules."


def _noticed(found: Refinement, told: str) -> Refinement:
    return found.model_copy(update={"notice": told})
