"""The vocabulary of scenes: actions by the names of controls, moves, and how the truth is read."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.action import Action, ActionName, Arg, action
from app.domain.page import DialogDecision

if TYPE_CHECKING:
    from bench.transitions.stage import Take

Body = dict[str, Any]
Truth = str | Callable[["Take"], "bool | Awaitable[bool]"]
"""An expression in the page's own world, or a query of its server; never what the tree shows."""
Arranging = Callable[["Take"], Awaitable[Any]]

WITHOUT_NODE = frozenset(
    {"pressKey", "navigate", "goBack", "openTab", "switchTab", "closeTab", "wait"}
)


@dataclass(frozen=True, slots=True)
class Act:
    """One action as a scene writes it: `target` is the name (or hint) of a control in the observation before.

    `nth` counts those of that name (and `role`) from 0. A target "id:900" is used as it is: an element
    that does not exist. `can_fail` and `dialog` are as in `PlannedAction`.
    """

    name: ActionName
    target: str = ""
    values: tuple[Arg, ...] = ()
    role: str | None = None
    nth: int = 0
    can_fail: bool = False
    dialog: DialogDecision | None = None

    def action(self, body: Body) -> Action:
        """The action with the ids of this observation. Raises `LookupError` with the available controls."""
        if self.name in WITHOUT_NODE:
            return action(self.name, *self.values)
        values = self.values
        target = find_control(body, self.target, self.role, self.nth)
        if self.name == "clickAt":
            x, y = next(n["xy"] for n in body["interactiveTree"] if n["i"] == target)
            return action("clickAt", round(x), round(y))
        if self.name == "dragTo":
            values = (find_control(body, str(values[0])),)
        return action(self.name, target, *values)


def find_control(body: Body, name: str, role: str | None = None, nth: int = 0) -> str:
    """The id of the control of that name. Raises `LookupError` with the available controls."""
    if name.startswith("id:") or name == "page":
        return name.removeprefix("id:")
    fits = [
        n
        for n in body["interactiveTree"]
        if name in (n.get("n", ""), n.get("h", "")) and role in (None, n["r"])
    ]
    if len(fits) <= nth:
        there = [(n["r"], n.get("n"), n.get("h")) for n in body["interactiveTree"]]
        raise LookupError(f"{name!r} ({role}) is not among {there}")
    return str(fits[nth]["i"])


def click(name: str, role: str | None = None, **more: Any) -> Act:
    return Act("click", name, role=role, **more)


def put(name: str, text: str, role: str | None = None, **more: Any) -> Act:
    return Act("setValue", name, (text,), role=role, **more)


def choose(name: str, label: str, role: str | None = None, **more: Any) -> Act:
    return Act("selectOption", name, (label,), role=role, **more)


def check(name: str, on: bool = True, role: str | None = None, **more: Any) -> Act:
    return Act("setChecked", name, (on,), role=role, **more)


def key(name: str, **more: Any) -> Act:
    return Act("pressKey", values=(name,), **more)


def hover(name: str, **more: Any) -> Act:
    return Act("hover", name, **more)


def scroll(name: str = "page", direction: str = "down", **more: Any) -> Act:
    return Act("scroll", name, (direction,), **more)


def drag(name: str, target: str) -> Act:
    return Act("dragTo", name, (target,))


def go(path: str) -> Act:
    """Navigate to a path of the site; the stage adds its origin."""
    return Act("navigate", values=(path,))


def back() -> Act:
    return Act("goBack")


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Acts that are sent together, and the truth about their effect.

    `truth`: whether they had their effect; `done`, of a `last` step: whether the task is done (default:
    `truth`). `step` is the plan step's description. `mode` is how the server answers from
    now on. `again` (ms): the page is observed twice, first while the server holds its answer (label:
    not yet), then, after its release, with the answer. `first` runs before the acts are sent,
    `meanwhile` after, like a person beside the run.
    """

    kind: str
    acts: tuple[Act, ...]
    truth: Truth
    last: bool = False
    done: Truth | None = None
    step: str = ""
    goal: str | None = None
    mode: str | None = None
    first: Arranging | None = None
    meanwhile: Arranging | None = None
    again: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One run on one page: its moves in order. `ready` is waited for before the first observation."""

    name: str
    page: str
    path: str
    moves: tuple[Move, ...]
    goal: str = "Work on this page"
    mode: str = "ok"
    ready: str = ""
    held_out: bool = False
    arrange: Arranging | None = None


def one(
    name: str, kind: str, act: Act | tuple[Act, ...], truth: Truth, step: str = "", **more: Any
) -> tuple[str, Move]:
    """A name and a move, for tables of scenes with one move each."""
    acts = act if isinstance(act, tuple) else (act,)
    return name, Move(kind=kind, acts=acts, truth=truth, step=step, **more)


def table(page: str, path: str, *rows: tuple[str, Move], **more: Any) -> tuple[Scene, ...]:
    """A scene per row, all on one page; the step is the goal if the move is the last."""
    return tuple(
        Scene(
            name=f"{page}/{name}",
            page=page,
            path=path,
            moves=(move,),
            goal=move.goal or move.step or "Work on this page",
            **more,
        )
        for name, move in rows
    )
