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
        plan, read = self.plan, self.instruction
        ends = plan.current >= len(plan.steps) - 1 and self.judged.completes_step
        asks = read is not None and read.kind == "question" and not has_next_subtask(plan)
        return Stake(
            ends=ends and not asks and self.judged.purpose != "explore",
            large=bool(plan.subtasks) or (not self.simple and len(plan.steps) > 1),
            by_model=plan.maker == "model" and not has_next_subtask(plan),
            recorded=plan.maker == "recipe",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """Tier 1's verdict (`found`); `report` is the client's report on the judged chain."""

    standing: ChainContext
    before: Observation
    page: Observation
    report: ClientReport
    found: Verdict

    def question(self, *, modelled: bool) -> Transition | None:
        """The tier to ask if the verdict is open; a model is asked once per state of the page."""
        standing = self.standing
        if not modelled or self._as_before is not None or needs_second_look(self.found):
            return None
        tier = required_tier(
            self.found,
            standing.stake,
            standing.judged,
            self.page,
            waited=standing.waited,
            beside=self._sets_more,
        )
        if tier is None:
            return None
        return Transition(
            before=self.before,
            chain=standing.judged,
            found=self.found,
            tier=tier,
            last_step=standing.stake.ends,
        )

    @property
    def _sets_more(self) -> bool:
        """Whether a chain that ends with an entry also set a field it did not target."""
        actions = self.standing.judged.actions
        if not actions or actions[-1].action.name not in _FILLS:
            return False
        own = {planned.action.target for planned in actions}
        return any(
            change.before.role in ENTRIES
            and change.before.id not in own
            and ("value" in change.kinds or "checked" in change.gained)
            for change in compare_pages(self.before, self.page).changed
        )

    @property
    def moves_on(self) -> bool:
        actions = self.standing.judged.actions
        sent = bool(actions) and may_submit(actions[-1].action, self.before)
        return sent or split_url(self.before.url)[:3] != split_url(self.page.url)[:3]

    def verdict(self, opinion: ModelOpinion | None = None) -> Verdict:
        standing = self.standing
        if opinion is None:
            told = self._as_before
            return told or self.found.model_copy(
                update={"tokens_saved": tokens_saved(self.found, standing.stake)}
            )
        held = find_opinion_limits(
            self.found,
            self.before,
            self.page,
            standing.judged,
            checkable_goal(standing),
            standing.stake,
        )
        if opinion.completed and not is_shown(opinion.quote, self.page, before=self.before):
            opinion = opinion.model_copy(update={"completed": None})
        return weigh_opinion(self.found, opinion, standing.stake, held)

    @property
    def _as_before(self) -> Verdict | None:
        """A model's verdict on the same page, if the chain since only waited."""
        last = self.standing.last
        if last is None or last.tier == 1 or not self.standing.waited:
            return None
        same = last.observations == self.found.observations
        return last if same and self.found.succeeded is not False else None


def assess_chain(standing: ChainContext, page: Observation, report: ClientReport) -> Assessment:
    """Verifies the judged chain by tier 1 on the current page.

    An incomplete chain completes no step; a failed submit is looked at twice.
    """
    waited = standing.waited
    report = normalize_report(standing.report or report if waited else report, standing.judged)
    before, plan = unpack(standing.before), standing.plan
    if not is_whole(standing.judged, report):
        standing = _cut_short(standing)
    found = verify(
        before,
        page,
        standing.judged,
        report,
        last_step=plan.current >= len(plan.steps) - 1,
        completes_step=standing.judged.completes_step,
        goal=checkable_goal(standing),
        step=plan.step.directive if plan.step is not None else None,
        waited=waited,
        history=_task_history(standing),
    )
    found = check_ending(found, plan, page)
    found = withhold_early_failure(
        found, standing.judged, before, page, report, standing.records, waited=waited
    )
    found = _unanswered(found, standing.judged, before, page)
    return Assessment(standing=standing, before=before, page=page, report=report, found=found)


def _unanswered(found: Verdict, judged: Chain, before: Observation, page: Observation) -> Verdict:
    """Undecided if the page first asks whether to submit."""
    last = judged.actions[-1].action if judged.actions else None
    if not found.succeeded or last is None or not may_submit(last, before):
        return found
    asked = find_new_page_question(page, before, before.tree.get(last.target or ""))
    if asked is None:
        return found
    return as_undecided(found, f"The page asks: {asked}")


def _task_history(standing: ChainContext) -> TaskHistory:
    filled = (d for d in standing.records if d.action.name in _FILLS and d.status == "success")
    return TaskHistory(
        filled=frozenset(record.signature for record in filled if record.signature is not None),
        entered=tuple(_entered(standing.records)),
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


def _cut_short(standing: ChainContext) -> ChainContext:
    judged = standing.judged.model_copy(update={"completes_step": False})
    chain = standing.chain if standing.waited else judged
    return replace(standing, chain=chain, judged=judged)


def checkable_goal(standing: ChainContext) -> Instruction | None:
    """The goal as read by the rules, if the page can be checked against it.

    Not for uncertain readings, which would fail good work; not for questions; not for a sub-task
    before others, which does not do what the whole goal ends with.
    """
    read = standing.instruction
    if read is None or has_next_subtask(standing.plan):
        return None
    return read if read.confidence >= SURE or read.kind != "operation" else None
