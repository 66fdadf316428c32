"""What happens to a plan on a changed page, and the end at an unrequested sign-in page.

Rules change no plan: if the next step is impossible, its decision says so. A model is told of the
change in its next call, and the steps it keeps are its decision.
"""

from collections.abc import Sequence
from dataclasses import replace

from app.domain.page import Node, Observation
from app.domain.plan import Decision, Outcome, Plan, PlanStep
from app.domain.reasoner import Reasoner, Situation
from app.domain.verdict import RePlan
from app.page import REPLAN_BELOW, enclosing_form, fields_in, fingerprint, split_url
from app.plans import SURE, replace_remaining
from app.recovery.chain_outcome import RE_PLAN
from app.recovery.contingency import is_aside
from app.recovery.correction.case import FailedCase, begin_changed_plan
from app.text.lexicon import speaks_of


def replan_rest(situation: Situation, read: Plan) -> Plan | None:
    """The plan's remaining steps as `read` now; None if they are the same or finished steps are unclear.

    After a submit nothing is replanned, since it may be part of any step. Once per step.
    """
    plan, asked = situation.plan, read.instruction
    if asked is None or asked.kind != "operation" or asked.confidence < SURE:
        return None
    for deed in situation.deeds:
        if deed.strategy == RE_PLAN and deed.step == plan.current:
            return None
        case = FailedCase(deed=deed, page=situation.page, here=())
        if deed.status != "failure" and case.is_submit:
            return None
    done = [step.directive for step in plan.steps[: plan.current] if step.directive is not None]
    left = [step for step in read.steps if step.directive not in done]
    lines = [step.description for step in plan.steps[plan.current :]]
    if not left or [step.description for step in left] == lines:
        return None
    steps = tuple(
        step.model_copy(update={"status": "pending" if at else "current"})
        for at, step in enumerate(left)
    )
    return read.model_copy(update={"steps": steps, "current": 0})


def begin_replanned(found: Decision, plan: Plan) -> Decision | None:
    """The first decision of the new plan, as a correction; None if it cannot begin."""
    if found.outcome != "act":
        return None
    thought = "That way does not lead on; from here it goes another way"
    return begin_changed_plan(found, plan, RE_PLAN, thought)


MOST_PAGES = 50  # fingerprints that are remembered: as many as one task may take steps


def detect_page_change(before: Observation, after: Observation, likeness: float) -> RePlan | None:
    """Why the plan must be reconsidered; None if it need not be.

    The reason has no words of the page, since a model reads it outside the fence.
    """
    if _path(before) != _path(after):
        why = "The address is another"
    elif likeness < REPLAN_BELOW:
        why = "Much of the page is another"
    else:
        return None
    return RePlan(decision="continue", reason=why, similarity=likeness)


def _path(page: Observation) -> tuple[str, str, str]:
    """Origin, path and routing fragment."""
    origin, path, _, fragment = split_url(page.url)
    routes = fragment[:1] in ("/", "!")
    return origin, path, fragment.partition("?")[0] if routes else ""


def remember_page(page: Observation, known: Sequence[str]) -> list[str] | None:
    """The pages for which the plan was reconsidered, with this one added; None if it is one of them."""
    seen = fingerprint(page)
    return None if seen in known else [*known, seen][-MOST_PAGES:]


MOST_ENTRIES = 4  # name, password, "remember me", organisation; more is a form of another kind


async def sign_out_outcome(
    situation: Situation, before: Observation, reasoner: Reasoner
) -> Outcome | None:
    """The outcome at an unrequested sign-in form, unless the plan can continue beside it."""
    if asks_to_sign_in(before) or not is_signed_out(situation):
        return None
    found = await reasoner.refine(replace(situation, rules_only=True))
    explores = any(one.purpose == "explore" for one in found.proposals)
    goes_on = found.outcome == "act" and found.confidence >= SURE and not explores
    return None if goes_on else signed_out_outcome(situation)


def is_signed_out(situation: Situation) -> bool:
    """Whether the page asks to sign in though that was not requested."""
    if situation.plan.step is None or not asks_to_sign_in(situation.page):
        return False
    steps = situation.plan.steps[situation.plan.current :]
    if any(step.directive is not None and step.directive.verb == "login" for step in steps):
        return False
    return not speaks_of("sign_in", f"{situation.told} {situation.plan.step.description}")


def asks_to_sign_in(page: Observation) -> bool:
    """Whether it has an empty password field in a small sign-in form."""
    return any(_is_sign_in(node, page) for node in page.tree if node.input_type == "password")


def _is_sign_in(field: Node, page: Observation) -> bool:
    place = enclosing_form(field)
    beside = fields_in(page, place)
    if field.value or not field.enabled or len(beside) > MOST_ENTRIES:
        return False
    if sum(node.input_type == "password" for node in beside) != 1:
        return False  # two are a new password, and its repetition
    said = [node.name for node in page.tree if node.role == "btn" and enclosing_form(node) == place]
    return any(speaks_of("sign_in", text) for text in (*said, place or "", page.title))


def signed_out_outcome(situation: Situation) -> Outcome:
    """The outcome at a sign-in page: only the person can continue."""
    step = situation.plan.step
    name = situation.page.title.strip() or situation.page.url
    left = f" with: {step.description}" if step else ""
    message = f"You are signed out: the page asks to sign in ({name}). Sign in, then go on{left}."
    return Outcome(status="failed", message=message, hand_over="Sign in on this page")


def apply_model_plan(seen: RePlan, plan: Plan, refinement: Decision) -> RePlan:
    """A model's changes to the plan after it was told of the change.

    Some kept steps are a change, none a new plan; without new steps, or with the same, the plan
    continues.
    """
    if refinement.maker != "model" or refinement.plan is None:
        return seen
    kept, rest = _lines(plan), _lines(replace_remaining(plan, refinement.plan))
    if kept == rest:
        return seen
    same = set(kept) & set(rest)
    told = "some of the steps were kept" if same else "all that is left was planned anew"
    decision = "modify" if same else "regenerate"
    return seen.model_copy(update={"decision": decision, "reason": f"{seen.reason}: {told}"})


def _lines(plan: Plan) -> list[str]:
    left: list[PlanStep] = [step for step in plan.steps[plan.current :] if not is_aside(step)]
    return [" ".join(step.description.casefold().split()).rstrip(".") for step in left]
