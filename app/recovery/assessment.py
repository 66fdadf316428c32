"""The assessment of a page after a chain: tier 1's verdict, whether to ask a model, and the combined
verdict.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from app.domain.action import ActionRecord, Chain, ClientReport
from app.domain.directive import Instruction
from app.domain.page import MASK, Observation
from app.domain.plan import Plan
from app.domain.reasoner import Transition
from app.domain.verdict import ModelOpinion, Verdict
from app.page import ENTRIES, compare_pages, is_shown, split_url, unpack
from app.plans import SURE, has_next_subtask, may_submit
from app.recovery.chain_outcome import (
    as_undecided,
    is_whole,
    needs_second_look,
    normalize_report,
    withhold_early_failure,
)
from app.recovery.failed_case import find_new_page_question
from app.skills import check_ending
from app.verification import (
    EnteredValue,
    Stake,
    TaskHistory,
    find_opinion_limits,
    required_tier,
    tokens_saved,
    verify,
    weigh_opinion,
)

_FILLS = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainContext:
    """What a run knows when the browser answers, as in `AgentState`; `last` is the last verdict."""

    goal: str
    instruction: Instruction | None
    plan: Plan
    chain: Chain
    judged: Chain
    before: bytes
    report: ClientReport | None
    records: tuple[ActionRecord, ...]
    simple: bool = False
    last: Verdict | None = None

    @property
    def waited(self) -> bool:
        """Whether the sent chain only waited for the effect of the judged one."""
        return self.chain is not self.judged and self.chain != self.judged

    @property
    def stake(self) -> Stake:
        """What depends on the verdict.

        A one-step goal counts as plain whoever planned it; the end of a recipe was checked when it
        was recorded.
        """
        plan, instruction = self.plan, self.instruction
        ends = plan.current >= len(plan.steps) - 1 and self.judged.completes_step
        asks = (
            instruction is not None
            and instruction.kind == "question"
            and not has_next_subtask(plan)
        )
        return Stake(
            ends=ends and not asks and self.judged.purpose != "explore",
            large=bool(plan.subtasks) or (not self.simple and len(plan.steps) > 1),
            by_model=plan.maker == "model" and not has_next_subtask(plan),
            recorded=plan.maker == "recipe",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """Tier 1's verdict (`found`); `report` is the client's report on the judged chain."""

    context: ChainContext
    before: Observation
    page: Observation
    report: ClientReport
    found: Verdict

    def model_question(self, *, has_model: bool) -> Transition | None:
        """What to ask a model, once per state of the page; None if the verdict is settled."""
        context = self.context
        if not has_model or self._earlier_verdict is not None or needs_second_look(self.found):
            return None
        tier = required_tier(
            self.found,
            context.stake,
            context.judged,
            self.page,
            waited=context.waited,
            sets_other_field=self._sets_other_field,
        )
        if tier is None:
            return None
        return Transition(
            before=self.before,
            chain=context.judged,
            found=self.found,
            tier=tier,
            last_step=context.stake.ends,
        )

    @property
    def _sets_other_field(self) -> bool:
        """Whether a chain that ends with an entry also set a field it did not target."""
        actions = self.context.judged.actions
        if not actions or actions[-1].action.name not in _FILLS:
            return False
        targets = {planned.action.target for planned in actions}
        return any(
            change.before.role in ENTRIES
            and change.before.id not in targets
            and ("value" in change.kinds or "checked" in change.gained)
            for change in compare_pages(self.before, self.page).changed
        )

    @property
    def changes_page(self) -> bool:
        """Whether the chain submitted something or led to another page."""
        actions = self.context.judged.actions
        sent = bool(actions) and may_submit(actions[-1].action, self.before)
        return sent or split_url(self.before.url)[:3] != split_url(self.page.url)[:3]

    def verdict(self, opinion: ModelOpinion | None = None) -> Verdict:
        context = self.context
        if opinion is None:
            return self._earlier_verdict or self.found.model_copy(
                update={"tokens_saved": tokens_saved(self.found, context.stake)}
            )
        limits = find_opinion_limits(
            self.found,
            self.before,
            self.page,
            context.judged,
            checkable_goal(context),
            context.stake,
        )
        if opinion.completed and not is_shown(opinion.quote, self.page, before=self.before):
            opinion = opinion.model_copy(update={"completed": None})
        return weigh_opinion(self.found, opinion, context.stake, limits)

    @property
    def _earlier_verdict(self) -> Verdict | None:
        """A model's verdict on the same page, if the chain since only waited."""
        last = self.context.last
        if last is None or last.tier == 1 or not self.context.waited:
            return None
        is_same_observation = last.observations == self.found.observations
        return last if is_same_observation and self.found.succeeded is not False else None


def assess_chain(context: ChainContext, page: Observation, report: ClientReport) -> Assessment:
    """Verifies the judged chain by tier 1 on the current page.

    An incomplete chain completes no step; a failed submit is checked twice.
    """
    waited = context.waited
    report = normalize_report(context.report or report if waited else report, context.judged)
    old_page, plan = unpack(context.before), context.plan
    if not is_whole(context.judged, report):
        context = _cut_short(context)
    verdict = verify(
        old_page,
        page,
        context.judged,
        report,
        last_step=plan.current >= len(plan.steps) - 1,
        completes_step=context.judged.completes_step,
        goal=checkable_goal(context),
        step=plan.step.directive if plan.step is not None else None,
        waited=waited,
        history=_task_history(context),
    )
    verdict = check_ending(verdict, plan, page)
    verdict = withhold_early_failure(
        verdict, context.judged, old_page, page, report, context.records, waited=waited
    )
    verdict = _unanswered(verdict, context.judged, old_page, page)
    return Assessment(context=context, before=old_page, page=page, report=report, found=verdict)


def _unanswered(
    verdict: Verdict, judged: Chain, old_page: Observation, page: Observation
) -> Verdict:
    """Undecided if the page first asks whether to submit."""
    last = judged.actions[-1].action if judged.actions else None
    if not verdict.succeeded or last is None or not may_submit(last, old_page):
        return verdict
    question = find_new_page_question(page, old_page, old_page.tree.get(last.target or ""))
    if question is None:
        return verdict
    return as_undecided(verdict, f"The page asks: {question}")


def _task_history(context: ChainContext) -> TaskHistory:
    filled = (d for d in context.records if d.action.name in _FILLS and d.status == "success")
    return TaskHistory(
        filled=frozenset(record.signature for record in filled if record.signature is not None),
        entered=tuple(_entered(context.records)),
    )


def _entered(records: tuple[ActionRecord, ...]) -> Iterator[EnteredValue]:
    """The last value of each field, and its value before the first entry."""
    first = {
        record.signature: record.previous_value for record in reversed(records) if _enters(record)
    }
    last = {record.signature: record for record in records if _enters(record)}
    for signature, record in last.items():
        value = record.action.args.get("text", record.action.args.get("label"))
        if signature is not None and isinstance(value, str) and value != MASK:
            yield EnteredValue(signature=signature, value=value, old_value=first[signature])


def _enters(record: ActionRecord) -> bool:
    return record.action.name in ("setValue", "selectOption") and record.status != "failure"


def _cut_short(context: ChainContext) -> ChainContext:
    judged = context.judged.model_copy(update={"completes_step": False})
    chain = context.chain if context.waited else judged
    return replace(context, chain=chain, judged=judged)


def checkable_goal(context: ChainContext) -> Instruction | None:
    """The goal as read by the rules, if the page can be checked against it.

    Not for uncertain readings, which would fail good work; not for questions; not for a sub-task
    before others, which does not do what the whole goal ends with.
    """
    instruction = context.instruction
    if instruction is None or has_next_subtask(context.plan):
        return None
    return (
        instruction if instruction.confidence >= SURE or instruction.kind != "operation" else None
    )
