"""What came of the last actions: tier 1, which costs no tokens.

Each action of the chain is judged by its own kind (`readback`, `clicks`, `submits`, `moves`); the
verdict is that of the whole chain (`chains`). A chain worked when each of its actions did, but for
those marked as allowed to fail; it failed when one did not; else it cannot be told.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from app.domain.action import Action, PlannedAction
from app.domain.directive import Directive, Instruction
from app.domain.page import Observation
from app.domain.plan import Chain
from app.domain.verdict import GOAL_CONFIDENCE, Verdict
from app.engines.prediction.check import check, has_goal, texts_unmet
from app.engines.verification import clicks, effects, moves, readback
from app.engines.verification.beginning import begun_again
from app.engines.verification.chains import Judged, combined, status_of, told_chain
from app.engines.verification.deletions import still_listed, undeleted
from app.engines.verification.dialogs import stopped, told_dialogs, with_alerts
from app.engines.verification.difference import difference
from app.engines.verification.doubts import (
    at_odds,
    doubted,
    left_unsaved,
    not_kept,
    with_complaint,
    with_pending,
)
from app.engines.verification.evidence import (
    NOTHING_PAST,
    Evidence,
    Past,
    Report,
    Scene,
    no,
    unclear,
    yes,
)
from app.engines.verification.explain import MOST, explain, quote
from app.engines.verification.records import another_named

TIER_2_TOKENS = 100  # interact_flow.md, "Tiered Verification": a light model call
TIER_3_TOKENS = 900  # CONTRACT, `tokensSaved` of a last step: the full model with the tree
UNMET_TEXT = 0.9  # what is left of a confidence when a text that was expected is not there
ABSENT_GOAL = 0.5  # DESIGN, "Verification": the most when a required next goal is absent
_FIRST, _NOTES = 3, 2  # lines of the 8 that what is not a change may take
_BELIEVED = 0.85  # evidence that outweighs a client that says it failed
_UNREPORTED = 0.95  # what is left of a confidence when nobody knows whether it was done

# With these the browser did nothing: what changed meanwhile was not this action's doing.
NEVER_BEGAN = frozenset(
    {"ELEMENT_NOT_FOUND", "FRAME_GONE", "NOT_INTERACTABLE", "OPTION_NOT_FOUND", "STOPPED"}
)

Judge = Callable[[Scene, Action], Evidence]


def _ended(_: Scene, __: Action) -> Evidence:
    return yes(0.9, "Nothing to be done in the page")


_JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "click": clicks.clicked,
        "clickAt": lambda scene, _: effects.changed(scene),
        "setValue": readback.set_value,
        "selectOption": readback.select_option,
        "setChecked": readback.set_checked,
        "uploadFile": readback.upload_file,
        "pressKey": moves.key_pressed,
        "hover": moves.hovered,
        "scroll": moves.scrolled,
        "dragTo": moves.dragged,
        "navigate": moves.went,
        "goBack": moves.went_back,
        "openTab": moves.went,
        "switchTab": moves.tab_switched,
        "closeTab": moves.tab_switched,
        "wait": moves.waited,
        "verifySuccess": moves.shown,
    }
)


def verify(
    before: Observation,
    after: Observation,
    chain: Chain,
    report: Report,
    *,
    last_step: bool,
    completes_step: bool,
    goal: Instruction | None = None,
    step: Directive | None = None,
    waited: bool = False,
    past: Past = NOTHING_PAST,
) -> Verdict:
    """Judge what the chain did from the page before and after it.

    `succeeded` is None where the page does not tell; the caller looks again before it repeats
    anything. `step` is what the chain's step was read from; `waited`: the page had more time since,
    so that a request that has no answer yet is none of the chain's.
    `task_completed` needs the last step, done, with evidence of at least 0.70.
    """
    after = with_alerts(after)
    diff = difference(before, after)
    scene = Scene(
        before=before, after=after, diff=diff, chain=chain, status=report.status, asked=step,
        pending=after.client.pending is True and not waited,
    )  # fmt: skip
    judged = _judge_all(scene, report)
    found = combined(judged, chain)
    if not (found.happened and found.confidence >= _BELIEVED):
        found = stopped(after) or found
    ends = last_step and completes_step
    found = begun_again(found, scene, past, ends=ends)
    found = doubted(found, before, after, diff, chain, waited=waited)
    if found.happened and (way := left_unsaved(step, before, chain, diff)):
        found = no(0.8, f"{quote(way)} leads away from the form, which was not handed in")
    if found.happened and (why := not_kept(scene, past)):
        found = unclear(0.5, f"{found.why}; but {why[0].lower()}{why[1:]}", against=True)
    if found.happened and (name := another_named(scene)):
        found = unclear(0.5, f"{found.why}; but {quote(name)} is another one", against=True)
    if ends and found.happened and (name := still_listed(goal, before, after, diff)):
        found = unclear(0.5, f"{quote(name)} is still there", against=True)
    if ends and found.happened and (why := undeleted(goal, scene)):
        found = unclear(0.5, why, against=True)
    found, notes = _weigh_expected(found, chain, before, after)
    completed = _completes(found, chain, ends, goal, after)
    last = chain.actions[-1].action if chain.actions else None
    odds = at_odds(after, diff)
    return Verdict(
        succeeded=found.happened,
        task_completed=completed,
        confidence=round(found.confidence, 3),
        tier=1,
        tokens_saved=_saved(found, last_step=last_step),
        reason=found.why,
        doubted=found.against,
        contradicted=found.against or bool(odds),
        observations=_told(
            (*told_chain(judged, chain, report), *told_dialogs(after), *odds),
            explain(diff, last, before),
            notes,
        ),
    )


def _told(
    first: tuple[str, ...], changes: tuple[str, ...], notes: tuple[str, ...]
) -> tuple[str, ...]:
    """At most 8 lines: what contradicts or stopped the chain, what changed, what was not met."""
    first, notes = first[:_FIRST], notes[:_NOTES]
    return (*first, *changes[: MOST - len(first) - len(notes)], *notes)


def _saved(found: Evidence, *, last_step: bool) -> int:
    if found.happened is None:
        return 0
    return TIER_3_TOKENS if last_step else TIER_2_TOKENS


def _judge_all(base: Scene, report: Report) -> list[Judged]:
    judged = []
    last = len(base.chain.actions) - 1
    for index, planned in enumerate(base.chain.actions):
        status = status_of(index, base.chain, report)
        if status is None:
            break
        silent = report.unanswered and index == last
        scene = replace(base, status=status, unanswered=silent)
        judged.append((planned, _judge(scene, planned, report)))
    return judged


def _judge(scene: Scene, planned: PlannedAction, report: Report) -> Evidence:
    judge = _JUDGES.get(planned.action.name, _ended)
    found = with_complaint(judge(scene, planned.action), scene, planned.action)
    found = with_pending(found, scene, planned.action)
    if scene.status == "success":
        return _unanswered(scene, planned, found) if scene.unanswered else found
    if scene.status == "unknown":
        return replace(found, confidence=found.confidence * _UNREPORTED)
    if found.happened and found.confidence >= _BELIEVED and report.error_code not in NEVER_BEGAN:
        return yes(0.8, f"{found.why}, though the browser reported a failure")
    said = report.error_message or (report.error_code or "").replace("_", " ").lower()
    return no(
        0.95, f"{planned.description or planned.action.text} failed: {said or 'no reason given'}"
    )


def _unanswered(scene: Scene, planned: PlannedAction, found: Evidence) -> Evidence:
    """Of a click that nothing answered at once: later the page may have, or sent something."""
    client = scene.after.client
    answered = scene.diff.any or client.network or client.mutated or client.url_changed
    if found.happened is not None or answered:
        return found
    return no(0.75, f"Nothing answered: {planned.description or planned.action.text}")


def _weigh_expected(
    found: Evidence, chain: Chain, before: Observation, after: Observation
) -> tuple[Evidence, tuple[str, ...]]:
    """Cap the confidence where a required next goal is absent; tell what else was not met.

    A text that was expected and is not there is a guess that was wrong, and no failure: it never
    takes the confidence below what completes a task.
    """
    goal = chain.expected.next_goal
    _, unmet = check(chain.expected, after, before)
    notes = tuple(f"Expected, but not so: {text}" for text in unmet)
    if found.happened and texts_unmet(chain.expected, after):
        least = min(found.confidence, GOAL_CONFIDENCE)
        left = max(least, found.confidence * UNMET_TEXT)
        found = Evidence(found.happened, left, found.why, found.overlooked)
    if goal is None or has_goal(goal, after) or not goal.required:
        return found, notes
    why = f"{found.why}; but {quote(goal.description)} is not possible yet"
    return Evidence(found.happened, min(found.confidence, ABSENT_GOAL), why), notes


def _completes(
    found: Evidence, chain: Chain, is_last: bool, goal: Instruction | None, after: Observation
) -> bool:
    """Whether the task is done: the last step, done, surely enough, and what was asked for holds."""
    if not is_last or not found.happened or found.confidence < GOAL_CONFIDENCE:
        return False
    if chain.purpose == "explore":
        return False
    return goal is None or goal.kind == "operation"


__all__ = ["still_listed", "verify"]
