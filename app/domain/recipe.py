"""Recipes: a task that was done once, without its values, to be done again by rule."""

from datetime import datetime

from app.domain.action import ActionName, Arg
from app.domain.base import Value
from app.domain.dialog import DialogDecision
from app.domain.skill import ElementRef


class Parameter(Value):
    """A value that a run of the recipe is given. `label` is the field's, for a person; `secret`
    ones are asked for at each run and kept nowhere.
    """

    name: str
    label: str = ""
    secret: bool = False
    required: bool = True


class RecordedAction(Value):
    """One action, by what it acts on and not by its id. Where `args` held a value of the person's,
    it is `{name}` of a parameter.
    """

    name: ActionName
    element: ElementRef | None = None
    args: dict[str, Arg] = {}
    description: str = ""
    dialog: DialogDecision | None = None
    can_fail: bool = False


class Check(Value):
    """How the page shows that a step is done, without values: what is there then and was not before.

    `path` is the address' path with what looks like an id as `*`; None where it stayed.
    """

    description: str = ""
    path: str | None = None
    appears: tuple[ElementRef, ...] = ()
    gone: tuple[ElementRef, ...] = ()
    says_success: bool = False


class RecordedStep(Value):
    """What was sent to the browser at once, on a page of that `path`, and its check."""

    description: str
    path: str
    actions: tuple[RecordedAction, ...]
    check: Check = Check()


class Recipe(Value):
    """A completed task without its values, bound to its site. `goal` names its parameters in braces:
    "Add a new patient with name {name}".
    """

    recipe_id: str
    tenant: str
    user: str
    title: str
    domain: str
    start_url: str
    goal: str
    parameters: tuple[Parameter, ...] = ()
    steps: tuple[RecordedStep, ...]
    task_id: str
    runs: int = 0
    failures: int = 0
    created_at: datetime
    updated_at: datetime


class RecipeCall(Value):
    """That a task replays a recipe, with these values for its parameters."""

    recipe_id: str
    values: dict[str, str] = {}
