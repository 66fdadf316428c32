"""The correction strategies, each based on the current page; None if one does not apply.

A submit is repeated only if nothing was sent: the browser saw no reaction, request or change, and
the page is still the same.
"""

from collections.abc import Iterable, Iterator

from app.domain.action import ActionRecord, action
from app.domain.directive import Candidate
from app.domain.page import Node
from app.domain.plan import Decision
from app.domain.reasoner import Situation
from app.grounding import label
from app.page import enclosing_record, is_dismiss_button, split_url
from app.recovery.chain_outcome import NOTHING_ANSWERED
from app.recovery.failed_case import (
    WAITS,
    FailedCase,
    corrective_decision,
    find_limit_error,
    pause_action,
    retry_on,
)
from app.text.lexicon import find_kind, is_risky, speaks_of, words

DISMISS = "dismiss overlay"


def dismiss_overlay(case: FailedCase) -> Decision | None:
    """Only if the control is covered, or is gone while a dialog is open that it was not in."""
    node, group = case.node, case.record.signature[2] if case.record.signature else ""
    fronts = [n for n in case.page.tree if _is_in_front(n, group)]
    reason_words = words(case.reason)
    covered = "cover" in reason_words or "occlude" in reason_words
    if not covered and not (node.occluded if node is not None else fronts):
        return None
    # Those that refuse or close come before those that agree; a cross in a row removes the row.
    candidates = fronts or [n for n in case.page.tree if not n.occluded]
    closers = [
        n for n in candidates if n.enabled and _only_dismisses(n) and enclosing_record(n) is None
    ]
    closers.sort(key=lambda n: speaks_of("submit", n.name))
    steps = [(action("click", close.id), f"Click {close.name}") for close in closers]
    for step in (*steps, (action("pressKey", "Escape"), "Press Escape")):
        if not case.was_tried(step[0]):
            thought = "Something is in front of it"
            return corrective_decision(DISMISS, thought, step, completes=False)
    return None


def _is_in_front(node: Node, group: str) -> bool:
    """Whether it is in a dialog that the control with this `group` is not in."""
    dialogs = [part for part in node.group.split(" > ") if part.startswith("dialog")]
    in_one = any(kind == "dialog" for kind, _ in node.groups) or "modal" in node.states
    return in_one and not any(part in group for part in dialogs)


def _only_dismisses(node: Node) -> bool:
    """Whether it closes or refuses: "Reject all" does, "Cancel order" does more."""
    risky, dismissal = find_kind("risky", node.name), find_kind("dismiss", node.name)
    if not is_dismiss_button(node) or dismissal is None:
        return False
    return risky is None or (dismissal.start() <= risky.start() and dismissal.end() >= risky.end())


_FOUND = 0.6  # of the words of a control's name, in those of the step


def uncover_control(decision: Decision, situation: Situation) -> Decision | None:
    """How to uncover the named control that the step needs, as an attempt of the step."""
    step, at, page = situation.plan.step, situation.plan.current, situation.page
    if decision.outcome != "missing" or decision.maker != "rules" or step is None:
        return None
    if find_limit_error(situation.records, at) is not None:
        return None
    step_stems = label(f"{step.description} {decision.reason}").stems
    step_records = tuple(record for record in situation.records if record.step == at)
    for node in page.tree:
        own = label(node.name).stems
        if node.occluded and own and len(own & step_stems) / len(own) >= _FOUND:
            click = action("click", node.id)
            intended = ActionRecord(action=click, step=at, signature=node.signature)
            case = FailedCase(
                record=intended, page=page, attempts=step_records, reason=decision.reason
            )
            if (way := dismiss_overlay(case)) is not None:
                return way
    return None


def is_dismissal(record: ActionRecord) -> bool:
    if record.action.name == "pressKey":
        return str(record.action.args["key"]).lower() == "escape"
    if record.action.name not in ("click", "clickAt") or record.signature is None:
        return False
    role, name, group = record.signature
    return is_dismiss_button(Node(id="", role=role, name=name, group=group))


_LIKE_THE_FIRST = 0.75  # an alternative's share of the best score; below it is another thing
_VIEW = 800  # CSS px; the height of a usual viewport


def list_strategies(case: FailedCase, alternatives: Iterable[Candidate]) -> Iterator[Decision]:
    """The attempts, best first; each once per step, except for repeatedly lost clicks.

    A cause that the page shows is fixed at once: a redrawn control, an obstacle, a place out of
    sight. Otherwise waiting may help, and then another way.
    """
    causes = (_refind, dismiss_overlay, _into_view)
    makers = (_wait, *causes) if case.may_have_worked else (*causes, _wait)
    for maker in (*makers, _retry, _look_further):
        correction = maker(case)
        if correction is not None:
            yield correction
    yield from _alternative(case, alternatives)


def _wait(case: FailedCase) -> Decision | None:
    earlier_waits, node = case.did("wait"), case.node
    if case.may_have_worked and case.left_no_trace:
        if case.waits:
            return None
    elif earlier_waits:
        return None
    step = pause_action(WAITS[min(earlier_waits, len(WAITS) - 1)])
    if node is None or not node.enabled or case.may_have_worked or not case.record.action.target:
        return corrective_decision("wait", "Wait, and look again", step, completes=False)
    thought = "Wait, and try once more"
    retry = retry_on(case, node)
    return corrective_decision("wait and retry", thought, step, retry, completes=True)


def _retry(case: FailedCase) -> Decision | None:
    """A click without trace, even after a wait, may have been lost while the page started."""
    node = case.node
    if node is None or not node.enabled or not case.may_have_worked:
        return None
    if case.did("click") and not case.left_no_trace:
        return None
    thought = "It left no trace; try once more"
    return corrective_decision("retry", thought, retry_on(case, node), completes=True)


def _refind(case: FailedCase) -> Decision | None:
    node = case.same()
    if node is None or not node.enabled or case.was_tried(retry_on(case, node)[0]):
        return None
    thought = f"The page was drawn anew; '{node.name}' is there under another id"
    return corrective_decision("re-find", thought, retry_on(case, node), completes=True, sure=0.8)


def _into_view(case: FailedCase) -> Decision | None:
    node = case.node
    if node is None or node.center is None or not node.enabled or case.did("scroll"):
        return None
    if 0 <= node.center[1] <= _VIEW:
        return None
    move = action("scroll", "page", "up" if node.center[1] < 0 else "down"), "Scroll the page"
    thought = f"Scroll to '{node.name}' and try once more"
    retry = retry_on(case, node)
    return corrective_decision("scroll into view", thought, move, retry, completes=True)


def _look_further(case: FailedCase) -> Decision | None:
    if case.node is not None or case.did("scroll"):
        return None
    move = action("scroll", "page", "down"), "Scroll the page"
    return corrective_decision("scroll", "Look further on the page", move, completes=False)


def _alternative(case: FailedCase, alternatives: Iterable[Candidate]) -> Iterator[Decision]:
    if not case.record.action.target:
        return
    candidates = tuple(alternatives)
    best = max((candidate.score for candidate in candidates), default=0.0)
    for candidate in candidates:
        node = case.page.tree.get(candidate.id)
        if node is None or not node.enabled or is_risky(node.name):
            continue
        if candidate.score < best * _LIKE_THE_FIRST:
            continue
        retry = retry_on(case, node)
        if node.id != case.record.action.target and not case.was_tried(retry[0]):
            thought, sure = f"'{node.name}' may be meant instead", min(0.7, candidate.score)
            name = "alternative element"
            yield corrective_decision(name, thought, retry, completes=True, sure=sure)
            return


def resubmit(case: FailedCase) -> Decision | None:
    """The submit again; None if that could do it twice."""
    node = case.node
    if node is None or not node.enabled or not _never_sent(case, node):
        return None
    thought = "The click was lost; try once more"
    return corrective_decision("retry", thought, retry_on(case, node), completes=True)


def _never_sent(case: FailedCase, node: Node) -> bool:
    """Whether nothing was sent: no reaction to a native submit button means no submit. Other buttons may
    have sent an unseen request, which gets as long as a slow server may take.
    """
    client = case.page.client
    if case.record.action.name != "click" or not case.left_no_trace:
        return False
    if client.network or client.url_changed:
        return False
    if split_url(case.page.url)[:3] != split_url(case.record.url)[:3]:
        return False
    native = node.input_type == "submit" and any(kind == "form" for kind, _ in node.groups)
    sure = native and case.record.error == NOTHING_ANSWERED
    return case.waits >= (1 if sure else len(WAITS))
