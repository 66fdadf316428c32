"""How the site's server handles a submission under a fault."""

from collections.abc import Callable
from dataclasses import dataclass, field

from bench.faults.apps import APPS
from bench.faults.cases import Case

EXTRA = ("vat", "VAT number")  # a field that appears on refusal and that the goal has no value for
LOST = "The connection was lost. Check whether your change was saved."
BROKEN = "Something went wrong on our side. Error 500."
_TAKEN = {
    "suppliers": "A supplier with this name exists already.",
    "contacts": "A contact with this name exists already.",
    "emails": "This email belongs to another contact.",
    "orders": "This order was shipped and cannot be deleted.",
    "settings": "Only an administrator may change these settings.",
    "bookings": "The room is taken on that day.",
    "tickets": "This ticket was closed and cannot be changed.",
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Complaints by field, one about the whole form, or a demand to sign in: a `page` or a `dialog`.
    `again`: the site signs in by itself and returns to an empty form; `unseen`: it also resubmits the
    refused form. `kept`: stored without a confirmation.
    """

    errors: dict[str, str] = field(default_factory=dict)
    error: str = ""
    clear: tuple[str, ...] = ()
    sign_in: str = ""
    status: int = 200
    kept: bool = False


def find_refusal(case: Case, op: str, values: dict[str, str], *, first: bool) -> Refusal | None:
    """How this submission is refused, None if it is accepted; `first` is true for the first submission."""
    app = APPS[case.app]
    if op == "add":
        lacking = [name for name in app.required if not values.get(name)]
        if lacking:
            return Refusal(errors={name: f"{name.capitalize()} is required" for name in lacking})
    by = _LASTING.get(case.fault)
    if by is not None:
        return by(case, values)
    return _FIRST[case.fault](case) if first and case.fault in _FIRST else None


def _another_format(case: Case, values: dict[str, str]) -> Refusal | None:
    app = APPS[case.app]
    given = values.get(app.field, "")
    if app.strict is None or given == app.strict[1](given):
        return None
    return Refusal(errors={app.field: app.strict[0]})


def _unknown(_case: Case, values: dict[str, str]) -> Refusal | None:
    return None if values.get(EXTRA[0]) else Refusal(errors={EXTRA[0]: f"{EXTRA[1]} is required"})


def _emptied(case: Case, values: dict[str, str]) -> Refusal | None:
    name = APPS[case.app].field
    return None if values.get(name) else Refusal(errors={name: f"{name.capitalize()} is required"})


def _cleared(case: Case) -> Refusal:
    name = APPS[case.app].field
    return Refusal(errors={name: f"Enter the {name} again"}, clear=(name,))


_LASTING: dict[str, Callable[[Case, dict[str, str]], Refusal | None]] = {
    "another format": _another_format,
    "unknown value": _unknown,
    "emptied": _emptied,
    "not allowed": lambda case, _: Refusal(error=_TAKEN[case.app]),
    "server error": lambda *_: Refusal(error=BROKEN, status=500),
    "sign-in page": lambda *_: Refusal(sign_in="page", status=401),
    "sign-in dialog": lambda *_: Refusal(sign_in="dialog", status=401),
}
_FIRST: dict[str, Callable[[Case], Refusal]] = {
    "cleared": _cleared,
    "busy": lambda _: Refusal(
        error="The server is busy. Nothing was saved. Please try again.", status=503
    ),
    "answer lost": lambda _: Refusal(error=LOST, status=504, kept=True),
    "signed in again": lambda _: Refusal(sign_in="again", status=401),
    "renewed unseen": lambda _: Refusal(sign_in="unseen", status=401),
    "renewed": lambda _: Refusal(
        error="Your session was renewed. Nothing was saved. Please save again."
    ),
}
