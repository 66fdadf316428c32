"""A completed task made into a recipe: what worked, in few steps, without its values."""

from itertools import zip_longest

from app.domain.base import Value
from app.domain.directive import Instruction
from app.domain.page import Node
from app.domain.recipe import Check, Parameter, RecordedAction, RecordedStep
from app.domain.sites import site_of
from app.engines.chain import LONGEST
from app.engines.planning.wording import ROLE_WORDS
from app.engines.recipes.acts import Act, NotARecipe, says_success, worth
from app.engines.recipes.holes import bind, bind_directives, recorded, reference
from app.engines.recipes.paths import address_of, path_of
from app.engines.recipes.values import Values
from app.engines.risk.controls import container

MOST_STEPS = 50  # as many as one task may take
_TICKS = frozenset({"chk", "rad"})


class Draft(Value):
    """What a recipe holds of its own; the rest says whose it is and when it was made."""

    domain: str
    start_url: str
    goal: str
    parameters: tuple[Parameter, ...]
    steps: tuple[RecordedStep, ...]


def distil(
    acts: list[Act],
    *,
    goal: str,
    answers: tuple[str, ...] = (),
    instruction: Instruction | None = None,
    end_url: str,
) -> Draft:
    """The recipe of a task that reached `goal` by these acts and ended at `end_url`.

    `answers` are what the person said besides. Raises `NotARecipe` with the reason.
    """
    kept = worth(acts)
    if not kept:
        raise NotARecipe("Nothing was done on a page")
    sites = {site_of(act.url) for act in kept}
    if "" in sites:
        raise NotARecipe("It was done on a page that is on no site")
    if len(sites) != 1:
        raise NotARecipe("It went over more than one site")
    parts = _parts(kept)
    kept = [act for part in parts for act in part]
    values, told = Values(), (goal, *answers)
    for act, following in zip_longest(kept, kept[1:]):
        bind(act, values, told, following)
    bind_directives(instruction, kept, values)
    if len(parts) > MOST_STEPS:
        raise NotARecipe(f"It has more than {MOST_STEPS} steps")
    steps = tuple(
        _step(part, following, values, end_url) for part, following in zip_longest(parts, parts[1:])
    )
    return Draft(
        domain=sites.pop(),
        start_url=values.without(address_of(kept[0].url)),
        goal=values.without(goal, short=True),
        parameters=values.parameters,
        steps=steps,
    )


def _parts(acts: list[Act]) -> list[list[Act]]:
    """The acts in steps: what was there together and may be sent together is one."""
    parts: list[list[Act]] = []
    for act in acts:
        if parts and _joins(act, parts[-1]):
            parts[-1] = [old for old in parts[-1] if not _again(old, act)] + [act]
        else:
            parts.append([act])
    return parts


def _joins(act: Act, part: list[Act]) -> bool:
    """Whether the act may follow those of the part without a look in between.

    It only gathers; what is sent at once is decided anew, on the page as it is then.
    """
    first, last = part[0], part[-1]
    if len(part) >= LONGEST or act.aside or first.aside or act.path != first.path:
        return False
    if act.trip == last.trip:
        return True
    goes_on = last.enters or (last.element is not None and last.element.role in _TICKS)
    return goes_on and _container(act) == _container(last) and first.finds(act) is True


def _container(act: Act) -> str | None:
    element = act.element
    if element is None:
        return None
    return container(Node(id="", role=element.role, name=element.name, group=element.group))


def _again(old: Act, act: Act) -> bool:
    """Whether the act enters anew what the old one entered."""
    return act.enters and act.action.name == old.action.name and act.element == old.element


def _step(
    part: list[Act], following: list[Act] | None, values: Values, end_url: str
) -> RecordedStep:
    actions = tuple(recorded(act, values) for act in part)
    return RecordedStep(
        description=_told(actions),
        path=values.without(part[0].path),
        actions=actions,
        check=_check(part, following, values, end_url),
    )


def _told(actions: tuple[RecordedAction, ...]) -> str:
    return "; ".join(action.description or action.name for action in actions)


def _check(part: list[Act], following: list[Act] | None, values: Values, end_url: str) -> Check:
    """What showed that the step was done: the page that followed, and what the next step needs."""
    path = following[0].path if following else path_of(end_url)
    moved = values.without(path) if path != part[0].path else None
    new = following[0] if following and part[0].finds(following[0]) is not True else None
    shown = reference(new, values) if new is not None and not new.aside else None
    success = following is None and says_success(part[-1])
    told = [f"the page is {moved}"] if moved else []
    told += (
        [f"{ROLE_WORDS.get(shown.role, 'element')} '{shown.name}' is there"]
        if shown and shown.name
        else []
    )
    told += ["the page says that it went well"] if success else []
    return Check(
        description="; ".join(told),
        path=moved,
        appears=(shown,) if shown is not None and shown.name else (),
        says_success=success,
    )
