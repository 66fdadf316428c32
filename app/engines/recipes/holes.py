"""The acts of a task with parameters where its values stood."""

from app.domain.action import Arg
from app.domain.directive import Instruction
from app.domain.recipe import RecordedAction
from app.domain.skill import ElementRef
from app.engines.recipes.acts import Act, NotARecipe
from app.engines.recipes.paths import address_of, can_be_gone_to, path_of
from app.engines.recipes.values import Values, shared
from app.text import patterns

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
