"""Loop detection: whether a run repeats itself, and the reason to stop it."""

from collections.abc import Callable, Iterable
from itertools import groupby

from app.domain.action import ActionRecord
from app.domain.directive import Directive
from app.domain.plan import Plan

VELOCITY = 5  # DESIGN, "Loops": successes in a row without progress
MOST_ALIKE = 20  # things of one name that "all" may mean
_TWICE = 2  # a "Try again" may be pressed once more on a page that looks the same
_PATIENCE = 3  # and these a little longer
_PATIENT = frozenset({"wait", "scroll", "pressKey"})
_ENTERING = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})
_CHOICES = frozenset({"chk", "rad", "opt", "sel"})

_Chain = tuple[ActionRecord, ...]
_Key = tuple[str, tuple[str, str, str] | None]


def requested_repeats(plan: Plan) -> int:
    """How often the person's command says to do the current step."""
    step = plan.step
    return _times(step.directive) if step is not None and step.directive is not None else 1


def _times(directive: Directive) -> int:
    each = directive.target is not None and directive.target.all
    return MOST_ALIKE if each else directive.times


def find_loop(
    deeds: tuple[ActionRecord, ...],
    *,
    times: int = 1,
    own: bool = True,
    ended: bool = False,
    now: Callable[[], str] | None = None,
) -> str | None:
    """Why the run should stop, naming what repeats; None while it progresses.

    `times`: see `requested_repeats`. `own`: the steps are the person's, so each is intended and may
    repeat another. `ended`: the last chain completed its step, which is progress. `now` is the
    page's fingerprint.
    """
    if ended and own:
        return None
    return _repeated(deeds, times, own=own, now=now) or (
        None if ended else _without_progress(deeds, times, now)
    )


def _repeated(
    deeds: tuple[ActionRecord, ...], times: int, *, own: bool, now: Callable[[], str] | None
) -> str | None:
    """The same action on the same element on pages that look the same.

    Only successful actions count: corrections repeat failed ones on purpose. Once more is no loop
    if it led to a new page.
    """
    last = deeds[-1] if deeds else None
    if last is None or not _counts(last):
        return None
    same = [
        chain
        for chain in _chains(deeds)
        if any(_is_same(deed, last) and (not own or deed.step == last.step) for deed in chain)
    ]
    most = max(times, _PATIENCE if last.action.name in _PATIENT else _TWICE)
    if len(same) <= most or (len(same) == most + 1 and _is_new(now, deeds)):
        return None
    return (
        f"{_words(last)} was done {len(same)} times on a page that looked the same each time; "
        "doing it again would not help"
    )


def _without_progress(
    deeds: tuple[ActionRecord, ...], times: int, now: Callable[[], str] | None
) -> str | None:
    """A number of successes of which none completed a step, filled a field, or led to a new page.

    A page that changes on its own is always new; there the step limit ends the run.
    """
    pages: set[str] = set()
    known: set[_Key] = set()
    idle: list[ActionRecord] = []
    step = -1
    for chain in _chains(deeds):
        last = chain[-1]
        gets_on = last.step > step or any(_fills(d) and _key(d) not in known for d in chain)
        is_new_page = bool(chain[0].fingerprint) and chain[0].fingerprint not in pages
        step = max(step, last.step)
        pages.add(chain[0].fingerprint)
        if any(deed.status != "success" for deed in chain):
            idle = []
            continue
        known |= {_key(deed) for deed in chain}
        idle = [] if gets_on or is_new_page else [*idle, last]
    if len(idle) >= max(VELOCITY, times) and not (now and now() not in pages):
        done = ", ".join(dict.fromkeys(_words(deed) for deed in idle[-VELOCITY:]))
        return f"{len(idle)} actions in a row worked but brought nothing new: {done}"
    return None


def _chains(deeds: Iterable[ActionRecord]) -> list[_Chain]:
    """The records by chain; records without a chain stand alone.

    Repetition within a chain is intended and verified once.
    """
    numbered = enumerate(deeds, start=1)
    grouped = groupby(numbered, key=lambda pair: pair[1].chain_number or -pair[0])
    return [tuple(deed for _, deed in group) for _, group in grouped]


def _key(deed: ActionRecord) -> _Key:
    """The action with its exact element; two of one name are two."""
    return deed.action.text, deed.signature


def _fills(deed: ActionRecord) -> bool:
    role = deed.signature[0] if deed.signature else ""
    return deed.action.name in _ENTERING or (deed.action.name == "click" and role in _CHOICES)


def _words(deed: ActionRecord) -> str:
    return f"'{deed.description or deed.action.text}'"


def _is_new(now: Callable[[], str] | None, deeds: tuple[ActionRecord, ...]) -> bool:
    return now is not None and now() not in {deed.fingerprint for deed in deeds}


def _counts(deed: ActionRecord) -> bool:
    return deed.status == "success" and deed.purpose != "correct" and bool(deed.fingerprint)


def _is_same(deed: ActionRecord, last: ActionRecord) -> bool:
    return _counts(deed) and deed.fingerprint == last.fingerprint and _key(deed) == _key(last)
