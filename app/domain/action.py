"""Actions: the calls there are, what is sent to the browser, and what came of it."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

from app.domain.base import Value, renamed_field
from app.domain.page import MASK, DialogDecision
from app.domain.verdict import ExpectedOutcome

Origin = Literal["goal", "answer", "page", "knowledge", "search", "memory", "subtask"]


class Provenance(Value):
    """Where a typed value came from: the `excerpt` it was found in, and `ref`, the address,
    document or question that holds it, where it has one. `operation` says how a value was derived
    from the excerpt (`sum`, `translation`, `picture`, `chosen`); it is empty for one that was copied.
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
"""Each action's parameters in order, as CONTRACT writes them."""


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
"""The other parameters that some take: a point of the window, all text, pixels to scroll by, what a file is
to hold that is made for the page.
"""


ACTION_NAMES: tuple[str, ...] = get_args(ActionName)


PRESSES = frozenset({"click", "doubleClick", "press"})
"""Those that press a control named by its id."""


POINT_ACTIONS = frozenset({"clickAt", "drag", "draw"})
"""Those that go by points of the window, in CSS pixels."""


MAY_PRESS = PRESSES | POINT_ACTIONS | {"pressKey"}
"""Those that may press a control, named or not."""


LOOKUPS = frozenset({"find", "read"})
"""Those that are answered from the page as it was sent."""


PAGE_WIDE = frozenset({"scroll", "selectText", "read", "wait"})
"""Those that may be about all of the page, by the id "page"."""


_COORDINATES = frozenset({"x", "y", "x1", "y1", "x2", "y2"})


DIRECTIONS = frozenset({"up", "down", "left", "right"})


def parameters_of(name: ActionName, count: int) -> tuple[tuple[str, type], ...]:
    """The parameters of the way to write it that takes so many; those of the first where none does."""
    others = ALTERNATIVE_PARAMETERS.get(name, ())
    return others if others and len(others) == count else PARAMETERS[name]


class Action(Value):
    """One action; `args` hold exactly the parameters its name asks for, in one of its ways."""

    name: ActionName
    args: dict[str, Arg] = {}

    @property
    def parameters(self) -> tuple[tuple[str, type], ...]:
        """Those of the way in which it is written."""
        return parameters_of(self.name, len(self.args))

    @property
    def target(self) -> str | None:
        """The id of the element acted on, if there is one ("page" is none)."""
        found = self.args.get("id")
        return found if isinstance(found, str) and found != "page" else None

    @property
    def entered(self) -> str | None:
        """The text that it puts into the page, in a field or as a file; None where it puts none."""
        text = self.args.get("text") if self.name in ("setValue", "uploadFile") else None
        return text if isinstance(text, str) else None

    @property
    def points(self) -> tuple[Point, ...]:
        """The points of the window that it goes by, in order."""
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
        """The action with its points multiplied: from the pixels of a picture to those of the window."""
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
        """The action with its typed text replaced by the mask."""
        if "text" not in self.args:
            return self
        return self.model_copy(update={"args": {**self.args, "text": MASK}})

    @property
    def text(self) -> str:
        """The call as it is written: `click("14")`."""
        values = (self.args[name] for name, _ in self.parameters)
        return f"{self.name}({', '.join(json.dumps(v, ensure_ascii=False) for v in values)})"


def _number(arg: Arg) -> int:
    return arg if isinstance(arg, int) else 0


def action(name: ActionName, *values: Arg) -> Action:
    """An action from its positional arguments: `action("setValue", "14", "Jas")`."""
    keys = (key for key, _ in parameters_of(name, len(values)))
    return Action(name=name, args=dict(zip(keys, values, strict=True)))


class PlannedAction(Value):
    """An action on its way to the browser, in the words a person would use for it."""

    action_id: str
    action: Action
    description: str
    element: str = ""  # role and name of the element, for records and corrections
    can_fail: bool = False
    dialog: DialogDecision | None = None
    secret: bool = False  # what is typed is a password: kept out of every row
    provenance: Provenance | None = None  # of what is typed or chosen
    grave: bool = False  # hard to undo, as the risk engine says, or a person had to agree to it

    @property
    def redacted(self) -> Action:
        """The action as it may be stored."""
        return self.action.masked if self.secret else self.action


ActionStatus = Literal["pending", "success", "failure", "unknown"]


class ActionRecord(Value):
    """One action that was sent to the browser, and what came of it: the run's own memory.

    `step` is the index of the plan step it served, `fingerprint` that of the page it was taken on.
    `signature` is the (role, name, group) of the element acted on. `previous_value` is what the field held
    before, empty for a password. `chain_number` is the 1-based index of its chain within the task, 0 if
    unknown.
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
    error: str = ""  # why it failed: the client's code, or VERIFICATION_FAILED
    strategy: str = ""  # of a correction
    skill: str | None = None  # the skill that proposed it
    chain_number: int = renamed_field(0, "chain_number", stored="chain")
    ends_step: bool = True  # the step is done when it works: it is the last of a chain that says so


class Chain(Value):
    """What was sent to the browser last, with what was expected of it."""

    actions: tuple[PlannedAction, ...] = ()
    expected: ExpectedOutcome = ExpectedOutcome()
    completes_step: bool = True
    purpose: Literal["work", "explore", "correct"] = "work"


class ClientReport(Value):
    """What the client says of the actions it was sent.

    `unknown`: it cannot say whether the action happened. `executed_index` is that of the last one that
    succeeded in a chain, -1 when none did, None when the client did not say; `executed` are those that
    did, where not all of them. `unanswered`: its last click was done, and nothing in the page answered it.
    """

    status: Literal["success", "failure", "unknown"] = "success"
    error_code: str | None = None
    error_message: str | None = None
    executed_index: int | None = None
    executed: tuple[str, ...] | None = None
    unanswered: bool = False
