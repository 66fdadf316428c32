"""What a verified correction teaches: which action failed, and what helped."""

from collections.abc import Iterable, Sequence

from app.domain.action import Action
from app.domain.directive import Instruction
from app.domain.page import MASK
from app.domain.plan import Chain, Deed
from app.domain.skill import FailedState, Lesson, Skill, SuccessfulAction
from app.domain.verdict import Verdict
from app.engines.lessons import ways
from app.engines.lessons.goals import holds, value_free, values
from app.engines.lessons.matching import ref_of
from app.engines.risk.lexicon import speaks_of
from app.engines.verification.snapshot import steady

SURE = 0.7  # confidence of the verdict; DESIGN's own bound for a goal
UNVERIFIED = "VERIFICATION_FAILED"
LONGEST_NAME = 120  # characters; a longer one is a text of the page and no control's name
_VALUES = ("text", "label", "name", "query", "url")
_PREPARES = frozenset({"wait", "scroll", "hover"})
_ENTERS = frozenset({"setValue", "selectOption", "setChecked"})
_PRESSES = frozenset({"click", "clickAt", "pressKey"})
_LEAVES = frozenset({"goBack", "navigate", "openTab", "switchTab", "closeTab"})
_FLEETING = frozenset({"ELEMENT_NOT_FOUND", "FRAME_GONE", "PAGE_GONE", "PAGE_NOT_READY"})
"""Codes of the client that say that the control, or its page, was another by then."""


def learned(
    deeds: Sequence[Deed],
    judged: Chain,
    verdict: Verdict,
    *,
    goal: str,
    instruction: Instruction | None = None,
    skills: Iterable[Skill] = (),
    hidden: Iterable[str] = (),
) -> tuple[Lesson, ...]:
    """What the chain that was `judged` teaches; `deeds` are settled, oldest first.

    Only what put right a failure of the same step is learned, and only when the verdict is sure of
    it. What one of the `skills` proposed is counted as its use instead. Nothing is learned of a
    control whose name shows a value of the person's.
    """
    if not verdict.succeeded or verdict.confidence < SURE:
        return ()
    ids = {planned.action_id for planned in judged.actions}
    chain = [deed for deed in deeds if deed.action_id in ids]
    if not chain or any(deed.skill for deed in chain):
        return ()
    earlier = deeds[: deeds.index(chain[0])]
    failed, between = _failure(earlier, chain[0].step)
    if failed is None or failed.signature is None or any(deed.skill for deed in between):
        return ()
    if any(deed.strategy in ways.NO_LESSON for deed in (*between, *chain)):
        return ()
    helped = _helped(failed, between, chain, judged)
    if helped is None or _was_no_help(helped, failed, skills):
        return ()
    own = values(instruction, deeds, hidden)
    state = _failed_state(failed)
    named = [one.name for one in (state.element, helped.element) if one is not None]
    told = Lesson(
        goal=value_free(goal, own, named=named), failed_state=state, successful_action=helped
    )
    return () if _is_personal(told, own) else (told,)


def _failure(earlier: Sequence[Deed], step: int) -> tuple[Deed | None, list[Deed]]:
    """The step's last own action when it failed, and the corrections since that did not fail."""
    between: list[Deed] = []
    for deed in reversed(earlier):
        if deed.step != step:
            break
        if deed.purpose != "correct":
            return (deed if deed.status in ("failure", "unknown") else None), between[::-1]
        if deed.status != "failure":
            between.append(deed)
    return None, []


def _helped(
    failed: Deed, between: Sequence[Deed], chain: Sequence[Deed], judged: Chain
) -> SuccessfulAction | None:
    """What helped, if that can be told from what was done since.

    A control that answered other means only after a long wait may just have come to life: time is
    what is learned of it. Where time was given beforehand, or more than one may wait, it was the means.
    """
    again = next((at for at, deed in enumerate(chain) if _same(failed, deed)), None)
    if again is not None and (between or judged.purpose == "correct"):
        before = [*between, *chain[:again]]
        done = [deed for deed in before if not _same(failed, deed)]
        return _preparation(failed, done, in_vain=len(before) - len(done))
    acting = [deed for deed in chain if deed.action.name not in _PREPARES]
    if judged.purpose != "correct" or len(acting) != 1:
        return None
    # What does not end the step may only have cleared the way, unless it says that it is the act.
    is_act = judged.completes_step or acting[0].strategy in ways.INSTEAD
    helped = _instead(failed, acting[0]) if is_act else None
    if helped is None or helped.strategy not in ways.OTHER_MEANS:
        return helped
    before = [*between, *(deed for deed in chain if deed is not acting[0])]
    waited = _waited(before)
    slow = ways.AWAKE <= waited <= ways.LONGEST_WAIT
    if failed.status != "unknown" or failed.skill or not slow:
        return helped
    return _time(failed, waited, in_vain=sum(deed.action.name != "wait" for deed in before))


def _same(failed: Deed, deed: Deed) -> bool:
    """Whether it is that action again, on that control."""
    if deed.action.name != failed.action.name or deed.signature is None:
        return False
    assert failed.signature is not None
    (role, name, _), (was, called, _) = deed.signature, failed.signature
    return role == was and steady(name) == steady(called)


def _instead(failed: Deed, deed: Deed) -> SuccessfulAction | None:
    """Another way to do it."""
    if deed.action.name == "clickAt" and failed.action.name == "click":
        assert failed.signature is not None
        return _success(deed, ways.AT_CENTRE, failed.signature)
    if deed.action.name == "pressKey" and failed.action.name == "click":
        assert failed.signature is not None
        return _success(deed, ways.KEYBOARD, failed.signature)
    if deed.signature is None or deed.action.name != failed.action.name:
        return None
    return _success(deed, ways.ALTERNATIVE, deed.signature)


def _preparation(failed: Deed, done: Sequence[Deed], *, in_vain: int) -> SuccessfulAction | None:
    """What was done before the same action worked: what was missing, in front, out of sight, or time."""
    entered = [deed for deed in done if deed.action.name in _ENTERS and deed.signature is not None]
    if entered:
        assert entered[0].signature is not None
        return _success(entered[0], ways.FILL, entered[0].signature)
    if any(deed.action.name in _LEAVES for deed in done):
        return None  # the page was another: what made it work there is not known
    pressed = [deed for deed in done if deed.action.name in _PRESSES]
    if pressed:
        return _way_made(pressed)
    scrolled = next((deed for deed in done if deed.action.name == "scroll"), None)
    if scrolled is not None:
        return _success(scrolled, ways.SCROLL, failed.signature)
    return _time(failed, _waited(done), in_vain=in_vain)


def _waited(done: Iterable[Deed]) -> int:
    return sum(int(deed.action.args["ms"]) for deed in done if deed.action.name == "wait")


def _time(failed: Deed, waited: int, *, in_vain: int) -> SuccessfulAction:
    """All the time that it took: the waits (in ms), and what was tried in vain before and between."""
    tries = in_vain + (failed.status == "unknown")
    pause = min(max(waited + tries * ways.TRY_TIME, ways.SHORT_WAIT), ways.LONGEST_WAIT)
    way = ways.REFIND if failed.error in _FLEETING else ways.WAIT
    element = ref_of(failed.signature) if failed.signature else None
    return SuccessfulAction(
        action=f"wait({pause})",
        element_description=element.text if element else "",
        strategy=way,
        element=element,
    )


def _way_made(pressed: Sequence[Deed]) -> SuccessfulAction | None:
    """What was closed, or the menu that was opened, before the same action worked."""
    for deed in pressed:
        if deed.strategy == ways.OPEN and deed.action.name == "click" and deed.signature:
            return _success(deed, ways.OPEN, deed.signature)
        if _cleared_the_way(deed):
            return _success(deed, ways.DISMISS, deed.signature)
    return None


def _cleared_the_way(deed: Deed) -> bool:
    """Whether it took away what stood in front. Of any other press nobody knows what it was good for."""
    if deed.action.name == "pressKey":
        return str(deed.action.args["key"]).lower() == "escape"
    if deed.signature is None:
        return False
    return deed.strategy == ways.DISMISS or speaks_of("dismiss", deed.signature[1])


def _success(deed: Deed, strategy: str, signature: tuple[str, str, str] | None) -> SuccessfulAction:
    element = ref_of(signature) if signature else None
    return SuccessfulAction(
        action=called(deed.action),
        element_description=element.text if element else "",
        strategy=strategy,
        element=element,
    )


def _failed_state(failed: Deed) -> FailedState:
    assert failed.signature is not None
    element = ref_of(failed.signature)
    return FailedState(
        action=called(failed.action),
        element_description=element.text,
        error_type=failed.error or UNVERIFIED,
        element=element,
    )


def called(action: Action) -> str:
    """The call as it may be kept: without what was typed or chosen."""
    masked = {key: MASK for key in _VALUES if key in action.args}
    return action.model_copy(update={"args": {**action.args, **masked}}).text


def _was_no_help(helped: SuccessfulAction, failed: Deed, skills: Iterable[Skill]) -> bool:
    """Whether that very way was taken beforehand, by a skill, and the action failed all the same."""
    used = next((skill for skill in skills if skill.skill_id == failed.skill), None)
    return used is not None and used.successful_action.strategy in (
        {helped.strategy, ways.WAIT} if helped.strategy == ways.REFIND else {helped.strategy}
    )


def _is_personal(lesson: Lesson, own: frozenset[str]) -> bool:
    """Whether a control goes by a person's value, or by a whole text of the page."""
    named = (lesson.failed_state.element, lesson.successful_action.element)
    return any(
        one is not None and (len(one.name) > LONGEST_NAME or holds(f"{one.name} {one.group}", own))
        for one in named
    )
