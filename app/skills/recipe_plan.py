"""Plans a run that follows a recipe, and checks its ending."""

import json
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from app.domain.access import site_of
from app.domain.memory import Recipe, RecipeParameter, RecordedAction, RecordedStep
from app.domain.page import MASK, Observation
from app.domain.plan import Plan, PlanStep
from app.domain.reasoner import GivenAnswer
from app.domain.verdict import Verdict
from app.page import message_kind, routing_fragment, split_url
from app.text import patterns

_PLACEHOLDER = patterns.compile(r"\{(\w+)\}")


def missing_parameters(recipe: Recipe, values: Mapping[str, str]) -> tuple[RecipeParameter, ...]:
    return tuple(p for p in recipe.parameters if p.required and not values.get(p.name, "").strip())


def unknown_parameters(recipe: Recipe, values: Mapping[str, str]) -> tuple[str, ...]:
    known = {parameter.name for parameter in recipe.parameters}
    return tuple(name for name in values if name not in known)


def ambiguous_values(values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names whose values look like a placeholder, "{name}", which would be filled in turn."""
    return tuple(name for name, text in values.items() if _PLACEHOLDER.search(text))


def fill_text(text: str, values: Mapping[str, str]) -> str:
    """Fill in the placeholders; those without a value stay."""
    return _PLACEHOLDER.sub(lambda hole: values.get(hole[1], hole[0]), text)


def fill_step(step: RecordedStep, values: Mapping[str, str]) -> RecordedStep:
    written = {name: json.dumps(text)[1:-1] for name, text in values.items()}
    return RecordedStep.model_validate_json(fill_text(step.model_dump_json(), written))


def unfilled_parameters(step: RecordedStep) -> tuple[str, ...]:
    """Return the parameters that the step still lacks, in the order it needs them."""
    texts = [str(arg) for action in step.actions for arg in action.args.values()]
    for action in step.actions:
        texts += [action.element.name, action.element.group] if action.element else []
    return tuple(dict.fromkeys(name for text in texts for name in _PLACEHOLDER.findall(text)))


def ask_for_parameter(name: str) -> str:
    """Return the question for a value. It marks a secret as one, so that the answer is kept secret."""
    return f"What is the {name.replace('_', ' ')} this time? (for “{name}” of the recipe)"


def as_answers(values: Mapping[str, str]) -> tuple[GivenAnswer, ...]:
    return tuple(
        GivenAnswer(question=ask_for_parameter(name), text=text) for name, text in values.items()
    )


def read_parameters(answers: Iterable[GivenAnswer], names: Iterable[str]) -> dict[str, str]:
    questions = {name: ask_for_parameter(name) for name in names}
    return {
        name: answer.text.strip()
        for answer in answers
        for name, question in questions.items()
        if answer.question.endswith(question) and MASK not in answer.text
    }


ANY = "*"
# Path parts that identify a record: digits, a long hexadecimal, anything with "@" or "%".
_ID = patterns.compile(r"\d|[@%]|^[0-9a-f-]{16,}$", patterns.IGNORECASE)


def page_path(url: str) -> str:
    """Return path and routing fragment, with `*` for anything like an id, without the query."""
    origin, path, _, _ = split_url(url)
    if not origin:
        return "/"
    route = routing_fragment(url).partition("?")[0]
    return f"{_mask_ids(path)}#{_mask_ids(route)}" if route else _mask_ids(path)


def _mask_ids(path: str) -> str:
    return "/".join(ANY if _ID.search(part) else part for part in path.split("/"))


def page_address(url: str) -> str:
    """Return the address of the page's path on its site, with `*` for records."""
    return f"{urlsplit(url).scheme}://{site_of(url)}{page_path(url)}"


def is_public_path(path: str) -> bool:
    """Whether the path is the same for everyone, so that the address alone leads there."""
    return ANY not in path and "{" not in path


def matches_path(path: str, url: str) -> bool:
    """Whether the address matches the path; `*` and `{parameter}` match any one part."""
    wanted, actual = path.split("/"), page_path(url).split("/")
    return len(wanted) == len(actual) and all(
        part in (ANY, found) or part.startswith("{")
        for part, found in zip(wanted, actual, strict=True)
    )


MISMATCH_CONFIDENCE = (
    0.5  # upper bound if the page responds differently; DESIGN, a required next goal
)


def explain_mismatch(recipe: Recipe, url: str) -> str | None:
    """Return why the recipe does not apply to that page; None if it is on its site."""
    here = site_of(url)
    if here == recipe.domain:
        return None
    return f"This recipe is for {recipe.domain}, and the page is of {here or 'no site'}"


def plan_recipe(recipe: Recipe, url: str, values: Mapping[str, str]) -> Plan:
    """Return the plan of a run that begins at that address of the recipe's site."""
    steps = [fill_step(step, values) for step in recipe.steps]
    path = recipe.steps[0].path
    if not matches_path(path, url) and is_public_path(path):
        steps.insert(0, _opening_step(recipe.start_url, path))
    made = (
        PlanStep(
            id=str(at),
            description=step.description,
            status="pending" if at > 1 else "current",
            expected=step.check.description,
            recorded=step,
        )
        for at, step in enumerate(steps, start=1)
    )
    return Plan(steps=tuple(made), maker="recipe")


def _opening_step(start_url: str, path: str) -> RecordedStep:
    parts = urlsplit(start_url)
    address = f"{parts.scheme}://{parts.netloc}{path}"
    going = RecordedAction(name="navigate", args={"url": address}, description=f"Go to {address}")
    return RecordedStep(description=f"Go to {path}", path=path, actions=(going,))


def check_ending(verdict: Verdict, plan: Plan, page: Observation) -> Verdict:
    """Reduce the confidence of a recipe's last step if no part of its check is met.

    A recipe stores two signs, the resulting page and its message. One is enough, since a message
    may have disappeared.
    """
    recorded = plan.step.recorded if plan.step is not None else None
    if recorded is None or not verdict.task_completed or plan.current < len(plan.steps) - 1:
        return verdict
    check, signs = recorded.check, []
    if check.path is not None:
        signs.append(matches_path(check.path, page.url))
    if check.says_success:
        texts = (*page.successes, *(node.name for node in page.tree if node.role == "txt"))
        signs.append(any(message_kind(text) == "success" for text in texts))
    if not signs or any(signs):
        return verdict
    reason = f"{verdict.reason}; but the recipe ended otherwise: {check.description}"
    confidence = min(verdict.confidence, MISMATCH_CONFIDENCE)
    return verdict.model_copy(
        update={"task_completed": False, "confidence": confidence, "reason": reason}
    )
