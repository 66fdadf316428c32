"""Successes that bring the task no further."""

from collections.abc import Callable, Hashable

from app.domain.plan import Deed
from app.engines.loops.asked import MOST_ALIKE, Asked
from app.engines.loops.deeds import Chained, chains, fills, key, words

VELOCITY = 5  # DESIGN, "Loops": successes in a row without progress
RESTLESS = MOST_ALIKE  # the same, where only the page is another each time: it may change by itself


def without_progress(
    deeds: tuple[Deed, ...], asked: Asked, now: Callable[[], str] | None
) -> str | None:
    """So many successes in a row of which none ended a step, filled a field, or led to a new page.

    A page that changes by itself is new at every look; there, doing what was done before is no
    progress either, only later.
    """
    pages: set[str] = set()
    known: set[Hashable] = set()
    idle: list[Deed] = []
    busy: list[Deed] = []
    step = -1
    for chain in chains(deeds):
        last = chain[-1]
        gets_on = last.step > step or any(fills(d) and key(d) not in known for d in chain)
        is_new_page = bool(chain[0].fingerprint) and chain[0].fingerprint not in pages
        is_new_act = any(key(deed) not in known for deed in chain)
        step = max(step, last.step)
        pages.add(chain[0].fingerprint)
        if not _worked(chain):
            idle, busy = [], []
            continue
        known |= {key(deed) for deed in chain}
        idle = [] if gets_on or is_new_page else [*idle, last]
        busy = [] if gets_on or is_new_act else [*busy, last]
    if len(idle) >= max(VELOCITY, asked.times) and not (now and now() not in pages):
        return _told(idle, "brought nothing new")
    if len(busy) >= max(RESTLESS, asked.times, asked.pages or 0):
        return _told(busy, "were all done before, on a page that keeps changing")
    return None


def _worked(chain: Chained) -> bool:
    return all(deed.status == "success" for deed in chain)


def _told(idle: list[Deed], what: str) -> str:
    done = ", ".join(dict.fromkeys(words(deed) for deed in idle[-VELOCITY:]))
    joined = "but" if what.startswith("brought") else "and"
    return f"{len(idle)} actions in a row worked {joined} {what}: {done}"
