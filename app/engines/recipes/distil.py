"""A completed task made into a recipe: what worked, in few steps, without its values."""

from itertools import zip_longest

from app.domain.action import Arg
from app.domain.base import Value
from app.domain.directive import Instruction
from app.domain.page import Node
from app.domain.recipe import Check, Parameter, RecordedAction, RecordedStep
from app.domain.sites import site_of
from app.domain.skill import ElementRef
from app.engines.chain import LONGEST
from app.engines.planning.wording import ROLE_WORDS
from app.engines.recipes.acts import Act, NotARecipe, says_success, worth
from app.engines.recipes.paths import address_of, can_be_gone_to, path_of
from app.engines.recipes.values import Values, shared
from app.engines.risk.controls import container
from app.text import patterns

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


_TYPED = {"setValue": "text", "selectOption": "label", "uploadFile": "name"}
_OF_RECORD = frozenset({"row", "item"})
_DATA = frozenset({"row", "opt"})  # roles whose names are what the page holds, and no labels
_PLACES = frozenset({"click", "hover", "setChecked"})
_UNREPEATABLE = {
    "clickAt": "a step was done at a point of the picture, which says nothing of what it was",
    "dragTo": "something was dragged, and a recipe keeps one control for a step",
    "switchTab": "it went to another tab by its place",
    "closeTab": "it closed a tab",
    "openTab": "it opened a tab",
}


def typed_value(act: Act) -> str | None:
    """What the act types or chooses; None for one that does neither, or that empties a field."""
    key = _TYPED.get(act.action.name)
    return str(act.action.args[key]) or None if key else None


def bind(act: Act, values: Values, told: tuple[str, ...], following: Act | None) -> None:
    """Take the act's values in as parameters. Raises `NotARecipe` for one that nobody named."""
    if (why := _UNREPEATABLE.get(act.action.name)) is not None:
        raise NotARecipe(why.capitalize())
    value, label = typed_value(act), act.element.name if act.element else ""
    if act.secret:
        values.hole("", label or "password", secret=True)
    elif value is not None:
        if act.origin is None and shared(value, told) != value:
            raise NotARecipe(f"Nobody named the value that was entered as '{label}'")
        values.hole(value, label)
    if act.element is not None and act.action.name in _PLACES:
        _bind_record(act, act.element, values, told, following)


def _bind_record(
    act: Act, element: ElementRef, values: Values, told: tuple[str, ...], following: Act | None
) -> None:
    """The record that the act is about, where it is about one: the goal must name it."""
    data = [label for kind, label in _groups(element.group) if kind in _OF_RECORD and label]
    if element.role in _DATA and element.name:
        data.append(element.name)
    for text in data:
        if values.without(text) != text:
            continue
        named = shared(text, told)
        if named is None:
            raise NotARecipe(f"It acts on a record that the goal does not name ({element.role})")
        values.hole(named, _kind_of_record(named, told))
    opens = following is not None and not can_be_gone_to(following.path)
    if element.role == "link" and opens and values.without(element.name) == element.name:
        named = shared(element.name, told)
        if named is not None:
            values.hole(named, _kind_of_record(named, told))


def _kind_of_record(named: str, told: tuple[str, ...]) -> str:
    """What the person calls such a record: the word before its name."""
    for saying in told:
        before = patterns.search(
            rf"([^\W\d_]{{3,}})\s+['\"“]?{patterns.escape(named)}", saying, patterns.IGNORECASE
        )
        if before and before[1].casefold() not in {"the", "for", "named", "called", "with"}:
            return before[1].casefold()
    return "record"


def bind_directives(instruction: Instruction | None, acts: list[Act], values: Values) -> None:
    """The records that the goal was read to be about, where a control's name holds them."""
    for directive in instruction.directives if instruction else ():
        target = directive.target
        if target is None or not target.within:
            continue
        names = [act.element.name for act in acts if act.element is not None]
        if any(target.within.casefold() in name.casefold() for name in names):
            values.hole(target.within, target.phrase or "record")


def recorded(act: Act, values: Values) -> RecordedAction:
    """The act without its values."""
    return RecordedAction(
        name=act.action.name,
        element=reference(act, values),
        args=_args(act, values),
        description=values.without(act.description, short=act.enters),
        dialog=act.dialog.model_copy(update={"about": None}) if act.dialog else None,
        can_fail=act.aside or act.action.name in ("scroll", "hover"),
    )


def reference(act: Act, values: Values) -> ElementRef | None:
    """The act's element without its values; a record by its parameter alone."""
    element = act.element
    if element is None:
        return None
    parts = [_place(kind, label, act, values) for kind, label in _groups(element.group)]
    return ElementRef(role=element.role, name=values.without(element.name), group=" > ".join(parts))


def _place(kind: str, label: str, act: Act, values: Values) -> str:
    bare = values.without(label)
    if kind in _OF_RECORD and label:
        holes = patterns.findall(r"\{\w+\}", bare)
        bare = " ".join(dict.fromkeys(holes))  # what else stands in a record is nobody's business
    return f"{kind}: {bare}" if bare else kind


def _groups(group: str) -> list[tuple[str, str]]:
    parts = (part.partition(":") for part in group.split(" > ") if part)
    return [(kind.strip(), label.strip()) for kind, _, label in parts]


def _args(act: Act, values: Values) -> dict[str, Arg]:
    """The call's arguments but for ids, with parameters for its values."""
    kept: dict[str, Arg] = {k: v for k, v in act.action.args.items() if k != "id" or v == "page"}
    value, label = typed_value(act), act.element.name if act.element else ""
    if act.secret or value is not None:
        kept[_TYPED[act.action.name]] = values.hole(value or "", label, secret=act.secret)
    if act.action.name == "navigate":
        url = str(kept["url"])
        if not can_be_gone_to(path_of(url)):
            raise NotARecipe("It went to an address of one record")
        kept["url"] = address_of(url)
    return kept
