"""Browser actions: the catalog of calls, what is sent to the browser, and the results."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

from app.domain.base import Value, renamed_field
from app.domain.page import MASK, DialogDecision
from app.domain.verdict import ExpectedOutcome

Origin = Literal["goal", "answer", "page", "knowledge", "search", "memory", "subtask"]


class Provenance(Value):
    """The source of a typed value: the `excerpt` it was found in and, if known, `ref`, the address,
    document or question that contains it. `operation` says how the value was derived from the excerpt
    (`sum`, `translation`, `picture`, `chosen`); empty for a copy.
    """

    origin: Origin
    excerpt: str = ""
    ref: str | None = None
    operation: str = ""


ActionName = Literal[
    "click", "clickAt", "doubleClick", "rightClick", "press", "setValue", "selectText",
    "selectOption", "setChecked", "pressKey", "hover", "scroll", "dragTo", "drag", "draw",
    "uploadFile", "navigate", "goBack", "openTab", "switchTab", "closeTab", "wait",
    "googleSearch", "extract", "find", "read", "verifySuccess", "finish", "fail",
]  # fmt: skip

Point = tuple[int, int]
Arg = str | int | bool | tuple[Point, ...]

PARAMETERS: Mapping[str, tuple[tuple[str, type], ...]] = MappingProxyType(
    {
        "click": (("id", str),),
        "clickAt": (("x", int), ("y", int)),
        "doubleClick": (("id", str),),
        "rightClick": (("id", str),),
        "press": (("id", str), ("ms", int)),
        "setValue": (("id", str), ("text", str)),
        "selectText": (("id", str), ("text", str)),
        "selectOption": (("id", str), ("label", str)),
        "setChecked": (("id", str), ("checked", bool)),
        "pressKey": (("key", str),),
        "hover": (("id", str),),
        "scroll": (("id", str), ("direction", str)),
        "dragTo": (("id", str), ("targetId", str)),
        "drag": (("x1", int), ("y1", int), ("x2", int), ("y2", int)),
        "draw": (("points", tuple),),
        "uploadFile": (("id", str), ("name", str)),
        "navigate": (("url", str),),
        "goBack": (),
        "openTab": (("url", str),),
        "switchTab": (("index", int),),
        "closeTab": (),
        "wait": (("ms", int),),
        "googleSearch": (("query", str),),
        "extract": (("question", str),),
        "find": (("text", str),),
        "read": (("id", str),),
        "verifySuccess": (("what", str),),
        "finish": (("message", str),),
        "fail": (("reason", str),),
    }
)
"""Each action's parameters in order, as in CONTRACT."""

ALTERNATIVE_PARAMETERS: Mapping[str, tuple[tuple[str, type], ...]] = MappingProxyType(
    {
        "doubleClick": (("x", int), ("y", int)),
        "rightClick": (("x", int), ("y", int)),
        "hover": (("x", int), ("y", int)),
        "press": (("x", int), ("y", int), ("ms", int)),
        "selectText": (("id", str),),
        "scroll": (("id", str), ("x", int), ("y", int)),
        "wait": (("id", str), ("shows", str), ("ms", int)),
        "uploadFile": (("id", str), ("name", str), ("text", str)),
        "dragTo": (("id", str), ("x", int), ("y", int)),
    }
)
"""Alternative parameters of some actions: a window coordinate, all text, pixels to scroll by, the content
of a generated file.
"""

ACTION_NAMES: tuple[str, ...] = get_args(ActionName)

PRESSES = frozenset({"click", "doubleClick", "press"})
"""Actions that press a control by its id."""

POINT_ACTIONS = frozenset({"clickAt", "drag", "draw"})
"""Actions that use window coordinates, in CSS pixels."""

MAY_PRESS = PRESSES | POINT_ACTIONS | {"pressKey"}
"""Actions that may press a control, by id or by coordinates."""

LOOKUPS = frozenset({"find", "read"})
"""Actions answered from the observation that was sent, without the browser."""

PAGE_WIDE = frozenset({"scroll", "selectText", "read", "wait"})
"""Actions that may target the whole page with the id "page"."""

_COORDINATES = frozenset({"x", "y", "x1", "y1", "x2", "y2"})
DIRECTIONS = frozenset({"up", "down", "left", "right"})


def parameters_of(name: ActionName, count: int) -> tuple[tuple[str, type], ...]:
    """The parameters of the form that takes `count` arguments; the primary form's if none does."""
    others = ALTERNATIVE_PARAMETERS.get(name, ())
    return others if others and len(others) == count else PARAMETERS[name]


class Action(Value):
    """One action; `args` are exactly the parameters of one of its forms."""

    name: ActionName
    args: dict[str, Arg] = {}

    @property
    def parameters(self) -> tuple[tuple[str, type], ...]:
        return parameters_of(self.name, len(self.args))

    @property
    def target(self) -> str | None:
        """The id of the element acted on; None if there is none or it is "page"."""
        found = self.args.get("id")
        return found if isinstance(found, str) and found != "page" else None

    @property
    def entered(self) -> str | None:
        """The text that the action enters in a field or puts in a file; None if there is none."""
        text = self.args.get("text") if self.name in ("setValue", "uploadFile") else None
        return text if isinstance(text, str) else None

    @property
    def points(self) -> tuple[Point, ...]:
        """The window coordinates the action uses, in order."""
        match self.name:
            case "clickAt" | "doubleClick" | "rightClick" | "hover" | "press" | "dragTo" if (
                "x" in self.args
            ):
                keys: tuple[tuple[str, str], ...] = (("x", "y"),)
            case "drag":
                keys = (("x1", "y1"), ("x2", "y2"))
            case "draw":
                found = self.args["points"]
                return found if isinstance(found, tuple) else ()
            case _:
                keys = ()
        return tuple((_number(self.args[x]), _number(self.args[y])) for x, y in keys)

    def scaled(self, factor: float) -> "Action":
        """Convert screenshot pixels to window pixels: multiply the coordinates by `factor`."""
        if factor == 1 or not self.points:
            return self
        args = {
            key: round(value * factor) if key in _COORDINATES and isinstance(value, int) else value
            for key, value in self.args.items()
        }
        if isinstance(line := args.get("points"), tuple):
            args["points"] = tuple((round(x * factor), round(y * factor)) for x, y in line)
        return self.model_copy(update={"args": args})

    @property
    def masked(self) -> "Action":
        if "text" not in self.args:
            return self
        return self.model_copy(update={"args": {**self.args, "text": MASK}})

    @property
    def text(self) -> str:
        """The call as written: `click("14")`."""
        values = (self.args[name] for name, _ in self.parameters)
        return f"{self.name}({', '.join(json.dumps(v, ensure_ascii=False) for v in values)})"


def _number(arg: Arg) -> int:
    return arg if isinstance(arg, int) else 0


def action(name: ActionName, *values: Arg) -> Action:
    """Build an action from positional arguments: `action("setValue", "14", "Jas")`."""
    keys = (key for key, _ in parameters_of(name, len(values)))
    return Action(name=name, args=dict(zip(keys, values, strict=True)))


class PlannedAction(Value):
    """An action to be sent to the browser, with a description for people."""

    action_id: str
    action: Action
    description: str
    element: str = ""  # role and name of the element, for records and corrections
    can_fail: bool = False
    dialog: DialogDecision | None = None
    secret: bool = False  # the typed value is a password; it is kept out of every row
    provenance: Provenance | None = None  # of the typed or chosen value
    grave: bool = False  # hard to undo according to the risk engine, or needed approval

    @property
    def redacted(self) -> Action:
        """The action in the form that may be stored."""
        return self.action.masked if self.secret else self.action


ActionStatus = Literal["pending", "success", "failure", "unknown"]


class ActionRecord(Value):
    """The record of one action sent to the browser, and its result. This is the run's own memory.

    `step` is the index of the plan step it served, `fingerprint` that of the page it was taken on.
    `signature` is the (role, name, group) of the element. `previous_value` is the field's value before,
    empty for a password. `chain_number` is the 1-based index of its chain within the task, 0 if unknown.
    """

    action: Action
    action_id: str = ""
    description: str = ""
    step: int = 0
    fingerprint: str = ""
    signature: tuple[str, str, str] | None = None
    status: ActionStatus = "pending"
    purpose: Literal["work", "explore", "correct"] = "work"
    note: str = ""
    url: str = ""
    previous_value: str = renamed_field("", "previous_value", stored="replaced")
    error: str = ""  # the reason for a failure: the client's code, or VERIFICATION_FAILED
    strategy: str = ""  # the correction strategy
    skill: str | None = None  # id of the skill that proposed it
    chain_number: int = renamed_field(0, "chain_number", stored="chain")
    ends_step: bool = True  # success completes the step: it ends a chain that says so


class Chain(Value):
    """The last chain sent to the browser, and the expected outcome."""

    actions: tuple[PlannedAction, ...] = ()
    expected: ExpectedOutcome = ExpectedOutcome()
    completes_step: bool = True
    purpose: Literal["work", "explore", "correct"] = "work"


class ClientReport(Value):
    """What the client reports about the actions it was sent.

    `unknown`: it cannot tell whether the action happened. `executed_index` is the index of the last action
    of the chain that succeeded, -1 if none did, None if not reported; `executed` lists the successful ones
    if not all succeeded. `unanswered`: the last click was performed but the page did not react.
    """

    status: Literal["success", "failure", "unknown"] = "success"
    error_code: str | None = None
    error_message: str | None = None
    executed_index: int | None = None
    executed: tuple[str, ...] | None = None
    unanswered: bool = False
