"""Whether a run goes round in circles, and in what words to stop it."""

from collections.abc import Callable

from app.domain.plan import Deed
from app.engines.loops.asked import Asked, asked_for
from app.engines.loops.idling import VELOCITY, without_progress
from app.engines.loops.repeating import alternating, repeated
from app.engines.loops.turning import turning

__all__ = ["VELOCITY", "Asked", "asked_for", "reflect"]

_ONCE = Asked()


def reflect(
    deeds: tuple[Deed, ...],
    *,
    asked: Asked = _ONCE,
    ended: bool = False,
    now: Callable[[], str] | None = None,
) -> str | None:
    """Why the run should stop, in words that name what repeats; None while it gets on.

    `asked` is what the person asked to be done over and over. `ended`: the last chain ended its
    step, which is progress. `now` gives the fingerprint of the page as it is.
    """
    return (
        repeated(deeds, asked, ended=ended, now=now)
        or alternating(deeds, asked)
        or turning(deeds, asked)
        or (None if ended else without_progress(deeds, asked, now))
    )
