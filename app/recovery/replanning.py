"""What becomes of the plan on a page that is another, and the end at a sign-in page nobody asked for.

Rules change no plan: where the next step cannot be done from here, its refinement says so. A model is told
that the page is another in the call that is made anyway, and what its steps keep of the plan is the decision.
"""

from collections.abc import Sequence
from dataclasses import replace

from app.domain.page import Node, Observation
from app.domain.plan import Decision, Outcome, Plan, PlanStep
from app.domain.reasoner import Reasoner, Situation
from app.domain.verdict import RePlan
from app.page.controls import enclosing_form, fields_in
from app.page.snapshot import REPLAN_BELOW, fingerprint, split_url
from app.planning.complexity import SURE
from app.planning.hierarchy import replace_remaining
from app.recovery.chain_outcome import RE_PLAN
from app.recovery.contingency import is_aside
from app.recovery.correction.case import FailedCase, begin_changed_plan
from app.text.lexicon import speaks_of


def replan_rest(situation: Situation, read: Plan) -> Plan | None:
    """The steps still to do of the plan as it was `read` now; None where they are the same, or where
    it cannot be told what is done already.

    What was handed in may be part of any step: then nothing is planned anew. Once a step.
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
    """The first thing to do of a plan made anew, as a correction; None where it cannot be begun."""
    if found.outcome != "act":
        return None
    thought = "That way does not lead on; from here it goes another way"
    return begin_changed_plan(found, plan, RE_PLAN, thought)


MOST_PAGES = 50  # fingerprints that are remembered: as many as one task may take steps


def detect_page_change(before: Observation, after: Observation, likeness: float) -> RePlan | None:
    """Why the plan is to be held against the page, to be decided on; None where it is not.

    The reason holds no word of the page: a model reads it outside of the fence.
    """
    if _path(before) != _path(after):
        why = "The address is another"
    elif likeness < REPLAN_BELOW:
        why = "Much of the page is another"
    else:
        return None
    return RePlan(decision="continue", reason=why, similarity=likeness)


def _path(page: Observation) -> tuple[str, str, str]:
    """Origin and path; with a fragment that routes, that too."""
    origin, path, _, fragment = split_url(page.url)
    routes = fragment[:1] in ("/", "!")
    return origin, path, fragment.partition("?")[0] if routes else ""


def remember_page(page: Observation, known: Sequence[str]) -> list[str] | None:
    """The pages the plan was held against with this one; None where it was one of them."""
    seen = fingerprint(page)
    return None if seen in known else [*known, seen][-MOST_PAGES:]


MOST_ENTRIES = 4  # name, password, "remember me", organisation; more is a form of another kind


async def sign_out_outcome(
    situation: Situation, before: Observation, reasoner: Reasoner
) -> Outcome | None:
    """The end where a sign-in form came that nobody asked for, and the plan cannot go on beside it."""
    if asks_to_sign_in(before) or not is_signed_out(situation):
        return None
    found = await reasoner.refine(replace(situation, rules_only=True))
    explores = any(one.purpose == "explore" for one in found.proposals)
    goes_on = found.outcome == "act" and found.confidence >= SURE and not explores
    return None if goes_on else signed_out_outcome(situation)


def is_signed_out(situation: Situation) -> bool:
    """Whether the page asks to sign in, and that is no part of what was asked for."""
    if situation.plan.step is None or not asks_to_sign_in(situation.page):
        return False
    steps = situation.plan.steps[situation.plan.current :]
    if any(step.directive is not None and step.directive.verb == "login" for step in steps):
        return False
    return not speaks_of("sign_in", f"{situation.told} {situation.plan.step.description}")


def asks_to_sign_in(page: Observation) -> bool:
    """Whether it holds an empty password field in a small form that speaks of signing in."""
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
    """The end of a run that came to a sign-in page: only the person can go on from there."""
    step = situation.plan.step
    name = situation.page.title.strip() or situation.page.url
    left = f" with: {step.description}" if step else ""
    message = f"You are signed out: the page asks to sign in ({name}). Sign in, then go on{left}."
    return Outcome(status="failed", message=message, hand_over="Sign in on this page")


def apply_model_plan(seen: RePlan, plan: Plan, refinement: Decision) -> RePlan:
    """What a model made of the plan, when it was told that the page is another.

    Some steps kept is a change, none kept another plan; without new steps, or with the same, the
    plan goes on.
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
