"""From a recipe to the plan of a run: where it begins, and by which way."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from app.domain.page import Observation
from app.domain.plan import Plan, PlanStep
from app.domain.recipe import Recipe, RecordedAction, RecordedStep
from app.domain.sites import site_of
from app.domain.verdict import Verdict
from app.engines.recipes.filling import filled_step
from app.engines.recipes.paths import can_be_gone_to, fits
from app.engines.risk import is_risky
from app.engines.risk.lexicon import speaks_of, words
from app.engines.verification.messages import kind_of

_LEADS = frozenset({"link", "menu", "tab", "btn"})
_ENTERING = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})


def strange(recipe: Recipe, url: str) -> str | None:
    """Why the recipe is not for that page; None where it is of its site."""
    here = site_of(url)
    if here == recipe.domain:
        return None
    return f"This recipe is for {recipe.domain}, and the page is of {here or 'no site'}"


def plan_for(recipe: Recipe, url: str, values: Mapping[str, str]) -> Plan:
    """The plan of a run that begins at that address of the recipe's site.

    What only leads to the page where the work is done is passed over where that page has an address
    for everyone; it stays in the plan, to be gone after all should the address not lead there.
    """
    steps = [filled_step(step, values) for step in recipe.steps]
    start = _entrance(recipe.steps)
    made = [_plan_step(step, str(at + 1), skipped=at < start) for at, step in enumerate(steps)]
    way = _going(recipe, url, start)
    if way is not None:
        made.insert(start, _plan_step(way, "0"))
    return Plan(steps=tuple(_current(made, start)), current=start, maker="recipe")


def whole_way(plan: Plan) -> Plan | None:
    """The plan with what was passed over for an address done after all; None where no address was gone
    to, or it is under way. What was done stays on record before it.
    """
    skipped = [step for step in plan.steps[: plan.current] if step.status == "skipped"]
    recorded = [step.recorded for step in plan.steps if step.recorded and step.id != "0"]
    went = [step.recorded for step in plan.steps if step.recorded and step.id == "0"]
    if not skipped or not went or any(step.id.startswith("w") for step in plan.steps):
        return None
    anew = list(recorded)
    if (back := _back(went[0], recorded[0])) is not None:
        anew.insert(0, back)
    done = list(plan.steps[: plan.current])
    rest = [_plan_step(step, f"w{at + 1}") for at, step in enumerate(anew)]
    return plan.model_copy(update={"steps": tuple(_current([*done, *rest], len(done)))})


def _back(went: RecordedStep, first: RecordedStep) -> RecordedStep | None:
    """To where the whole way begins."""
    if not can_be_gone_to(first.path):
        return None
    parts = urlsplit(str(went.actions[0].args["url"]))
    return _go_to(f"{parts.scheme}://{parts.netloc}{first.path}", first.path)


def _going(recipe: Recipe, url: str, start: int) -> RecordedStep | None:
    """The step that brings the page to where the work begins; None where it is there already, or
    has no address of its own.
    """
    path = recipe.steps[start].path
    if fits(path, url) or not can_be_gone_to(path):
        return None
    parts = urlsplit(recipe.start_url)
    return _go_to(f"{parts.scheme}://{parts.netloc}{path}", path)


def _go_to(address: str, path: str) -> RecordedStep:
    going = RecordedAction(name="navigate", args={"url": address}, description=f"Go to {address}")
    return RecordedStep(description=f"Go to {path}", path=path, actions=(going,))


def _entrance(steps: tuple[RecordedStep, ...]) -> int:
    """The step to begin with: the first, or the form that the steps before it only lead to."""
    at = 0
    while at < len(steps) and _only_leads(steps[at]):
        at += 1
    if at == len(steps):
        return 0
    form = steps[at]
    while at > 0 and steps[at - 1].path == form.path:
        at -= 1
    if at == 0:
        return 0
    arrives = form.path != steps[0].path and can_be_gone_to(form.path)
    enters = any(action.name in _ENTERING for action in form.actions)
    return at if arrives and enters and steps[at - 1].check.path == form.path else 0


def _only_leads(step: RecordedStep) -> bool:
    """Whether the step does nothing but show the next page, or a menu."""
    if len(step.actions) != 1 or step.actions[0].name != "click":
        return False
    element = step.actions[0].element
    if element is None or element.role not in _LEADS or "{" in f"{element.name}{element.group}":
        return False
    named = words(element.name).split()
    puts = "add" in named and bool({"to", "in", "into"} & set(named))
    hands_in = element.role == "btn" and speaks_of("submit", element.name)
    return not (is_risky(element.name) or hands_in or puts)


def _plan_step(step: RecordedStep, number: str, *, skipped: bool = False) -> PlanStep:
    return PlanStep(
        id=number,
        description=step.description,
        status="skipped" if skipped else "pending",
        expected=step.check.description,
        recorded=step,
    )


def _current(steps: list[PlanStep], at: int) -> list[PlanStep]:
    return [
        step.model_copy(update={"status": "current"}) if index == at else step
        for index, step in enumerate(steps)
    ]


UNLIKE = 0.5  # the most where the page answers otherwise than it did; DESIGN, a required next goal


def held_to(verdict: Verdict, plan: Plan, page: Observation) -> Verdict:
    """The verdict of a recipe's last step; one that nothing of its check speaks for is not sure.

    Of the two signs a recipe keeps, the way the page went and that it said so, one is enough: a
    message may have gone by.
    """
    step = plan.step
    recorded = step.recorded if step is not None else None
    if recorded is None or not verdict.task_completed or plan.current < len(plan.steps) - 1:
        return verdict
    check, signs = recorded.check, []
    if check.path is not None:
        signs.append(fits(check.path, page.url))
    if check.says_success:
        said = (*page.successes, *(node.name for node in page.tree if node.role == "txt"))
        signs.append(any(kind_of(text) == "success" for text in said))
    if not signs or any(signs):
        return verdict
    reason = f"{verdict.reason}; but the recipe ended otherwise: {check.description}"
    return verdict.model_copy(
        update={
            "task_completed": False,
            "confidence": min(verdict.confidence, UNLIKE),
            "reason": reason,
        }
    )
