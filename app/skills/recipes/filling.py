"""Values put in where a recipe has parameters."""

import json
from collections.abc import Iterable, Mapping

from app.domain.background import GivenAnswer
from app.domain.memory import Recipe, RecipeParameter, RecordedStep
from app.domain.page import MASK
from app.text import patterns

_HOLE = patterns.compile(r"\{(\w+)\}")


def lacking(recipe: Recipe, values: Mapping[str, str]) -> tuple[RecipeParameter, ...]:
    """The required parameters that have no value."""
    return tuple(p for p in recipe.parameters if p.required and not values.get(p.name, "").strip())


def unknown(recipe: Recipe, values: Mapping[str, str]) -> tuple[str, ...]:
    """Names that are none of the recipe's parameters."""
    known = {parameter.name for parameter in recipe.parameters}
    return tuple(name for name in values if name not in known)


def ambiguous(values: Mapping[str, str]) -> tuple[str, ...]:
    """The names whose values read as a parameter's place, "{name}", and would be filled in turn."""
    return tuple(name for name, text in values.items() if _HOLE.search(text))


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with the values in; a hole that has none stays."""
    return _HOLE.sub(lambda hole: values.get(hole[1], hole[0]), text)


def filled_goal(recipe: Recipe, values: Mapping[str, str]) -> str:
    """The goal in words, with the values in."""
    return filled(recipe.goal, values)


def filled_step(step: RecordedStep, values: Mapping[str, str]) -> RecordedStep:
    """The step with the values in."""
    written = {name: json.dumps(text)[1:-1] for name, text in values.items()}
    return RecordedStep.model_validate_json(filled(step.model_dump_json(), written))


def holes(step: RecordedStep) -> tuple[str, ...]:
    """The names of the parameters that the step still lacks, in the order it needs them."""
    texts = [str(arg) for action in step.actions for arg in action.args.values()]
    for action in step.actions:
        texts += [action.element.name, action.element.group] if action.element else []
    return tuple(dict.fromkeys(name for text in texts for name in _HOLE.findall(text)))


def asking(name: str) -> str:
    """The question for a parameter's value; it names a secret as one, which keeps the answer so."""
    return f"What is the {name.replace('_', ' ')} this time? (for “{name}” of the recipe)"


def given(values: Mapping[str, str]) -> tuple[GivenAnswer, ...]:
    """The values as what the person said for this task."""
    return tuple(GivenAnswer(question=asking(name), text=text) for name, text in values.items())


def told(answers: Iterable[GivenAnswer], names: Iterable[str]) -> dict[str, str]:
    """What was said for those parameters, by name."""
    said = {name: asking(name) for name in names}
    return {
        name: answer.text.strip()
        for answer in answers
        for name, question in said.items()
        if answer.question.endswith(question) and MASK not in answer.text
    }
