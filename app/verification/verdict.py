"""Tier 1's verdict on the last actions, without a model call.

Each action is judged by its kind (`readback`, `clicks`, `submits`, `effects`); the verdict covers
the whole chain. A chain worked if every action not allowed to fail worked; it failed if one of them
failed; otherwise it is undecided.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from app.domain.action import MAY_PRESS, Action, Chain, ClientReport, PlannedAction
from app.domain.directive import Directive, Instruction
from app.domain.page import Observation
from app.domain.verdict import GOAL_CONFIDENCE, Verdict
from app.page import (
    MOST_SENTENCES,
    NO_CHANGE,
    compare_pages,
    describe_dialog,
    describe_difference,
    describe_download,
    quote,
)
from app.plans import check_expectation, meets_goal
from app.verification import clicks, effects, readback
from app.verification.contradictions import (
    apply_contradictions,
    find_inconsistencies,
    weigh_contradictions,
)
from app.verification.evidence import (
    NO_HISTORY,
    Evidence,
    Scene,
    Status,
    TaskHistory,
    failure,
    success,
    unclear,
)

NOT_REACHED = "was not reached"  # suffix of the reason
_ACCEPTED = 0.75  # confidence of a submit from which cleared fields are accepted
Judged = tuple[PlannedAction, Evidence]


def stop_index(chain: Chain, report: ClientReport) -> int | None:
    """Return the index of the action that stopped the chain; one that may fail stops nothing."""
    executed_index, last = report.executed_index, len(chain.actions) - 1
    if report.status != "failure" or executed_index is None or executed_index >= last:
        return None
    following = range(max(executed_index + 1, 0), last + 1)
    return next((i for i in following if not chain.actions[i].can_fail), None)


def reported_status(index: int, chain: Chain, report: ClientReport) -> Status | None:
    """Return the client's report on one action; None for those after the stop.

    A failure without an index may belong to any action, so the page judges each. A report that
    contradicts its own index is ignored.
    """
    executed_index, last = report.executed_index, len(chain.actions) - 1
    if executed_index is None:
        return report.status
    if index <= executed_index:
        return (
            "unknown"
            if report.status == "failure" and index == executed_index == last
            else "success"
        )
    if report.status != "failure":
        return "unknown"
    stop = stop_index(chain, report)
    if stop is None or index == stop:
        return "failure"
    return "unknown" if index < stop else None


def combine_evidence(judged: list[Judged], chain: Chain) -> Evidence:
    """Combine the evidence of the actions for the whole chain.

    A last action that worked (a submitted form) makes up for fields that can no longer be read; one
    that failed or is undecided does not, nor does a stopped chain.
    """
    needed = [e for planned, e in judged if not planned.can_fail] or [e for _, e in judged]
    if not needed:
        return unclear(0.5, "Nothing was sent to the browser")
    last = needed[-1]
    if len(needed) > 1 and last.happened:
        # Its submit outweighs a field that is gone or empty again.
        accepted = last.confidence >= _ACCEPTED
        needed = [
            e
            for e in needed[:-1]
            if not (e.superseded and accepted if e.happened else e.superseded or accepted)
        ] + [last]
    if failed := [e for e in needed if e.happened is False]:
        return failed[0]
    if left_open := [e for e in needed if e.happened is None]:
        return left_open[-1]
    for planned in chain.actions[len(judged) :]:
        if not planned.can_fail:
            return failure(0.9, explain_not_reached(planned))
    weakest = min(needed, key=lambda e: e.confidence)
    return success(
        weakest.confidence, "; ".join(filter(None, dict.fromkeys(e.reason for e in needed)))
    )


def describe_progress(chain: Chain, report: ClientReport) -> tuple[str, ...]:
    count, stop, executed_index = (
        len(chain.actions),
        stop_index(chain, report),
        report.executed_index,
    )
    if count < 2:
        return ()
    if stop is not None:
        failed = chain.actions[stop]
        return (f"{stop} of {count} actions were done; {_describe_planned(failed)} failed",)
    if executed_index is not None and executed_index + 1 < count:
        return (f"At least {executed_index + 1} of {count} actions were done",)
    return ()


def explain_not_reached(planned: PlannedAction) -> str:
    """Return the reason for a chain that worked until this action, which was never started."""
    return f"{_describe_planned(planned)} {NOT_REACHED}"


def _describe_planned(planned: PlannedAction) -> str:
    return planned.description or planned.action.text


TIER_2_TOKENS = 100  # interact_flow.md, "Tiered Verification": a light model call
TIER_3_TOKENS = 900  # CONTRACT, `tokensSaved` of a last step: the full model with the tree
ABSENT_GOAL = 0.5  # DESIGN, "Verification": the maximum if a required next goal is absent
_FIRST, _NOTES = 3, 2  # maximum of 8 lines for anything but changes
_BELIEVED = 0.85  # confidence that outweighs a failure reported by the client
_OWN_HAND = "The page may take only a person's own hand"  # the page ignores synthetic events
_UNREPORTED = 0.95  # factor if the client did not report whether it was done

# With these errors the browser did nothing, so no change is the action's effect.
NEVER_BEGAN = frozenset(
    {"ELEMENT_NOT_FOUND", "FRAME_GONE", "NOT_INTERACTABLE", "OPTION_NOT_FOUND", "STOPPED"}
)

_MAY_SAVE = MAY_PRESS | {"navigate", "openTab"}

_JUDGES: Mapping[str, Callable[[Scene, Action], Evidence]] = {
    "click": clicks.judge_click,
    "clickAt": lambda scene, _: effects.judge_any_change(scene),
    "doubleClick": clicks.judge_click,
    "rightClick": lambda scene, _: effects.judge_any_change(scene),
    "press": clicks.judge_click,
    "setValue": readback.judge_set_value,
    "selectOption": readback.judge_select_option,
    "setChecked": readback.judge_set_checked,
    "uploadFile": readback.judge_upload,
    "pressKey": effects.judge_key,
    "hover": effects.judge_witnessed,
    "selectText": effects.judge_witnessed,
    "scroll": effects.judge_scroll,
    "dragTo": effects.judge_drag,
    "drag": lambda scene, _: effects.judge_any_change(scene),
    "draw": lambda scene, _: effects.judge_any_change(scene),
    "navigate": effects.judge_navigation,
    "goBack": effects.judge_back,
    "openTab": effects.judge_navigation,
    "switchTab": effects.judge_witnessed,
    "closeTab": effects.judge_witnessed,
    "verifySuccess": effects.judge_shown_text,
}


def verify(
    before: Observation,
    after: Observation,
    chain: Chain,
    report: ClientReport,
    *,
    last_step: bool,
    completes_step: bool,
    goal: Instruction | None = None,
    step: Directive | None = None,
    waited: bool = False,
    history: TaskHistory = NO_HISTORY,
) -> Verdict:
    """Judge the chain by the page before and after it.

    `succeeded` is None if undecided; the caller observes again before repeating anything. `step` is
    the text of the chain's step. `waited`: the page had more time, so that open requests are not
    the chain's. `task_completed` needs the last step done with a confidence of at least 0.70.
    """
    diff, ends = compare_pages(before, after), last_step and completes_step
    scene = Scene(
        before=before, after=after, diff=diff, chain=chain, status=report.status, directive=step,
        goal=goal, ends_goal=ends, history=history,
        has_pending_request=after.client.pending is True and not waited,
    )  # fmt: skip
    judged = _judge_all(scene, report)
    evidence = apply_contradictions(combine_evidence(judged, chain), scene, waited=waited)
    evidence, notes = _apply_expectation(evidence, chain, before, after)
    reached = ends and chain.purpose != "explore" and (goal is None or goal.kind == "operation")
    inconsistencies = find_inconsistencies(after, diff)
    saved = map(describe_download, after.downloads)
    dialogs = map(describe_dialog, after.dialogs)
    first = (*describe_progress(chain, report), *saved, *dialogs, *inconsistencies)
    first, changes = (
        tuple(dict.fromkeys(first))[:_FIRST],
        describe_difference(diff, scene.last_action),
    )
    if after.downloads:  # a download is an effect, though the page is unchanged
        changes = tuple(text for text in changes if text != NO_CHANGE)
    return Verdict(
        succeeded=evidence.happened,
        task_completed=bool(
            reached and evidence.happened and evidence.confidence >= GOAL_CONFIDENCE
        ),
        confidence=round(evidence.confidence, 3),
        tokens_saved=0
        if evidence.happened is None
        else TIER_3_TOKENS
        if last_step
        else TIER_2_TOKENS,
        reason=evidence.reason,
        doubted=evidence.contradicted,
        contradicted=evidence.contradicted or bool(inconsistencies),
        observations=(*first, *changes[: MOST_SENTENCES - len(first) - len(notes)], *notes),
    )


def _judge_all(base: Scene, report: ClientReport) -> list[Judged]:
    judged, last = [], len(base.chain.actions) - 1
    for index, planned in enumerate(base.chain.actions):
        status = reported_status(index, base.chain, report)
        if status is None:
            break
        silent = report.unanswered and index == last
        scene = replace(base, status=status, had_no_reaction=silent)
        judged.append((planned, _judge(scene, planned, report)))
    return judged


def _judge(scene: Scene, planned: PlannedAction, report: ClientReport) -> Evidence:
    judge = _JUDGES.get(planned.action.name)
    evidence = judge(scene, planned.action) if judge is not None else success(0.9, "")
    evidence = weigh_contradictions(evidence, scene, planned.action)
    sure = evidence.happened and evidence.confidence >= _BELIEVED
    if not sure and _has_downloaded(scene, planned.action):
        evidence = success(0.95, describe_download(scene.after.downloads[-1]))
    name, client = planned.description or planned.action.text, scene.after.client
    if scene.status == "success":
        answered = scene.diff.has_changes or client.network or client.mutated or client.url_changed
        if scene.had_no_reaction and evidence.happened is None and not answered:
            return failure(0.75, f"Nothing on the page answered: {name}. {_OWN_HAND}")
        return evidence
    if scene.status == "unknown":
        return replace(evidence, confidence=evidence.confidence * _UNREPORTED)
    if (
        evidence.happened
        and evidence.confidence >= _BELIEVED
        and report.error_code not in NEVER_BEGAN
    ):
        return success(0.8, f"{evidence.reason}, though the browser reported a failure")
    error = report.error_message or (report.error_code or "").replace("_", " ").lower()
    return failure(0.95, f"{name} failed: {error or 'no reason given'}")


def _has_downloaded(scene: Scene, action: Action) -> bool:
    """Whether a download came from this action, the last of the chain that may start one."""
    if not scene.after.downloads or scene.diff.errors:
        return False
    able = [one.action for one in scene.chain.actions if one.action.name in _MAY_SAVE]
    return bool(able) and able[-1] is action


def _apply_expectation(
    evidence: Evidence, chain: Chain, before: Observation, after: Observation
) -> tuple[Evidence, tuple[str, ...]]:
    """Cap the confidence if a required next goal is absent; a missing expected text is only reported."""
    goal = chain.expected.next_goal
    _, unmet = check_expectation(chain.expected, after, before)
    notes = tuple(f"Expected, but not so: {text}" for text in unmet[:_NOTES])
    if goal is None or meets_goal(goal, after) or not goal.required:
        return evidence, notes
    why = f"{evidence.reason}; but what the next step needs is not there: {quote(goal.description)}"
    return replace(evidence, confidence=min(evidence.confidence, ABSENT_GOAL), reason=why), notes
