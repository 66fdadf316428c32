"""What becomes of the plan on a page that is another: it goes on, is changed, or is made anew."""

from dataclasses import dataclass, replace

from app.domain.directive import Verb
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Deed, Outcome, Plan, PlanStep, Refinement
from app.domain.verdict import ExpectedOutcome, RePlan
from app.engines.complexity import SURE
from app.engines.contingency import arising, inserted, is_aside
from app.engines.prediction.check import has_goal
from app.engines.reasoner import Reasoner, Situation
from app.engines.replanning.harmless import LEADING, done_here, form_is_gone, handed_in, is_harmless
from app.engines.replanning.recast import leaping, redoing
from app.engines.replanning.triggers import in_the_way
from app.engines.risk.controls import container, entries
from app.engines.risk.lexicon import speaks_of, words

GOING: frozenset[Verb] = frozenset({"navigate", "back", "reload"})
"""Verbs that need nothing of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The plan after it was held against the page, and what was decided."""

    found: RePlan
    plan: Plan
    deeds: tuple[Deed, ...]
    outcome: Outcome | None = None


async def hold(
    situation: Situation,
    seen: RePlan,
    before: Observation,
    expected: ExpectedOutcome,
    reasoner: Reasoner,
    *,
    modelled: bool,
) -> Held:
    """Decide by rules. Where a model is there, the plan goes on as it is: where rules are not sure
    of the next action the model is asked anyway, and told that the page is another.
    """
    plan = situation.plan
    as_is = Held(found=seen, plan=plan, deeds=situation.deeds)
    if plan.step is None:
        return as_is
    if _goes_anywhere(plan.step) or _came(expected, situation.page):
        return as_is
    if _is_signed_out(situation, before):
        goes_on = _is_sure(await _refined(situation, plan.current, reasoner))
        return as_is if goes_on else replace(as_is, outcome=signed_out(situation))
    if modelled or plan.maker != "rules" or arising(situation, failed=False):
        return as_is
    found = await _refined(situation, plan.current, reasoner)
    if not (_lacks(found) or _is_covered(found, situation.page) or form_is_gone(situation)):
        return as_is
    return (
        _cleared(situation, seen, before, found)
        or await _leapt(situation, seen, reasoner)
        or await _begun_again(situation, seen, found, reasoner)
        or as_is
    )


def _is_signed_out(situation: Situation, before: Observation) -> bool:
    """Whether a sign-in form came that nobody asked for."""
    came = asks_to_sign_in(situation.page) and not asks_to_sign_in(before)
    return came and not is_wanted(situation)


def _goes_anywhere(step: PlanStep) -> bool:
    return step.directive is not None and step.directive.verb in GOING


def _came(expected: ExpectedOutcome, page: Observation) -> bool:
    """Whether what the following step works on was foreseen, and is there to be used."""
    shown = replace(page, tree=Tree.of(node for node in page.tree if not node.occluded))
    return expected.next_goal is not None and has_goal(expected.next_goal, shown)


async def _refined(situation: Situation, at: int, reasoner: Reasoner) -> Refinement:
    """What rules would do for the step at that place, were it the current one."""
    plan = situation.plan.model_copy(update={"current": at})
    return await reasoner.refine(replace(situation, plan=plan, rules_only=True))


def _lacks(found: Refinement) -> bool:
    """Whether the page has not what the step needs, or it is only guessed where that may be."""
    return found.outcome == "missing" or any(p.purpose == "explore" for p in found.proposals)


def _is_sure(found: Refinement) -> bool:
    return found.outcome == "act" and found.confidence >= SURE and not _lacks(found)


def _is_covered(found: Refinement, page: Observation) -> bool:
    """Whether something stands in front of what would be acted on."""
    targets = [page.tree.get(one.action.target or "") for one in found.proposals]
    return any(node is not None and node.occluded for node in targets)


def _told(seen: RePlan, decision: str, why: str) -> RePlan:
    return seen.model_copy(update={"decision": decision, "reason": f"{seen.reason}: {why}"})


def _cleared(
    situation: Situation, seen: RePlan, before: Observation, found: Refinement
) -> Held | None:
    """A dialog that came up by itself is closed first."""
    step = situation.plan.step
    one = in_the_way(before, situation.page)
    hides = found.outcome == "missing" or _is_covered(found, situation.page)
    if one is None or not hides or step is None or is_aside(step):
        return None
    known = situation.plan.model_copy(
        update={"contingencies": (*situation.plan.contingencies, one)}
    )
    plan, deeds = inserted(replace(situation, plan=known), one)
    why = f"'{one.trigger}' is closed before the plan goes on"
    return Held(found=_told(seen, "modify", why), plan=plan, deeds=deeds)


async def _leapt(situation: Situation, seen: RePlan, reasoner: Reasoner) -> Held | None:
    """Steps that only lead to what the page already is are left out.

    The page must go by the name of what they lead to, and the first step that does something must
    surely be possible: a control that merely fits may belong to something else.
    """
    plan = situation.plan
    to = plan.current
    while to < len(plan.steps) and _leads(plan.steps[to]):
        to += 1
    if to in (plan.current, len(plan.steps)):
        return None
    goal = plan.steps[to - 1].directive
    phrase = goal.target.within or goal.target.phrase if goal and goal.target else ""
    if not phrase or not _goes_by(situation.page, phrase):
        return None
    if not _is_sure(await _refined(situation, to, reasoner)):
        return None
    why = f"this is '{phrase}' already, and what only leads there is left out"
    return Held(found=_told(seen, "modify", why), plan=leaping(plan, to), deeds=situation.deeds)


def _leads(step: PlanStep) -> bool:
    directive = step.directive
    return directive is not None and directive.verb in LEADING


def _goes_by(page: Observation, phrase: str) -> bool:
    """Whether the title, a heading or a form or dialog of the page says those words."""
    wanted = words(phrase)
    headings = [line for line in page.summary.splitlines() if line.startswith("#")]
    places = {
        text for node in page.tree for kind, text in node.groups if kind in ("form", "dialog")
    }
    said = (page.title, *headings, *places)
    return bool(wanted) and any(f" {wanted} " in f" {words(text)} " for text in said)


async def _begun_again(
    situation: Situation, seen: RePlan, found: Refinement, reasoner: Reasoner
) -> Held | None:
    """The plan from the latest earlier step that can be done here, where that does no harm.

    What was done last is left out where it would only lead here again. What was handed in stays so.
    """
    plan, deeds = situation.plan, situation.deeds
    if found.outcome != "missing" and not form_is_gone(situation):
        return None
    for start in range(plan.current - 1, -1, -1):
        step = plan.steps[start]
        if not is_harmless(step) or handed_in(deeds, start, situation.page):
            return None
        if is_aside(step) or (start == plan.current - 1 and _led_here(step, situation)):
            continue
        if (await _afresh(situation, start, reasoner)).outcome == "act":
            made, freed = redoing(plan, deeds, start)
            why = f"the rest cannot be done from here, and is begun again with '{step.description}'"
            return Held(found=_told(seen, "regenerate", why), plan=made, deeds=freed)
    return None


def _led_here(step: PlanStep, situation: Situation) -> bool:
    """Whether the page is what the step just done leads to, or the one that it was done on."""
    target = step.directive.target if step.directive else None
    named = target is not None and _goes_by(situation.page, target.within or target.phrase)
    return named or done_here(situation.deeds[-1:], situation.page)


async def _afresh(situation: Situation, at: int, reasoner: Reasoner) -> Refinement:
    return await _refined(replace(situation, deeds=()), at, reasoner)


MOST_ENTRIES = 4  # name, password, "remember me", organisation; more is a form of another kind


def asks_to_sign_in(page: Observation) -> bool:
    """Whether it holds an empty password field in a small form that speaks of signing in."""
    return any(_is_sign_in(node, page) for node in page.tree if node.input_type == "password")


def _is_sign_in(field: Node, page: Observation) -> bool:
    place = container(field)
    beside = entries(page, place)
    if field.value or not field.enabled or len(beside) > MOST_ENTRIES:
        return False
    if sum(node.input_type == "password" for node in beside) != 1:
        return False  # two are a new password, and its repetition
    said = [node.name for node in page.tree if node.role == "btn" and container(node) == place]
    return any(speaks_of("sign_in", text) for text in (*said, place or "", page.title))


def is_wanted(situation: Situation) -> bool:
    """Whether signing in is part of what was asked for."""
    steps = situation.plan.steps[situation.plan.current :]
    if any(step.directive is not None and step.directive.verb == "login" for step in steps):
        return True
    step = situation.plan.step
    return speaks_of("sign_in", situation.told) or bool(
        step and speaks_of("sign_in", step.description)
    )


def signed_out(situation: Situation) -> Outcome:
    """The end of a run that came to a sign-in page: only the person can go on from there."""
    step = situation.plan.step
    name = situation.page.title.strip() or situation.page.url
    left = f" with: {step.description}" if step else ""
    message = f"You are signed out: the page asks to sign in ({name}). Sign in, then go on{left}."
    return Outcome(status="failed", message=message, hand_over="Sign in on this page")
