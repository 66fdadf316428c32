"""One thing that `tabwright doctor` looked at."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing looked at. `todo` says what to do when it is not `ok`; not all are `needed`."""

    name: str
    ok: bool
    detail: str
    todo: str = ""
    needed: bool = True
