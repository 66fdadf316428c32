"""Whether a run goes round in circles, and in what words to stop it."""

from collections.abc import Hashable

from app.domain.plan import Deed

VELOCITY = 5  # DESIGN, "Loops": successes in a row without progress
_ENTERING = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})
_PATIENT = frozenset(
    {"wait", "scroll", "pressKey"}
)  # these may be repeated where the page looks the same
_PATIENCE = 3

__all__ = ["VELOCITY", "reflect"]


def reflect(deeds: tuple[Deed, ...], *, times: int = 1) -> str | None:
    """Why the run should stop, or None. `times`: how often the person asked for the action."""
    return _repeated(deeds, times) or _without_progress(deeds, max(VELOCITY, times))


def _repeated(deeds: tuple[Deed, ...], times: int) -> str | None:
    """The same action, by what it acts on, taken in the same step on a page that looks the same.

    Only what was done counts: what failed is taken again on purpose, by a correction.
    """
    if not deeds:
        return None
    last = deeds[-1]
    if last.status != "success" or last.purpose == "correct" or not last.fingerprint:
        return None
    count = sum(
        d.status == "success" and d.purpose != "correct" and d.step == last.step
        and d.fingerprint == last.fingerprint and _key(d) == _key(last)
        for d in deeds
    )  # fmt: skip
    allowed = max(times, _PATIENCE if last.action.name in _PATIENT else 1)
    if count <= allowed:
        return None
    return (
        f"{_words(last)} was done {count} times on a page that looked the same each time; "
        "doing it again would not help"
    )


def _without_progress(deeds: tuple[Deed, ...], most: int) -> str | None:
    """So many successes in a row of which none ended a step, filled a field, or led to a new page."""
    pages: set[str] = set()
    filled: set[Hashable] = set()
    idle: list[Deed] = []
    step = -1
    for deed in deeds:
        is_new_page = bool(deed.fingerprint) and deed.fingerprint not in pages
        is_new_value = deed.action.name in _ENTERING and _key(deed) not in filled
        progressed = deed.step > step or is_new_page or is_new_value
        step = max(step, deed.step)
        pages.add(deed.fingerprint)
        if deed.status == "success":
            filled.add(_key(deed))
            idle = [] if progressed else [*idle, deed]
        else:
            idle = []
    if len(idle) < most:
        return None
    done = ", ".join(dict.fromkeys(_words(deed) for deed in idle[-most:]))
    return f"{len(idle)} actions in a row worked but brought nothing new: {done}"


def _key(deed: Deed) -> tuple[Hashable, ...]:
    """The action by what it acts on: an id may be another after the page was drawn anew."""
    args = tuple(
        sorted((k, v) for k, v in deed.action.args.items() if k != "id" or not deed.signature)
    )
    return (deed.action.name, deed.signature, args)


def _words(deed: Deed) -> str:
    return f"'{deed.description or deed.action.text}'"
