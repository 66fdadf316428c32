"""Distills a completed task into a recipe: what worked, in few steps, without values."""

from collections.abc import Iterable
from itertools import zip_longest

from app.domain.access import site_of
from app.domain.action import PRESSES, Action, ActionRecord, Arg
from app.domain.base import Value
from app.domain.directive import SECRET_FIELD, Instruction
from app.domain.memory import RecipeParameter, RecordedAction, RecordedStep, StepCheck
from app.domain.page import MASK, DialogDecision, ElementRef
from app.domain.task import TaskAction
from app.page import RECORDS, message_kind
from app.plans import LONGEST
from app.skills.recipe_plan import is_public_path, page_address, page_path
from app.skills.recipe_values import TaskValues, join_group, longest_shared, split_group
from app.text import patterns
from app.text.lexicon import speaks_of

MOST_STEPS = 50  # the maximum per task
_ENTERING = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})
_DATA = frozenset({"row", "opt"})  # roles whose names are page data instead of labels
_PLACES = PRESSES | {"rightClick", "hover", "setChecked"}
_UNREPEATABLE = {
    "clickAt": "A step was done at a point of the picture",
    "dragTo": "Something was dragged",
    "drag": "Something was dragged",
    "draw": "Something was drawn",
    "switchTab": "It went to another tab by its place",
    "closeTab": "It closed a tab",
    "openTab": "It opened a tab",
}


_TYPED = {"selectOption": "label", "uploadFile": "name"}


class NotARecipe(Exception):
    """The task cannot be replayed by rules; the message tells the person why."""


class Act(Value):
    """One action that worked.

    Acts of one `trip` were sent together; `skeleton` outlines the page before them. `origin` is the
    source of its value (None: unknown). `aside`: it only removed an obstacle. `ended_well`: the
    page reported success.
    """

    action: Action
    element: ElementRef | None = None
    description: str = ""
    trip: int
    url: str
    skeleton: str = ""
    origin: str | None = None
    secret: bool = False
    aside: bool = False
    dialog: DialogDecision | None = None
    ended_well: bool = False

    @property
    def value_key(self) -> str | None:
        """Return the name of the argument with the typed or chosen value."""
        return "text" if self.action.entered is not None else _TYPED.get(self.action.name)

    @property
    def value(self) -> str:
        """Return the typed or chosen value; "" if there is none or the field was emptied."""
        return str(self.action.args[self.value_key]) if self.value_key else ""

    @property
    def label(self) -> str:
        return self.element.name if self.element else ""

    @property
    def path(self) -> str:
        return page_path(self.url)

    def saw(self, other: "Act") -> bool:
        """Whether the other act's control was already on the page before this act."""
        element = other.element
        if element is None:
            return False
        label = f"{element.role} {element.name}".strip()
        place = f"{element.group or 'page'}: "
        return any(
            label in (listed, listed.rpartition(" x")[0])
            for line in self.skeleton.splitlines()
            if line.startswith(place)
            for listed in line.removeprefix(place).split(", ")
        )


def list_acts(records: Iterable[ActionRecord], rows: Iterable[TaskAction]) -> list[Act]:
    """Return the actions that worked, oldest first, without failed attempts and waits."""
    rows = tuple(rows)
    stored = {row.action_id: row for row in rows}
    before = {row.step_index: row.before for row in rows if row.before}
    return [
        _make_act(record, stored.get(record.action_id), before, at)
        for at, record in enumerate(records)
        if record.status == "success" and record.action.name != "wait"
    ]


def _make_act(
    record: ActionRecord, row: TaskAction | None, before: dict[int, dict[str, str]], at: int
) -> Act:
    element = ElementRef.of(record.signature) if record.signature is not None else None
    trip = row.step_index if row is not None else -1 - at
    was = before.get(trip, {})
    verdict = (row.verification if row is not None else None) or {}
    provenance = (row.provenance if row is not None else None) or {}
    texts = (verdict.get("reason") or "", *(verdict.get("observations") or ()))
    name = element.name if element is not None else ""
    dismisses = record.purpose == "correct" and speaks_of("dismiss", name)
    return Act(
        action=record.action,
        element=element,
        description=record.description,
        trip=trip,
        url=str(was.get("url") or record.url),
        skeleton=str(was.get("semanticSkeleton") or ""),
        origin=provenance.get("origin"),
        secret=record.action.name == "setValue" and _is_secret(record, row, name),
        aside=record.strategy == "dismiss overlay" or dismisses,
        ended_well=any(message_kind(str(text)) == "success" for text in texts),
    )


def _is_secret(record: ActionRecord, row: TaskAction | None, name: str) -> bool:
    """Whether the typed value was kept out of its row, or its field is for secrets."""
    masked = record.action.args.get("text") == MASK or (row is not None and MASK in row.action)
    return masked or SECRET_FIELD.search(name) is not None


class Draft(Value):
    """A recipe without owner and date."""

    domain: str
    start_url: str
    goal: str
    parameters: tuple[RecipeParameter, ...]
    steps: tuple[RecordedStep, ...]


def distil_recipe(
    acts: list[Act],
    *,
    goal: str,
    answers: tuple[str, ...] = (),
    instruction: Instruction | None = None,
    end_url: str,
) -> Draft:
    """Return the recipe of a task that reached `goal` by these acts and ended at `end_url`.

    `answers` are the person's other answers. Raises `NotARecipe` with the reason.
    """
    if not acts:
        raise NotARecipe("Nothing was done on a page")
    sites = {site_of(act.url) for act in acts}
    if "" in sites:
        raise NotARecipe("It was done on a page that is on no site")
    if len(sites) != 1:
        raise NotARecipe("It went over more than one site")
    parts = _group_acts(acts)
    if len(parts) > MOST_STEPS:
        raise NotARecipe(f"It has more than {MOST_STEPS} steps")
    values, texts = TaskValues(), (goal, *answers)
    for directive in instruction.directives if instruction else ():
        target = directive.target
        if target is None or not target.within:
            continue
        if any(target.within.casefold() in act.label.casefold() for act in acts):
            values.placeholder(target.within, target.phrase or "record")
    for act, following in zip_longest(acts, acts[1:]):
        _bind(act, values, texts, following)
    steps = tuple(
        _make_step(part, following, values, end_url)
        for part, following in zip_longest(parts, parts[1:])
    )
    return Draft(
        domain=sites.pop(),
        start_url=values.replace_values(page_address(acts[0].url)),
        goal=values.replace_values(goal, short=True),
        parameters=values.parameters,
        steps=steps,
    )


def _group_acts(acts: list[Act]) -> list[list[Act]]:
    """Group into steps acts sent together, and entries into fields that were on the page together."""
    parts: list[list[Act]] = []
    for act in acts:
        if parts and _belongs_to_step(act, parts[-1]):
            parts[-1].append(act)
        else:
            parts.append([act])
    return parts


def _belongs_to_step(act: Act, part: list[Act]) -> bool:
    first, last = part[0], part[-1]
    if len(part) >= LONGEST or act.aside or first.aside or act.path != first.path:
        return False
    return act.trip == last.trip or (last.action.name in _ENTERING and first.saw(act))


def _make_step(
    part: list[Act], following: list[Act] | None, values: TaskValues, end_url: str
) -> RecordedStep:
    actions = tuple(
        RecordedAction(
            name=act.action.name,
            element=_element_of(act, values),
            args=_arguments(act, values),
            description=values.replace_values(act.description, short=act.action.name in _ENTERING),
            can_fail=act.aside or act.action.name in ("scroll", "hover"),
        )
        for act in part
    )
    return RecordedStep(
        description="; ".join(action.description or action.name for action in actions),
        path=values.replace_values(part[0].path),
        actions=actions,
        check=_make_check(part, following, values, end_url),
    )


def _make_check(
    part: list[Act], following: list[Act] | None, values: TaskValues, end_url: str
) -> StepCheck:
    """Return what shows that the step is done: the page that followed, and the next step's control."""
    path = following[0].path if following else page_path(end_url)
    moved = values.replace_values(path) if path != part[0].path else None
    reference = _element_of(following[0], values) if following and not following[0].aside else None
    if reference is not None and not reference.name:
        reference = None
    success = following is None and part[-1].ended_well
    signs = [f"the page is {moved}"] if moved else []
    signs += [f"'{reference.name}' is there"] if reference else []
    signs += ["the page says that it went well"] if success else []
    return StepCheck(
        description="; ".join(signs),
        path=moved,
        appears=(reference,) if reference is not None else (),
        says_success=success,
    )


def _bind(act: Act, values: TaskValues, texts: tuple[str, ...], following: Act | None) -> None:
    """Add the act's values as parameters. Raises `NotARecipe` for a value that nobody named."""
    if (why := _UNREPEATABLE.get(act.action.name)) is not None:
        raise NotARecipe(why)
    if act.secret:
        values.placeholder("", act.label or "password", secret=True)
    elif act.value:
        if act.origin is None and longest_shared(act.value, texts) != act.value:
            raise NotARecipe(f"Nobody named the value that was entered as '{act.label}'")
        values.placeholder(act.value, act.label)
    if act.element is not None and act.action.name in _PLACES:
        _bind_record(act.element, values, texts, following)


def _bind_record(
    element: ElementRef, values: TaskValues, texts: tuple[str, ...], following: Act | None
) -> None:
    """Add the record acted on as a parameter. Raises `NotARecipe` if the goal does not name it."""
    data = [label for kind, label in split_group(element.group) if kind in RECORDS and label]
    if element.role in _DATA and element.name:
        data.append(element.name)
    for text in data:
        if values.replace_values(text) == text:
            shared = longest_shared(text, texts)
            if shared is None:
                raise NotARecipe(f"It acts on a record the goal does not name ({element.role})")
            values.placeholder(shared, "record")
    opens = following is not None and not is_public_path(following.path)
    named = longest_shared(element.name, texts) if element.role == "link" and opens else None
    if named is not None and values.replace_values(element.name) == element.name:
        values.placeholder(named, "record")


def _element_of(act: Act, values: TaskValues) -> ElementRef | None:
    """Return the act's element without its values; a record by its parameter alone."""
    if act.element is None:
        return None
    group = [
        (kind, _group_label(kind, label, values)) for kind, label in split_group(act.element.group)
    ]
    name = values.replace_values(act.element.name)
    return ElementRef(role=act.element.role, name=name, group=join_group(group))


def _group_label(kind: str, label: str, values: TaskValues) -> str:
    bare = values.replace_values(label)
    if kind not in RECORDS:
        return bare
    # The other contents of a record are not stored.
    return " ".join(dict.fromkeys(patterns.findall(r"\{\w+\}", bare)))


def _arguments(act: Act, values: TaskValues) -> dict[str, Arg]:
    """Return the arguments without ids, with parameters for values."""
    args: dict[str, Arg] = {k: v for k, v in act.action.args.items() if k != "id" or v == "page"}
    if act.value_key and (act.secret or act.value):
        args[act.value_key] = values.placeholder(act.value, act.label, secret=act.secret)
    if act.action.name == "navigate":
        url = str(args["url"])
        if not is_public_path(page_path(url)):
            raise NotARecipe("It went to an address of one record")
        args["url"] = page_address(url)
    return args
