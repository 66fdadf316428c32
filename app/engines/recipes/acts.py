"""What a task did, as a recipe is made from: its deeds, and what their stored rows add."""

from collections.abc import Iterable
from itertools import zip_longest

from app.domain.action import Action
from app.domain.base import Value
from app.domain.dialog import DialogDecision
from app.domain.page import MASK
from app.domain.plan import Deed
from app.domain.skill import ElementRef
from app.domain.task import TaskAction
from app.engines.recipes.paths import path_of
from app.engines.redaction import SECRET_FIELD
from app.engines.risk import is_risky
from app.engines.risk.lexicon import speaks_of
from app.engines.verification.messages import kind_of

ENTERING = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})
_ASIDE = frozenset({"dismiss overlay", "dismiss_overlay"})
_SKELETON_CHARS = 1_000  # a longer one was cut: what it does not hold may have been there


class Act(Value):
    """One action that worked. Those of one `trip` were sent together; `skeleton` tells what was on
    the page before them, `fingerprint` which page it was. `origin` says whose its value is, None
    where that is not known; `aside`: it only cleared the way. `said` is what the page was seen to
    do then, in words.
    """

    action: Action
    element: ElementRef | None = None
    description: str = ""
    trip: int
    url: str
    fingerprint: str = ""
    skeleton: str = ""
    origin: str | None = None
    secret: bool = False
    aside: bool = False
    explores: bool = False
    dialog: DialogDecision | None = None
    said: tuple[str, ...] = ()

    @property
    def enters(self) -> bool:
        """Whether it gives a field its value."""
        return self.action.name in ENTERING

    @property
    def commits(self) -> bool:
        """Whether it may have changed something that going back does not undo."""
        if self.action.name in ("pressKey", "dragTo", "uploadFile"):
            return True
        name = self.element.name if self.element else ""
        return self.action.name == "click" and (is_risky(name) or speaks_of("submit", name))

    @property
    def path(self) -> str:
        """Of the page it was taken on."""
        return path_of(self.url)

    def finds(self, other: "Act") -> bool | None:
        """Whether the other's element was on the page before this; None where that is not told."""
        element = other.element
        if element is None or not self.skeleton:
            return None
        label = f"{element.role} {element.name}".strip()
        place = f"{element.group or 'page'}: "
        for line in self.skeleton.splitlines():
            if line.startswith(place) and label in _labels(line.removeprefix(place)):
                return True
        return None if len(self.skeleton) >= _SKELETON_CHARS else False


def _labels(listed: str) -> set[str]:
    """The labels of a skeleton's line, without the counts behind them."""
    found = set(listed.split(", "))
    return found | {label.rpartition(" x")[0] for label in found}


def acts_of(deeds: Iterable[Deed], rows: Iterable[TaskAction]) -> list[Act]:
    """The actions that worked, oldest first; failed tries and waits are none of them."""
    rows = tuple(rows)
    stored = {row.action_id: row for row in rows}
    before = {row.step_index: row.before for row in rows if row.before}
    made = []
    for at, deed in enumerate(deeds):
        row = stored.get(deed.action_id)
        if deed.status != "success" or deed.action.name == "wait":
            continue
        made.append(_act(deed, row, before, at))
    return made


def _act(deed: Deed, row: TaskAction | None, before: dict[int, dict[str, str]], at: int) -> Act:
    element = _element(deed)
    trip = row.step_index if row is not None else -1 - at
    was = before.get(trip, {})
    verdict = (row.verification if row is not None else None) or {}
    provenance = (row.provenance if row is not None else None) or {}
    return Act(
        action=deed.action,
        element=element,
        description=deed.description,
        trip=trip,
        url=str(was.get("url") or deed.url),
        fingerprint=deed.fingerprint,
        skeleton=str(was.get("semanticSkeleton") or ""),
        origin=provenance.get("origin"),
        secret=_is_secret(deed, row, element),
        aside=deed.strategy in _ASIDE or (deed.purpose == "correct" and _dismisses(element)),
        explores=deed.purpose == "explore",
        said=(str(verdict.get("reason") or ""), *map(str, verdict.get("observations") or ())),
    )


def _element(deed: Deed) -> ElementRef | None:
    return None if deed.signature is None else ElementRef.of(deed.signature)


def _is_secret(deed: Deed, row: TaskAction | None, element: ElementRef | None) -> bool:
    """Whether what it types was kept out of its row, or its field asks for such a thing."""
    if deed.action.name != "setValue":
        return False
    masked = deed.action.args.get("text") == MASK or (row is not None and MASK in row.action)
    return masked or bool(element and SECRET_FIELD.search(element.name))


def _dismisses(element: ElementRef | None) -> bool:
    return element is not None and speaks_of("dismiss", element.name)


def says_success(act: Act) -> bool:
    """Whether the page was seen to say that it went well."""
    return any(kind_of(text) == "success" for text in act.said)


def worth(acts: list[Act]) -> list[Act]:
    """The acts without detours: ways that were gone and come back from, and looks that showed
    nothing of what followed.
    """
    return _without_looks(_without_returns(acts))


def _without_returns(acts: list[Act]) -> list[Act]:
    """Between two looks at the same page nothing was done that stayed, unless something was
    handed in meanwhile.
    """
    kept: list[Act] = []
    for act in acts:
        if act.trip == (kept[-1].trip if kept else None):
            kept.append(act)
            continue
        seen = next((i for i, old in enumerate(kept) if old.fingerprint == act.fingerprint), None)
        if seen is not None and act.fingerprint and not any(o.commits for o in kept[seen:]):
            del kept[seen:]
        kept.append(act)
    return kept


def _without_looks(acts: list[Act]) -> list[Act]:
    """A look that is followed by something that was there before it led to nothing."""
    kept = []
    for act, following in zip_longest(acts, acts[1:]):
        led_nowhere = following is not None and following.path == act.path and act.finds(following)
        if act.explores and led_nowhere:
            continue
        kept.append(act)
    return kept


class NotARecipe(Exception):
    """The task cannot be done again by rule; the message says why, to a person."""
