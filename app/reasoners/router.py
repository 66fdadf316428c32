"""Combines rules and model: rules if they are certain, otherwise the model.

A model call costs money and a round trip; a wrong rule costs the task. So rules go first exactly
when their own confidence allows it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

import structlog

from app.authorization import is_grave
from app.domain.directive import Instruction, Target, Verb
from app.domain.page import Observation
from app.domain.plan import Analysis, Decision, Plan, Proposal
from app.domain.reasoner import Reasoner, Situation, Transition, WebSearch
from app.domain.verdict import AnswerMeaning, Critique, EffectReview, ExpectedOutcome, ModelOpinion
from app.errors import (
    BudgetReached,
    ModelFailed,
    ModelMisconfigured,
    ModelRefused,
    ModelReplyInvalid,
)
from app.plans import GROUNDED, acts_on_choice, is_subtask_unplanned, needs_person
from app.plans import SURE as UNDERSTOOD
from app.reasoners.rules import DecisionRules
from app.recovery import SECOND_LOOK, as_recovery, awaits_answer, drop_done, find_unknown_repeat

log = structlog.get_logger(__name__)
T = TypeVar("T")

# Shown to the person; the most general kind is last.
NOTICES: dict[type[ModelFailed], str] = {
    ModelRefused: "would not do this",
    ModelReplyInvalid: "gave nothing usable",
    ModelMisconfigured: "cannot be used: its settings were refused, see `tabwright doctor`",
    ModelFailed: "did not answer",
}

BUDGET_NOTICE = "The budget is used up; this was looked at without the model."
UNAVAILABLE = (ModelFailed, BudgetReached)

# Corrections that repeat the action under better conditions; choosing another control is for a model.
MECHANICAL = frozenset(
    {"wait", SECOND_LOOK, "wait and retry", "retry", "re-find", "scroll", "scroll into view",
     "dismiss overlay", "answer the dialog"}
)  # fmt: skip
# Corrections that keep a model's choice of control.
SAME_CONTROL = frozenset({SECOND_LOOK, "re-find", "answer the dialog"})
# Verbs that rules may take from a step worded by a model.
PLAIN_VERBS: frozenset[Verb] = frozenset({"click", "open", "close", "check", "uncheck"})


class Router:
    """Implements `app.domain.reasoner.Reasoner`; never raises `ModelFailed`.

    A person decides about `BudgetReached`; finished actions are judged by rules then. Without the
    model, the rules' proposal is used, with a `notice` for the person. Proposals of every model
    pass the same checks: the person's prohibitions, and no second submit of unknown outcome.
    """

    def __init__(self, rules: DecisionRules, model: Reasoner) -> None:
        self._rules = rules
        self._model = model

    async def understand(self, goal: str, page: Observation) -> Instruction:
        return await self._rules.understand(goal, page)

    async def analyse(self, situation: Situation) -> Analysis:
        """Return the rules' analysis if they understood the goal and can begin, else the model's.

        If the rules do not find the first step on the page, they may have misunderstood the goal.
        Without the model, the rules' plan and first decision are included, so that this request
        does not ask it again.
        """
        rules_analysis = await self._rules.analyse(situation)
        if situation.rules_only:
            return rules_analysis
        if await self._is_understood(rules_analysis, situation):
            begun = await self._begin(rules_analysis, situation)
            planned = replace(situation, plan=begun.plan or situation.plan)
            if begun.first is not None and _is_sure(begun.first, planned):
                return begun
        try:
            model_analysis = await self._model.analyse(situation)
        except ModelFailed as error:
            begun = await self._begin(rules_analysis, situation)
            return begun.model_copy(update={"notice": _notice(error)})
        if model_analysis.plan is None or model_analysis.first is None:
            return model_analysis
        first = await self._check_decision(
            model_analysis.first, replace(situation, plan=model_analysis.plan)
        )
        return model_analysis.model_copy(update={"first": first})

    async def _is_understood(self, analysis: Analysis, situation: Situation) -> bool:
        """Whether the rules' analysis is valid; only a model can use answers and search results."""
        instruction = situation.instruction or await self._rules.understand(
            situation.goal, situation.page
        )
        background = situation.background
        foreign = background.answers or background.searches or is_subtask_unplanned(situation.plan)
        return analysis.missing is None and instruction.confidence >= UNDERSTOOD and not foreign

    async def _begin(self, analysis: Analysis, situation: Situation) -> Analysis:
        """Add the rules' plan and first decision."""
        if analysis.missing is not None:
            return analysis
        plan = await self._rules.plan(situation)
        if plan.step is None:
            missing = f"No steps were found for: {situation.goal}"
            return analysis.model_copy(update={"missing": missing})
        first = await self._rules.refine(replace(situation, plan=plan))
        return analysis.model_copy(update={"plan": plan, "first": first})

    async def plan(self, situation: Situation) -> Plan:
        if await self._is_understood(await self._rules.analyse(situation), situation):
            return await self._rules.plan(situation)
        return await self._ask_model(lambda one: one.plan(situation), situation, ModelFailed)

    async def refine(self, situation: Situation) -> Decision:
        """Return the rules' decision if certain, otherwise the model's."""
        decision: Decision | None = None
        if situation.rules_only or await self._is_for_rules(situation):
            decision = await self._rules.refine(situation)
            if situation.rules_only or _is_sure(decision, situation):
                return decision
        try:
            return await self._check_decision(await self._model.refine(situation), situation)
        except ModelFailed as error:
            decision = decision or await self._rules.refine(situation)
            return decision.model_copy(update={"notice": _notice(error)})

    async def _is_for_rules(self, situation: Situation) -> bool:
        """Whether to try the rules at all.

        Not if a model asked for another observation or looked something up, since it has to say
        why. Choices of the person need no model.
        """
        step = situation.plan.step
        if step is None or situation.refused is not None or situation.looked_up:
            return False
        if situation.plan.maker == "rules" or step.chosen is not None:
            return True
        if situation.page.mode != "semantic_v3":
            return False
        return _is_plain_step(
            await self._rules.understand(step.description, situation.page), situation
        )

    async def predict(
        self, situation: Situation, proposals: tuple[Proposal, ...]
    ) -> ExpectedOutcome:
        return await self._rules.predict(situation, proposals)

    async def judge(self, situation: Situation, transition: Transition) -> ModelOpinion:
        if situation.rules_only:
            return await self._rules.judge(situation, transition)
        try:
            return await self._model.judge(situation, transition)
        except UNAVAILABLE as error:
            opinion = await self._rules.judge(situation, transition)
            return opinion.model_copy(update={"notice": _notice(error)})

    async def correct(self, situation: Situation, reason: str) -> Decision:
        correction = await self._rules.correct(situation, reason)
        if situation.rules_only or _corrects_first(correction, situation):
            return correction
        try:
            decision = await self._model.correct(situation, reason)
            return await self._check_decision(as_recovery(decision, situation), situation)
        except ModelFailed as error:
            return correction.model_copy(update={"notice": _notice(error)})

    async def criticise(self, situation: Situation, refinement: Decision) -> Critique:
        return await self._ask_model(
            lambda one: one.criticise(situation, refinement), situation, ModelFailed
        )

    async def examine(
        self, situation: Situation, acts: tuple[str, ...], surroundings: tuple[str, ...]
    ) -> EffectReview:
        return await self._ask_model(
            lambda one: one.examine(situation, acts, surroundings), situation
        )

    async def hear(self, situation: Situation, question: str, answer_text: str) -> AnswerMeaning:
        return await self._ask_model(
            lambda one: one.hear(situation, question, answer_text), situation
        )

    async def answer(self, situation: Situation, question: str) -> str | None:
        text = await self._rules.answer(situation, question)
        if text is not None:
            return text
        return await self._ask_model(
            lambda one: one.answer(situation, question), situation, ModelFailed
        )

    async def weigh(self, search: WebSearch) -> WebSearch:
        return await self._ask_model(lambda one: one.weigh(search))

    async def _ask_model(
        self,
        ask: Callable[[Reasoner], Awaitable[T]],
        situation: Situation | None = None,
        failures: type[ModelFailed] | tuple[type[Exception], ...] = UNAVAILABLE,
    ) -> T:
        """Return the model's result, or the rules' if it failed or must not be asked."""
        if situation is None or not situation.rules_only:
            try:
                return await ask(self._model)
            except failures as error:
                _notice(error)
        return await ask(self._rules)

    async def _check_decision(self, decision: Decision, situation: Situation) -> Decision:
        """Apply the checks for every proposal to the model's decision."""
        decision = drop_done(decision.model_copy(update={"maker": "model"}), situation)
        if (record := find_unknown_repeat(decision, situation)) is not None:
            log.warning("model repeats a submit of unknown outcome")
            return await self._rules.correct(situation, record.note)
        return self._rules.allowed(situation, decision)


def _notice(error: Exception) -> str:
    """Log the failure of the model and return the notice for the person."""
    if not isinstance(error, ModelFailed):
        return BUDGET_NOTICE
    log.warning("model failed, continuing with rules", code=error.code, detail=error.detail)
    why = error.detail.rstrip(". ")
    failure = next(text for kind, text in NOTICES.items() if isinstance(error, kind))
    return f"The model {failure} ({why}); going on by rules."


def _is_plain_step(instruction: Instruction, situation: Situation) -> bool:
    """Whether rules may do a step worded by a model: one press of a named control, not yet tried.

    Measured on the labelled pages of the grounding tests (768 steps in four wordings): rules took
    374, all correctly.
    """
    if len(instruction.directives) != 1:
        return False
    if any(record.step == situation.plan.current for record in situation.records):
        return False
    directive = instruction.directives[0]
    if directive.verb == "back":
        return True
    target = directive.target or Target()
    is_one = bool(target.phrase) and not target.all and directive.times == 1
    return is_one and directive.verb in PLAIN_VERBS


def _is_sure(decision: Decision, situation: Situation) -> bool:
    """Whether the decision is certain; in a model's step, also reversible and complete in one action."""
    if decision.outcome == "ambiguous":
        return situation.plan.maker == "rules" and needs_person(decision, situation)
    if acts_on_choice(decision, situation):
        return True
    by_model = situation.plan.maker == "model"
    if decision.outcome in {"done", "answer"}:
        return not by_model
    if decision.outcome != "act" or not decision.proposals:
        return False
    if not by_model and all(proposal.action.name == "wait" for proposal in decision.proposals):
        return True
    if decision.confidence < GROUNDED or not by_model:
        return decision.confidence >= GROUNDED
    action, page = decision.proposals[0].action, situation.page
    node = page.tree.get(action.target or "")
    if node is not None and node.role == "menu" and "haspopup" in node.states:
        return False  # the model knows whether this submenu opens by a press or by hovering
    if situation.records and situation.records[-1].action == action:
        return False  # it was done with the previous step
    alone = decision.completes_step and len(decision.proposals) == 1
    return alone and not is_grave(action, node, page)


def _corrects_first(correction: Decision, situation: Situation) -> bool:
    """Whether the rules' correction goes first: a known remedy or a mechanical one, once a step.

    Waiting for a submit of unknown outcome comes first. A model's other choices are waited for
    once; then it decides.
    """
    if correction.outcome != "act":
        return False
    step = situation.plan.current
    if situation.records and situation.records[-1].purpose == "explore":
        return _is_sure(correction, situation)
    step_records = [record for record in situation.records if record.step == step]
    if correction.source == "skill" or correction.strategy == SECOND_LOOK:
        return True
    by_model = situation.plan.maker == "model"
    if correction.strategy == "wait" and any(record.status == "unknown" for record in step_records):
        has_waited = any(record.action.name == "wait" for record in step_records)
        return not (by_model and has_waited) or awaits_answer(situation)
    return correction.strategy in (SAME_CONTROL if by_model else MECHANICAL) and not any(
        record.purpose == "correct" and record.strategy != SECOND_LOOK for record in step_records
    )
