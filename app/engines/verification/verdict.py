"""What came of the last actions: tier 1, which costs no tokens.

Each action of the chain is judged by its own kind (`readback`, `clicks`, `submits`, `moves`); the
verdict is that of the whole chain. A chain worked when each of its actions did, but for those marked
as allowed to fail; it failed when one did not; else it cannot be told.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from app.domain.action import Action, PlannedAction
from app.domain.directive import Directive, Instruction
from app.domain.page import Observation
from app.domain.plan import GOAL_CONFIDENCE, Chain, Verdict
from app.engines.prediction.check import check, has_goal, texts_unmet
from app.engines.verification import clicks, moves, readback
from app.engines.verification.dialogs import stopped, told_dialogs, with_alerts
from app.engines.verification.difference import Difference, difference
from app.engines.verification.evidence import Evidence, Report, Scene, Status, no, unclear, yes
from app.engines.verification.explain import explain, quote
from app.engines.verification.leaving import left_unsaved

TIER_2_TOKENS = 100  # interact_flow.md, "Tiered Verification": a light model call
TIER_3_TOKENS = 900  # CONTRACT, `tokensSaved` of a last step: the full model with the tree
UNMET_TEXT = 0.9  # what is left of a confidence when a text that was expected is not there
ABSENT_GOAL = 0.5  # DESIGN, "Verification": the most when a required next goal is absent
_BELIEVED = 0.85  # evidence that outweighs a client that says it failed
_UNREPORTED = 0.95  # what is left of a confidence when nobody knows whether it was done

# With these the browser did nothing: what changed meanwhile was not this action's doing.
_NEVER_BEGAN = frozenset(
    {"ELEMENT_NOT_FOUND", "FRAME_GONE", "NOT_INTERACTABLE", "OPTION_NOT_FOUND"}
)

RECORDS = frozenset({"row", "item", "list"})  # groups that stand for a record each

Judge = Callable[[Scene, Action], Evidence]


def _ended(_: Scene, __: Action) -> Evidence:
    return yes(0.9, "Nothing to be done in the page")


_JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "click": clicks.clicked,
        "clickAt": lambda scene, _: clicks.changed(scene),
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
) -> Verdict:
    """Judge what the chain did from the page before and after it.

    `succeeded` is None where the page does not tell; the caller looks again before it repeats
    anything. `step` is what the chain's step was read from.
    `task_completed` needs the last step, done, with evidence of at least 0.70.
    """
    after = with_alerts(after)
    diff = difference(before, after)
    judged = _judge_all(before, after, diff, chain, report)
    found = _combine(judged)
    if not (found.happened and found.confidence >= _BELIEVED):
        found = stopped(after) or found
    if found.happened is not False and _is_other_tab(diff, chain):
        found = unclear(0.5, f"This is another site: {quote(after.url)}")
    if found.happened and (way := left_unsaved(step, before, chain, diff)):
        found = no(0.8, f"{quote(way)} leads away from the form, which was not handed in")
    ends = last_step and completes_step
    if ends and found.happened and (name := still_listed(goal, before, after, diff)):
        found = unclear(0.5, f"{quote(name)} is still there")
    found, notes = _weigh_expected(found, chain, before, after)
    completed = _completes(found, chain, ends, goal, after)
    last = chain.actions[-1].action if chain.actions else None
    return Verdict(
        succeeded=found.happened,
        task_completed=completed,
        confidence=round(found.confidence, 3),
        tier=1,
        tokens_saved=_saved(found, last_step=last_step),
        reason=found.why,
        observations=(*told_dialogs(after), *explain(diff, last), *notes),
    )


def still_listed(
    goal: Instruction | None, before: Observation, after: Observation, diff: Difference
) -> str | None:
    """The record that was to be deleted, while the page goes on listing it and says nothing of it.

    A dialog closes, and a button answers, before the server has done anything.
    """
    asked = goal.directives[-1] if goal and goal.directives else None
    if asked is None or asked.verb != "delete" or asked.target is None or asked.target.all:
        return None
    name = asked.target.within or asked.target.phrase
    left, listed = rows_naming(after, name), rows_naming(before, name)
    if not left or diff.successes or left < listed:
        return None  # a dialog may have covered the list before: then nothing is to be compared
    return name


def rows_naming(page: Observation, name: str) -> int:
    """How many records of the page are named so: a dialog that asks about one is none."""
    named = name.casefold()
    return len(
        {
            node.group
            for node in page.tree
            if named in node.group.casefold() and any(k in RECORDS for k, _ in node.groups)
        }
    )


def _saved(found: Evidence, *, last_step: bool) -> int:
    if found.happened is None:
        return 0
    return TIER_3_TOKENS if last_step else TIER_2_TOKENS


def _judge_all(
    before: Observation, after: Observation, diff: Difference, chain: Chain, report: Report
) -> list[tuple[PlannedAction, Evidence]]:
    judged = []
    memo: dict[str, str] = {}
    for index, planned in enumerate(chain.actions):
        status = _status(index, report)
        if status is None:
            break
        scene = Scene(before=before, after=after, diff=diff, chain=chain, status=status, memo=memo)
        judged.append((planned, _judge(scene, planned, report)))
    return judged


def _status(index: int, report: Report) -> Status | None:
    """What the client says of one action; None for those after the one that stopped the chain.

    A failure without an index may be that of any: each is then judged by what the page shows.
    """
    done = report.executed_index
    if report.status == "success":
        return "success"
    if done is not None and index <= done:
        return "success"
    if report.status == "unknown":
        return "unknown"
    return "failure" if done is None or index == done + 1 else None


def _judge(scene: Scene, planned: PlannedAction, report: Report) -> Evidence:
    judge = _JUDGES.get(planned.action.name, _ended)
    found = judge(scene, planned.action)
    if scene.status == "success":
        silent = report.unanswered and planned is scene.chain.actions[-1]
        return _unanswered(scene, planned, found) if silent else found
    if scene.status == "unknown":
        return Evidence(found.happened, found.confidence * _UNREPORTED, found.why, found.overlooked)
    if found.happened and found.confidence >= _BELIEVED and report.error_code not in _NEVER_BEGAN:
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


def _combine(judged: list[tuple[PlannedAction, Evidence]]) -> Evidence:
    """The evidence of the whole chain.

    A last action that worked (a form taken) makes up for fields that can no longer be read; a last
    one that did not, or of which nothing is known, does not.
    """
    needed = [e for planned, e in judged if not planned.can_fail] or [e for _, e in judged]
    if not needed:
        return unclear(0.5, "Nothing was sent to the browser")
    last = needed[-1]
    if len(needed) > 1 and last.happened:
        needed = [e for e in needed[:-1] if not _is_superseded(e, last)] + [last]
    for happened in (False, None):
        found = [e for e in needed if e.happened is happened]
        if found:
            return found[0] if happened is False else found[-1]
    weakest = min(needed, key=lambda e: e.confidence)
    return yes(weakest.confidence, "; ".join(dict.fromkeys(e.why for e in needed)))


def _is_superseded(earlier: Evidence, last: Evidence) -> bool:
    """Whether what a later action did explains that an earlier one cannot be read any more."""
    return not earlier.happened and (earlier.overlooked or last.confidence >= _TAKEN)


_TAKEN = 0.78  # `submits`: from here on, what was entered was taken and its fields may be empty


def _is_other_tab(diff: Difference, chain: Chain) -> bool:
    """Whether the page is of another site though the client saw no way to it."""
    leads = {
        "click",
        "clickAt",
        "pressKey",
        "navigate",
        "goBack",
        "openTab",
        "switchTab",
        "closeTab",
    }
    if not diff.address.origin:
        return False
    return not any(planned.action.name in leads for planned in chain.actions)


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


__all__ = ["verify"]
