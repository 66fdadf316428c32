"""What a person did while they had the page, and whether an action begun then may have happened."""

from collections.abc import Sequence

from app.domain.action import MAY_PRESS, ActionRecord
from app.domain.hitl import Option, Question, UserAction
from app.domain.page import Observation
from app.domain.plan import Plan, PlanStep
from app.domain.verdict import Verdict
from app.page import fingerprint, is_opener, new_messages
from app.plans import has_next_subtask, plain_text
from app.recovery.assessment import Assessment
from app.recovery.contingency import is_aside
from app.recovery.correction.case import FailedCase
from app.recovery.correction.strategies import is_dismissal
from app.recovery.handover import mark_done_by_person, shows_error
from app.recovery.second_look import as_undecided
from app.text.lexicon import does, words
from app.verification import count_rows_naming

HAPPENED, DID_NOT = "yes", "no"
THEIRS = "The person had the page since, and what it shows may be what they did"
_CHANGING = frozenset({"click", "submit", "navigate"})
_SHOWN = 160  # characters of an action in the question
# What is entered, gone to or looked at is the same done twice, and the page shows whether it is so.
_DOING = MAY_PRESS | {"dragTo", "uploadFile"}
_SHOWS = frozenset({"link", "tab", "rad", "opt"})
_MOVES = ("escape", "tab", "home", "end", "page", "arrow")  # how the names of such keys begin


def find_doubtful(
    plan: Plan, deeds: Sequence[ActionRecord], page: Observation
) -> ActionRecord | None:
    """The current step's last action of unknown result that must not be repeated blindly; None if there is
    none.
    """
    return next(
        (deed for deed in reversed(_weighty(plan, deeds, page)) if deed.status == "unknown"), None
    )


def doubt_if_by_person(found: Verdict, look: Assessment, acts: Sequence[UserAction]) -> Verdict:
    """The verdict; unknown if nobody saw the action done and the visible effect may be the person's. A
    page that reports success is believed.
    """
    if not found.succeeded or look.report.status != "unknown":
        return found
    if not any(act.kind in _CHANGING for act in acts):
        return found
    standing, done = look.standing, look.report.executed_index
    begun = {one.action_id for one in standing.judged.actions[(-1 if done is None else done) + 1 :]}
    weighty = _weighty(standing.plan, standing.deeds, look.page)
    if not any(deed.action_id in begun for deed in weighty):
        return found
    if any(one.kind == "success" for one in new_messages(look.before, look.page)):
        return found
    return as_undecided(found, THEIRS)


def _weighty(plan: Plan, deeds: Sequence[ActionRecord], page: Observation) -> list[ActionRecord]:
    """The current step's actions that must not be repeated blindly."""
    if plan.step is None or is_aside(plan.step):
        return []
    return [deed for deed in deeds if deed.step == plan.current and _counts(deed, page)]


def _counts(deed: ActionRecord, page: Observation) -> bool:
    if deed.action.name not in _DOING or deed.purpose == "explore" or is_dismissal(deed):
        return False
    if deed.action.name == "pressKey":
        return not str(deed.action.args["key"]).lower().startswith(_MOVES)
    case = FailedCase(deed=deed, page=page, here=())
    shows = deed.signature is not None and deed.signature[0] in _SHOWS
    return case.is_submit or not (shows or (case.node is not None and is_opener(case.node)))


def follow_person(
    plan: Plan, acts: Sequence[UserAction], before: Observation, after: Observation
) -> Plan | None:
    """The plan if the person did the step after the current one, which implies the current one is done;
    None if they did not.
    """
    following = plan.advanced()
    done = credit_person(following, acts, before, after)
    return None if done is following else done


def outcome_question(deed: ActionRecord) -> Question:
    """The question whether that action happened."""
    what = plain_text(deed.description or deed.action.masked.text, _SHOWN)
    return Question(
        text=f"I had begun “{what}” when you took over, and could not see what came of it. "
        "Did it happen?",
        source="missing_info",
        return_to="step_refinement/continue",
        options=(
            Option(id=HAPPENED, label="Yes, it happened"),
            Option(id=DID_NOT, label="No, it did not"),
        ),
        action_id=deed.action_id,
    )


_PRESSED = frozenset({"click", "open", "close", "check", "uncheck", "submit"})


def credit_person(
    plan: Plan, acts: Sequence[UserAction], before: Observation, after: Observation
) -> Plan:
    """The plan without the steps, from the current one on, that the person did in order.

    A page that complains or is unchanged shows nothing.
    """
    if shows_error(after) or fingerprint(before) == fingerprint(after):
        return plan
    for act in acts:
        step, is_last = plan.step, plan.current >= len(plan.steps) - 1
        if step is None or (is_last and has_next_subtask(plan)):
            break
        if not is_aside(step) and _did(act, step, before, after):
            plan = mark_done_by_person(plan)
    return plan


def _did(act: UserAction, step: PlanStep, before: Observation, after: Observation) -> bool:
    asked, pressed = step.directive, act.kind in ("click", "submit")
    if asked is None or not (pressed or act.kind == "choose"):
        return False
    target = asked.target
    if asked.verb == "delete":
        name = (target.within or target.phrase) if target and not target.all else ""
        gone = (
            bool(name)
            and count_rows_naming(before, name) > 0
            and not count_rows_naming(after, name)
        )
        return pressed and gone and "destroys" in does(act.name)
    if asked.verb == "submit" and act.kind == "submit":
        return True
    named = words(target.phrase) if target else ""
    return asked.verb in _PRESSED and bool(named) and words(act.name) == named
