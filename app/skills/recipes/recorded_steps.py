"""The actions of a task as input for a recipe: its records and their stored rows."""

from collections.abc import Iterable

from app.domain.action import Action, ActionRecord
from app.domain.base import Value
from app.domain.page import MASK, DialogDecision, ElementRef
from app.domain.redaction import SECRET_FIELD
from app.domain.task import TaskAction
from app.page import message_kind
from app.skills.recipes.recipe_plan import page_path
from app.text.lexicon import speaks_of

_TYPED = {"selectOption": "label", "uploadFile": "name"}


class NotARecipe(Exception):
    """The task cannot be replayed by rules; the message tells the person why."""


class Act(Value):
    """One action that worked. Acts of one `trip` were sent together; `skeleton` outlines the page before
    them. `origin` is the source of its value (None: unknown). `aside`: it only removed an obstacle.
    `ended_well`: the page reported success.
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
        """The argument with the typed or chosen value."""
        return "text" if self.action.entered is not None else _TYPED.get(self.action.name)

    @property
    def value(self) -> str:
        """The typed or chosen value; "" if there is none or the field was emptied."""
        return str(self.action.args[self.value_key]) if self.value_key else ""

    @property
    def label(self) -> str:
        """The name of its control."""
        return self.element.name if self.element else ""

    @property
    def path(self) -> str:
        """The path of the page it was taken on."""
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


def list_acts(deeds: Iterable[ActionRecord], rows: Iterable[TaskAction]) -> list[Act]:
    """The actions that worked, oldest first, without failed attempts and waits."""
    rows = tuple(rows)
    stored = {row.action_id: row for row in rows}
    before = {row.step_index: row.before for row in rows if row.before}
    return [
        _act(deed, stored.get(deed.action_id), before, at)
        for at, deed in enumerate(deeds)
        if deed.status == "success" and deed.action.name != "wait"
    ]


def _act(
    deed: ActionRecord, row: TaskAction | None, before: dict[int, dict[str, str]], at: int
) -> Act:
    element = ElementRef.of(deed.signature) if deed.signature is not None else None
    trip = row.step_index if row is not None else -1 - at
    was = before.get(trip, {})
    verdict = (row.verification if row is not None else None) or {}
    provenance = (row.provenance if row is not None else None) or {}
    said = (verdict.get("reason") or "", *(verdict.get("observations") or ()))
    name = element.name if element is not None else ""
    dismisses = deed.purpose == "correct" and speaks_of("dismiss", name)
    return Act(
        action=deed.action,
        element=element,
        description=deed.description,
        trip=trip,
        url=str(was.get("url") or deed.url),
        skeleton=str(was.get("semanticSkeleton") or ""),
        origin=provenance.get("origin"),
        secret=deed.action.name == "setValue" and _is_secret(deed, row, name),
        aside=deed.strategy == "dismiss overlay" or dismisses,
        ended_well=any(message_kind(str(text)) == "success" for text in said),
    )


def _is_secret(deed: ActionRecord, row: TaskAction | None, name: str) -> bool:
    """Whether the typed value was kept out of its row, or its field is for secrets."""
    masked = deed.action.args.get("text") == MASK or (row is not None and MASK in row.action)
    return masked or SECRET_FIELD.search(name) is not None
