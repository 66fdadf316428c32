"""A recorded step done again: its controls found anew, all of them, or nothing is done."""

from dataclasses import replace

from app.domain.action import PARAMETERS, Action, Arg, action
from app.domain.page import Observation
from app.domain.plan import Deed, PlanStep, Proposal, Refinement
from app.domain.question import Question
from app.domain.recipe import RecordedAction, RecordedStep
from app.domain.verdict import ExpectedOutcome, NextGoal
from app.engines.grounding import Grounder
from app.engines.reasoner import Situation
from app.engines.recipes.filling import asking, filled_step, holes, told
from app.engines.recipes.finding import Found, find
from app.engines.recipes.paths import fits
from app.engines.recipes.route import whole_way
from app.engines.recipes.values import is_secret

WAIT_MS = 1_000  # once a step, or twice; the page script has waited for quiet already
SURE = 0.95  # every control is the very one, or was known again surely
ANOTHER = "The page is another than the recipe was made on"


def replayed(situation: Situation, grounder: Grounder) -> Refinement:
    """What to do for the plan's current step, which a recipe holds.

    Its controls that are still to be acted on are found on this page; where one is missing the page
    gets a moment, then the way that was passed over is gone after all, and then the run stops.
    """
    step = situation.plan.step
    assert step is not None
    assert step.recorded is not None
    lacking = _lacking(situation, step)
    if lacking is not None:
        return _asked(lacking)
    recorded = _filled(step.recorded, situation)
    left = recorded.actions[len(_done(situation)) :]
    if not left:
        return Refinement(outcome="done", thought=recorded.description, confidence=SURE)
    page = situation.page
    if why := _elsewhere(recorded, left, page):
        return _not_here(situation, why, grounder)
    found = [find(one.element, page, grounder) if one.element else None for one in left]
    absent = [one for one, at in zip(left, found, strict=True) if _stands_in_the_way(one, at)]
    if absent:
        return _not_here(situation, _told(absent[0]), grounder)
    pairs = [(one, at) for one, at in zip(left, found, strict=True) if _is_there(at)]
    if not pairs:
        return Refinement(outcome="done", thought=f"Not needed: {recorded.description}")
    return _act(recorded, pairs, situation)


def _lacking(situation: Situation, step: PlanStep) -> str | None:
    """The next value to ask for: all plain ones first, a secret where the page has its field."""
    plan = situation.plan
    steps = [one.recorded for one in plan.steps[plan.current :] if one.recorded is not None]
    names = [name for one in steps for name in holes(one)]
    here = set(holes(step.recorded)) if step.recorded else set()
    said = told(situation.background.answers, names)
    wanted = [
        name for name in names if not said.get(name) and (name in here or not is_secret(name))
    ]
    return wanted[0] if wanted else None


def _asked(name: str) -> Refinement:
    text = asking(name)
    question = Question(
        text=text, fields=(name.replace("_", " "),), return_to="step_refinement/continue"
    )
    return Refinement(outcome="ask", thought=text, question=question, completes_step=False)


def _filled(step: RecordedStep, situation: Situation) -> RecordedStep:
    names = holes(step)
    return filled_step(step, told(situation.background.answers, names)) if names else step


def _done(situation: Situation) -> list[Deed]:
    """What was done of this step: a chain may have been cut where it was not safe to go on."""
    here = (deed for deed in situation.deeds if deed.step == situation.plan.current)
    return [deed for deed in here if deed.status == "success" and deed.purpose == "work"]


def _elsewhere(
    step: RecordedStep, left: tuple[RecordedAction, ...], page: Observation
) -> str | None:
    """Why nothing of the step can be looked for here: it needs a control, on another page."""
    on_page = any(one.element is not None and not one.can_fail for one in left)
    if not on_page or fits(step.path, page.url):
        return None
    return f"it was at {step.path}"


def _stands_in_the_way(one: RecordedAction, at: Found | None) -> bool:
    return at is not None and at.outcome != "found" and not one.can_fail


def _is_there(at: Found | None) -> bool:
    return at is None or at.outcome == "found"


def _told(one: RecordedAction) -> str:
    assert one.element is not None
    return f"'{one.element.name or one.element.role}' is not there"


def _not_here(situation: Situation, why: str, grounder: Grounder) -> Refinement:
    """Wait, twice while the page is loading; then go the whole way where a shorter one was taken;
    then stop.
    """
    here = [d for d in situation.deeds if d.step == situation.plan.current]
    waits = sum(deed.action.name == "wait" for deed in here)
    if waits < (2 if situation.page.client.still_loading else 1):
        wait = Proposal(
            action=action("wait", WAIT_MS), description="Wait for the page", purpose="explore"
        )
        thought = f"Not yet as the recipe knows it: {why}."
        return Refinement(
            outcome="act", proposals=(wait,), thought=thought, completes_step=False, confidence=SURE
        )
    worked = any(deed.purpose == "work" for deed in here)
    whole = None if worked else whole_way(situation.plan)
    if whole is not None:
        going = replayed(replace(situation, plan=whole), grounder)
        return going.model_copy(update={"plan": whole})
    reason = f"{ANOTHER}: {why}"
    return Refinement(outcome="missing", thought=reason, reason=reason, completes_step=False)


def _act(
    step: RecordedStep, pairs: list[tuple[RecordedAction, Found | None]], situation: Situation
) -> Refinement:
    proposals = tuple(_proposal(one, at) for one, at in pairs)
    healed = [f"Healed: {_label(one)} is {at.healed}" for one, at in pairs if at and at.healed]
    return Refinement(
        outcome="act",
        proposals=proposals,
        thought=". ".join([step.description, *healed]),
        confidence=SURE,
        expected=_expected(step, situation),
    )


def _label(one: RecordedAction) -> str:
    return f"'{one.element.name}'" if one.element else one.name


def _proposal(one: RecordedAction, at: Found | None) -> Proposal:
    args: dict[str, Arg] = dict(one.args)
    if at is not None:
        args["id"] = at.id
    ordered = {name: args[name] for name, _ in PARAMETERS[one.name]}
    return Proposal(
        action=Action(name=one.name, args=ordered),
        description=one.description or one.name,
        can_fail=one.can_fail,
        dialog=one.dialog,
    )


def _expected(step: RecordedStep, situation: Situation) -> ExpectedOutcome:
    """The step's check, as the page is held against: what appears is what goes on with."""
    check = step.check
    shown = next(iter(check.appears), None)
    goal = NextGoal(
        description=f"'{shown.name}' is there", role=shown.role, text=shown.name, required=True
    ) if shown is not None else None  # fmt: skip
    changes = True if check.path is not None and not fits(check.path, situation.page.url) else None
    return ExpectedOutcome(description=check.description, url_should_change=changes, next_goal=goal)
