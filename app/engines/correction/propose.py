"""The next thing to try for a step whose last action failed, or an honest end."""

from app.domain.action import action
from app.domain.dialog import DialogSeen
from app.domain.page import Node, Observation
from app.domain.plan import Deed, Proposal, Refinement
from app.engines.correction.case import SHORT_WAIT, WAITS, Case, act
from app.engines.correction.limits import attempts, limit_reached, tried
from app.engines.correction.overlays import DISMISS, only_puts_aside, put_aside
from app.engines.correction.page_question import ANSWER, agreed
from app.engines.correction.strategies import (
    GO_BACK,
    Alternatives,
    resent,
    strategies,
)  # fmt: skip
from app.engines.dialogs import decision, question
from app.engines.gates.missing import asked_after
from app.engines.reasoner import Situation
from app.engines.recovery.second_look import SECOND_LOOK
from app.engines.recovery.turned_away import TURNED_AWAY, nothing_kept
from app.engines.risk.controls import ENTRIES, container, entries
from app.engines.risk.lexicon import words
from app.engines.verification.messages import GOING_ON, is_message, kind_of
from app.engines.verification.verdict import NEVER_BEGAN

_CLEARING = frozenset({DISMISS, GO_BACK})


def propose(
    situation: Situation, reason: str, *, alternatives: Alternatives | None = None
) -> Refinement:
    """What to try instead, after the last action of the current step failed for `reason`.

    Nothing that may have been handed in is handed in again: after a submit of unknown outcome the
    only thing to do is to wait and look. With nothing left, `missing` says what was tried.
    """
    step = situation.plan.current
    here = tuple(deed for deed in situation.deeds if deed.step == step)
    if limit_reached(situation.deeds, step) is not None:
        return _given_up(reason, here)
    failed = _failed(here)
    if failed is None:
        return _nothing_done(situation, reason, here)
    if (asked := question(situation.page)) is not None:
        return _answered(situation, failed, asked) or _given_up(reason, here)
    if failed.status != "success" and (yes := agreed(situation, failed)) is not None:
        return as_far_as(failed, yes)
    if (on := put_aside(situation, failed, here)) is not None:
        return on
    case = Case(deed=failed, page=situation.page, here=here, reason=reason)
    return as_far_as(failed, _next(situation, case, alternatives))


def to_mend(situation: Situation) -> Deed | None:
    """The failed action of the current step that may be put right; None where there is none, or the
    limits are reached, or a question of the page comes first.
    """
    step = situation.plan.current
    if limit_reached(situation.deeds, step) is not None or question(situation.page) is not None:
        return None
    return _failed(tuple(deed for deed in situation.deeds if deed.step == step))


def as_far_as(failed: Deed, found: Refinement) -> Refinement:
    """The correction, which ends the step only where the failed action would have.

    Where the rest of a chain was never begun, the step is not done when one action of it works.
    """
    return found if failed.ends_step else found.model_copy(update={"completes_step": False})


def _next(situation: Situation, case: Case, alternatives: Alternatives | None) -> Refinement:
    if case.is_submit:
        return _after_submit(situation, case)
    if case.reason.startswith(GOING_ON):
        return _waited_for(case) or _given_up(case.reason, case.here)
    return next(strategies(case, alternatives), None) or _given_up(_why(case), case.here)


def _why(case: Case) -> str:
    """Why the action failed; that a wait or a scroll after it did not help is no reason."""
    last = case.here[-1] if case.here else case.deed
    return case.deed.note or case.reason if last.action.name in ("wait", "scroll") else case.reason


def _answered(situation: Situation, failed: Deed, asked: DialogSeen) -> Refinement | None:
    """The action once more, with the question answered, where the person asked for that very thing.

    What was dismissed did not happen, unless the page sent something all the same: then nobody
    knows, and it is not done again.
    """
    decided = decision(asked, situation.plan, on=failed.signature[1] if failed.signature else "")
    if decided is None or situation.page.client.network:
        return None
    again = Proposal(
        action=failed.action, description=failed.description, purpose="correct", dialog=decided
    )
    return Refinement(
        outcome="act",
        thought=f"The page asks “{asked.message}”, which is what was asked for",
        proposals=(again,),
        confidence=0.8,
        strategy=ANSWER,
        source="strategy",
    )


def _waited_for(case: Case) -> Refinement | None:
    """What the page is doing is waited for; doing it again would only start it anew."""
    if case.waits >= len(WAITS):
        return None
    pause = (action("wait", WAITS[case.waits]), "Wait for the page to finish")
    return act("wait", "The page is at work", pause, completes=False)


def _failed(here: tuple[Deed, ...]) -> Deed | None:
    """The action that is to be put right: the last that was neither a wait nor a scroll, and did not
    only put aside what was in its way.
    """
    for deed in reversed(here):
        if deed.purpose == "explore" and only_puts_aside(deed):
            continue
        is_preparing = deed.purpose == "correct" and deed.action.name in ("wait", "scroll")
        is_clearing = deed.purpose == "correct" and (
            deed.status == "success" or deed.strategy in _CLEARING
        )
        if not is_preparing and not is_clearing:
            return deed
    return None


def _nothing_done(situation: Situation, reason: str, here: tuple[Deed, ...]) -> Refinement:
    """What the step needs is not there: let the page finish, then look further down."""
    if attempts(here, situation.plan.current) == 0:
        return act(
            "wait", "What the step needs is not here yet",
            (action("wait", SHORT_WAIT), "Wait for the page"), completes=False,
        )  # fmt: skip
    if not any(d.action.name == "scroll" for d in here):
        return act(
            "scroll", "What the step needs may be further down",
            (action("scroll", "page", "down"), "Scroll the page"), completes=False,
        )  # fmt: skip
    return _given_up(reason, here)


def _after_submit(situation: Situation, case: Case) -> Refinement:
    """A refusal names what is missing; an unknown outcome is waited for; neither is clicked again.

    Only an action the browser could not even begin (its control was gone) is taken again.
    """
    if case.deed.error == TURNED_AWAY and nothing_kept(situation.deeds, case.page):
        return _given_up(case.reason, case.here)  # pressed again it would hand in an empty form
    complaint = _complaint(case.page, case)
    if complaint is not None and complaint[0] is None and (again := resent(case)) is not None:
        return again
    if complaint is not None:
        return asked_after(situation, case.deed, complaint[0]) or _missing(
            _in_words(*complaint), case.here
        )
    if (again := resent(case)) is not None:
        return again
    if case.waits < len(WAITS) and case.deed.status != "failure":
        pause = (action("wait", WAITS[case.waits]), "Wait for the page to answer")
        strategy = "wait" if case.waits else SECOND_LOOK
        return act(strategy, "Wait for the answer, and look once more", pause, completes=False)
    if case.deed.status == "failure" and _never_began(case):
        found = next(strategies(case, None), None)
        if found is not None:
            return found
    if case.deed.status == "failure":
        return _given_up(case.reason, case.here)
    why = f"It cannot be told whether {_quoted(case.deed)} went through"
    return _missing(f"{why}; it is not done again without knowing", case.here)


def _never_began(case: Case) -> bool:
    """Whether the browser says that the control was not there or could not be acted on.

    By its code alone: a reason holds words of the page, or of a model that has read it.
    """
    return case.deed.error in NEVER_BEGAN


def _complaint(page: Observation, case: Case) -> tuple[Node | None, str] | None:
    """The field the page complains about and the complaint, if it does."""
    group = case.deed.signature[2] if case.deed.signature else ""
    probe = Node(id="", role="btn", group=group)
    fields = entries(page, container(probe))
    texts = [n.name for n in page.tree if is_message(n) and kind_of(n.name) == "error"]
    said = next(iter((*page.errors, *texts)), None)
    invalid = [n for n in fields if "invalid" in n.states]
    if invalid:
        return invalid[0], said or f"{_label(invalid[0])} is not accepted"
    named = [
        n for n in fields if said and words(n.name) and f" {words(n.name)} " in f" {words(said)} "
    ]
    if named:
        return named[0], said or ""
    lacking = [n for n in fields if "required" in n.states and _is_empty(n)]
    if lacking and case.deed.status == "failure":  # what went through may have emptied the form
        return lacking[0], said or f"{_label(lacking[0])} is required"
    return (None, said) if said and case.deed.status == "failure" else None


def _in_words(field: Node | None, said: str) -> str:
    """The field and what the page says of it."""
    if field is None or words(_label(field)) in words(said):
        return said
    return f"{_label(field)}: {said}"


def _is_empty(field: Node) -> bool:
    if field.role not in ENTRIES or field.role in ("rad", "range"):
        return False
    return "checked" not in field.states if field.role == "chk" else not field.value


def _label(node: Node) -> str:
    return node.name or node.hint or "A field"


def _quoted(deed: Deed) -> str:
    return f"'{deed.description or deed.action.text}'"


def _missing(reason: str, here: tuple[Deed, ...]) -> Refinement:
    told = tried(here)
    text = reason.rstrip(".")
    return Refinement(outcome="missing", reason=f"{text}. {told}".strip(), completes_step=False)


def _given_up(reason: str, here: tuple[Deed, ...]) -> Refinement:
    return _missing(reason or "The step could not be done", here)
