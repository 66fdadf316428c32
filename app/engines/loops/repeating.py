"""The same action on the same page, again and again or in turn with another."""

from collections.abc import Callable, Hashable
from itertools import pairwise

from app.domain.plan import Deed
from app.engines.correction.overlays import DISMISS
from app.engines.correction.putting_aside import only_puts_aside
from app.engines.loops.asked import Asked
from app.engines.loops.deeds import Chained, chains, key, words

_PATIENT = frozenset(
    {"wait", "scroll", "pressKey"}
)  # may be repeated where the page looks the same
_PATIENCE = 3
OVER_STEPS = 3  # times the same may be done on the same page in steps that a model makes up
_TURNS = 4  # A, B, A, B
RESTLESS_TURNS = 8  # the same on a page that never stands still, and so always looks another


def repeated(
    deeds: tuple[Deed, ...],
    asked: Asked,
    *,
    ended: bool,
    now: Callable[[], str] | None = None,
) -> str | None:
    """The same action, by what it acts on, done on a page that looks the same.

    Only what was done counts: what failed is taken again on purpose, by a correction. Where it led to
    a page that is new the second time, something else had come up in between at first; what such a
    thing swallowed, so that it was put aside next, does not count once.
    """
    last = deeds[-1] if deeds else None
    if last is None or not _counts(last):
        return None
    same = [chain for chain in chains(deeds) if any(_is_same(deed, last) for deed in chain)]
    here = [chain for chain in same if any(deed.step == last.step for deed in chain)]
    patience = _PATIENCE if last.action.name in _PATIENT else 1
    over_steps = max(asked.times, patience, OVER_STEPS)
    most = max(asked.times, patience) + _was_swallowed(last, deeds)
    if not ended and len(here) > most and not (len(here) == most + 1 and _is_new(now, deeds)):
        count = len(here)
    elif not asked.own and len(same) > over_steps:
        count = len(same)
    else:
        return None
    return (
        f"{words(last)} was done {count} times on a page that looked the same each time; "
        "doing it again would not help"
    )


def _was_swallowed(last: Deed, deeds: tuple[Deed, ...]) -> bool:
    """Whether something came up instead when the same was done before, and was put aside for it."""
    return any(
        _is_same(deed, last) and only_puts_aside(then) and _is_aside(then, deed)
        for deed, then in pairwise(deeds)
    )


def _is_aside(then: Deed, deed: Deed) -> bool:
    """Whether it was done to clear the way: a step that was put before the one that it disturbed."""
    return then.strategy == DISMISS or then.purpose == "explore" or then.step < deed.step


def _is_new(now: Callable[[], str] | None, deeds: tuple[Deed, ...]) -> bool:
    return now is not None and now() not in {deed.fingerprint for deed in deeds}


def _counts(deed: Deed) -> bool:
    return deed.status == "success" and deed.purpose != "correct" and bool(deed.fingerprint)


def _is_same(deed: Deed, last: Deed) -> bool:
    return _counts(deed) and deed.fingerprint == last.fingerprint and key(deed) == key(last)


def alternating(deeds: tuple[Deed, ...], asked: Asked) -> str | None:
    """Two actions in turn, each on its own page; on pages that never stand still, for longer."""
    done = [chain for chain in chains(deeds) if all(_counts(deed) for deed in chain)]
    most = max(RESTLESS_TURNS, 2 * asked.times)
    if asked.own and len({deed.step for chain in done[-_TURNS:] for deed in chain}) > 1:
        return None
    if _alternate([_on_page(chain) for chain in done[-_TURNS:]], _TURNS) and asked.times < _TURNS:
        count = _TURNS // 2
    elif _alternate([_at_address(chain) for chain in done[-most:]], most):
        count = most // 2
    else:
        return None
    one, other = done[-2][-1], done[-1][-1]
    return f"{words(one)} and {words(other)} were done in turn {count} times and led back each time"


def _alternate(marks: list[Hashable], count: int) -> bool:
    if len(marks) < count:
        return False
    first, second = marks[0], marks[1]
    return first != second and all(
        mark == (second if at % 2 else first) for at, mark in enumerate(marks)
    )


def _on_page(chain: Chained) -> Hashable:
    return tuple((key(deed), deed.fingerprint) for deed in chain)


def _at_address(chain: Chained) -> Hashable:
    return tuple((key(deed), deed.url) for deed in chain)
