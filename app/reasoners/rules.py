"""Decides without a model, by rules over the person's words and the page."""

from collections.abc import Coroutine, Iterator
from dataclasses import replace
from inspect import iscoroutinefunction
from typing import Any, Protocol, TypeVar, cast

from app.approvals import is_redirection
from app.domain.action import ActionRecord
from app.domain.directive import Candidate, Directive, Instruction
from app.domain.page import Observation
from app.domain.plan import Analysis, Decision, Plan, Proposal
from app.domain.reasoner import Reasoner, Situation, Transition, WebSearch
from app.domain.verdict import AnswerMeaning, Critique, EffectReview, ExpectedOutcome, ModelOpinion
from app.plans import analyse, insert_subtask_plan, narrow_page, predict
from app.reasoners.commands import parse
from app.reasoners.commands.actions.answers import answer_from_page
from app.reasoners.commands.actions.case import StepCase
from app.reasoners.commands.actions.dispatch import enforce_forbidden, refine_step
from app.reasoners.commands.expansion import plan_instruction
from app.recovery import (
    begin_replanned,
    find_mendable,
    limit_completion,
    propose_correction,
    replan_rest,
)
from app.skills import propose_remedy, replay_step
from app.threads import run_long
from app.verification import NOT_REACHED

T = TypeVar("T")


INLINE_LIMIT = 10_000  # characters of labels and goal: the rules take under 20 ms for fewer


class DecisionRules(Reasoner, Protocol):
    """The reasoner port, and the checks for every proposal."""

    def allowed(self, situation: Situation, refinement: Decision) -> Decision:
        """Return the decision, or a refusal if the person forbade it."""
        ...


def read_step(situation: Situation) -> Plan:
    """Parse the plan's current step, and split it if it asks for several things."""
    plan, step = situation.plan, situation.plan.step
    if step is None or step.directive is not None:
        return plan
    parts = plan_instruction(parse(step.description)).steps
    if len(parts) == 1:
        parts = (step.model_copy(update={"directive": parts[0].directive}),)
    else:
        parts = tuple(one.model_copy(update={"id": f"{step.id}.{one.id}"}) for one in parts)
    steps = (*plan.steps[: plan.current], *parts, *plan.steps[plan.current + 1 :])
    return plan.model_copy(update={"steps": steps}) if parts else plan


def read_goal(situation: Situation) -> Instruction:
    """Return the parsed goal; a sub-task's goal, in a model's words, is parsed now."""
    if situation.instruction is None or situation.plan.subtasks:
        return parse(situation.goal)
    return situation.instruction


class RuleReasoner:
    """Implements `app.domain.reasoner.Reasoner`; deterministic and stateless, never waits."""

    async def understand(self, goal: str, page: Observation) -> Instruction:
        return parse(goal)

    async def analyse(self, situation: Situation) -> Analysis:
        return analyse(read_goal(situation), situation.page)

    async def plan(self, situation: Situation) -> Plan:
        return insert_subtask_plan(situation.plan, plan_instruction(read_goal(situation)))

    async def refine(self, situation: Situation) -> Decision:
        if situation.plan.step is not None and situation.plan.step.recorded is not None:
            return replay_step(situation)
        plan = read_step(situation)
        if plan is situation.plan:
            return self._refine_page(situation)
        decision = self._refine_page(replace(situation, plan=plan))
        return decision.model_copy(update={"plan": plan})

    def _refine_page(self, situation: Situation) -> Decision:
        """Decide the step; if several things match, use an earlier choice of the person."""
        decision = refine_step(situation)
        if decision.outcome != "ambiguous":
            return decision
        narrowed = narrow_page(decision, situation.page, situation.background.choices)
        if narrowed is None:
            return decision
        page, reason = narrowed
        narrowed_decision = refine_step(replace(situation, page=page))
        return narrowed_decision.model_copy(
            update={"thought": f"{reason} {narrowed_decision.thought}"}
        )

    async def predict(
        self, situation: Situation, proposals: tuple[Proposal, ...]
    ) -> ExpectedOutcome:
        """Predict what can be checked afterwards; exploring expects nothing."""
        plan, following = situation.plan, situation.plan.current + 1
        explores = bool(proposals) and proposals[-1].purpose == "explore"
        step = plan.steps[following] if following < len(plan.steps) and not explores else None
        return predict(proposals, situation.page, next_step=step)

    async def judge(self, situation: Situation, transition: Transition) -> ModelOpinion:
        return ModelOpinion(reason=transition.found.reason)

    async def correct(self, situation: Situation, reason: str) -> Decision:
        """Look elsewhere after a look without result; else a known remedy, a strategy, or a new plan."""
        last = situation.records[-1] if situation.records else None
        if last is not None and (last.purpose == "explore" or _was_cut(last, situation)):
            return await self.refine(situation)
        failed = find_mendable(situation)
        if failed is not None and (remedy := self._find_remedy(situation, failed)) is not None:
            return limit_completion(failed, remedy)
        correction = propose_correction(
            situation, reason, alternatives=self._alternatives(situation)
        )
        if correction.outcome != "missing":
            return correction
        plan = replan_rest(situation, plan_instruction(read_goal(situation)))
        if plan is None:
            return correction
        anew = refine_step(replace(situation, plan=plan))
        return begin_replanned(anew, plan) or correction

    def _alternatives(self, situation: Situation) -> Iterator[Candidate]:
        """Yield what the step's target may mean on this page, most likely first."""
        step = situation.plan.step
        directive = step.directive if step is not None else None
        if directive is not None and directive.target is not None:
            yield from StepCase(situation, directive).find(directive.target).candidates

    def _find_remedy(self, situation: Situation, failed: ActionRecord) -> Decision | None:
        """Return a known remedy, unless the person forbade it."""
        remedy = propose_remedy(situation, failed)
        return remedy if remedy and self.allowed(situation, remedy).outcome == "act" else None

    async def criticise(self, situation: Situation, refinement: Decision) -> Critique:
        return Critique()

    async def examine(
        self, situation: Situation, acts: tuple[str, ...], surroundings: tuple[str, ...]
    ) -> EffectReview:
        return EffectReview()

    async def hear(self, situation: Situation, question: str, answer_text: str) -> AnswerMeaning:
        if answer_text.rstrip().endswith("?"):
            return "question"
        return (
            "instead"
            if is_redirection(answer_text) or parse(answer_text).unread is None
            else "unclear"
        )

    async def answer(self, situation: Situation, question: str) -> str | None:
        directive = next((d for d in parse(question).directives if d.verb == "read"), None)
        question_directive = directive or Directive(verb="read", value=question, source=question)
        decision = answer_from_page(StepCase(situation, question_directive))
        return decision.reason if decision.outcome == "answer" else None

    async def weigh(self, search: WebSearch) -> WebSearch:
        return search

    def allowed(self, situation: Situation, refinement: Decision) -> Decision:
        step = situation.plan.step
        directive = step.directive if step and step.directive else Directive(verb="click")
        return enforce_forbidden(StepCase(situation, directive), refinement)


def _was_cut(last: ActionRecord, situation: Situation) -> bool:
    """Whether every action of the last chain that began worked, and only its rest is left."""
    if last.step != situation.plan.current or last.purpose != "work" or last.status != "success":
        return False
    return bool(situation.verdict and situation.verdict.reason.endswith(NOT_REACHED))


def run_in_threads(rules: DecisionRules) -> DecisionRules:
    """Run the rules in a thread for large pages or goals, so that they do not block the event loop."""
    return cast("DecisionRules", _Threaded(rules))


class _Threaded:
    """Runs each call of the rules, which never wait, as one piece of work."""

    def __init__(self, rules: DecisionRules) -> None:
        self._rules = rules

    def __getattr__(self, name: str) -> object:
        method = getattr(self._rules, name)

        async def call(*args: object) -> object:
            return await run_long(
                lambda: _result_of(method(*args)), sum(map(_size, args)), INLINE_LIMIT
            )

        return call if iscoroutinefunction(method) else method


def _result_of(asking: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine that never waits."""
    try:
        asking.send(None)
    except StopIteration as end:
        answer: T = end.value
        return answer
    raise RuntimeError("the rules waited for something")


def _size(arg: object) -> int:
    if isinstance(arg, Situation):
        return len(arg.goal) + _size(arg.page)
    if isinstance(arg, Observation):
        return sum(len(node.name) + len(node.group) for node in arg.tree)
    return len(arg) if isinstance(arg, str) else 0
