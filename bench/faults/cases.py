"""The faults by kind, the apps each applies to, and how runs are distributed over them."""

import random
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from bench.faults.apps import APPS

FORMS = ("suppliers", "contacts", "emails", "bookings")
SAVED = (*FORMS, "settings", "tickets")
ALL = (*SAVED, "orders")
FILLED = 2  # the answer that fills in a form
SLOW_MS = (1500, 5500)  # delay of a save, a page, or an overlay


@dataclass(frozen=True, slots=True)
class Fault:
    """One failure. `truth` is a pattern for an honest final message; if `repairable` is false, only a
    person can resolve it. `active` means that a person has used the page before, without which a
    browser opens no window and shows no prompt on leaving; `on_part` that it occurs just before its
    control is used, `at` before which answer, otherwise at any.
    """

    kind: str
    name: str
    apps: tuple[str, ...] = ALL
    repairable: bool = True
    truth: str = r"$^"
    parts: tuple[str, ...] = ()
    active: bool = False
    on_part: bool = False
    at: int = 0


@dataclass(frozen=True, slots=True)
class Case:
    """One run: a fault on an app's control `part`, before the answer with the `at`th action, `ms` long."""

    kind: str
    fault: str
    app: str
    seed: int
    part: str
    at: int
    ms: int

    @property
    def name(self) -> str:
        """The value for `--only` that repeats it."""
        return f"{self.fault}/{self.app}"


_SESSION = r"session|sign(ed)? in|log ?in"
_LOST = r"connection|lost|error page|cannot be told|not known|unknown"
_NOT_SAVED = r"exists|belongs|shipped|administrator|taken|closed"
FAULTS = (
    Fault("moved", "reordered"),
    Fault("moved", "below"),
    Fault("moved", "other container", on_part=True),
    Fault("moved", "in a menu", SAVED, on_part=True),
    Fault("id changed", "new nodes"),
    Fault("id changed", "rows added", ("contacts", "emails", "orders", "tickets")),
    Fault("id changed", "drawn all the time"),
    Fault("id changed", "drawn on press"),
    Fault("overlay", "cookies"),
    Fault("overlay", "newsletter"),
    Fault("overlay", "chat bubble"),
    Fault("overlay", "on click"),
    Fault("overlay", "working"),
    Fault("overlay", "without a button"),
    Fault("slow network", "slow save"),
    Fault("slow network", "save with spinner"),
    Fault("slow network", "slow page", ("suppliers", "bookings")),
    Fault("slow network", "skeleton"),
    Fault("slow network", "busy"),
    Fault("slow network", "answer lost", FORMS, repairable=False, truth=_LOST),
    Fault("slow network", "server error", repairable=False, truth=r"went wrong|500|error page"),
    Fault("lost click", "click lost"),
    Fault("lost click", "two clicks lost"),
    Fault("lost click", "late handlers", parts=("open", "row")),
    Fault("lost click", "keys only"),
    Fault("lost click", "disabled at first"),
    Fault("validation error", "another format", ("suppliers", "bookings")),
    Fault("validation error", "cleared", FORMS),
    Fault("validation error", "emptied", FORMS, at=FILLED),
    Fault("validation error", "unknown value", FORMS, repairable=False, truth=r"vat"),
    Fault("validation error", "not allowed", ALL, repairable=False, truth=_NOT_SAVED),
    Fault("session expired", "signed in again", FORMS),
    Fault("session expired", "renewed"),
    Fault("session expired", "renewed unseen"),
    Fault("session expired", "expired on the way", ("suppliers", "bookings")),
    Fault("session expired", "sign-in page", repairable=False, truth=_SESSION),
    Fault("session expired", "sign-in dialog", repairable=False, truth=_SESSION),
    Fault("popup", "native alert"),
    Fault("popup", "native question", parts=("save",)),
    Fault("popup", "page question", parts=("save",)),
    Fault("popup", "other window", active=True),
    Fault("popup", "new tab", ("suppliers", "bookings", "tickets"), parts=("open",)),
    Fault("popup", "leave question", ("suppliers", "bookings"), active=True),
)  # fmt: skip
BY_NAME = {fault.name: fault for fault in FAULTS}
KINDS = tuple(dict.fromkeys(fault.kind for fault in FAULTS))
MOST_UNREPAIRABLE = 0.1


def make_case(fault: Fault, app: str, seed: int) -> Case:
    """The run of that fault on that app; the seed determines the rest."""
    rng = random.Random(zlib.crc32(f"{fault.name}/{app}/{seed}".encode()))
    own = APPS[app]
    parts = [part for part in own.parts if not fault.parts or part in fault.parts]
    part = rng.choice(parts or list(own.parts))
    at = fault.at or rng.randint(1, max(own.parts.values()))
    at = own.parts[part] if fault.on_part else at
    return Case(fault.kind, fault.name, app, seed, part, at, rng.randint(*SLOW_MS))


def plain_cases(seed: int) -> list[Case]:
    """A run of each app without a fault."""
    return [
        Case("none", "none", app, seed, next(iter(own.parts)), 0, 0) for app, own in APPS.items()
    ]


def distribute_cases(runs: int, seed: int) -> list[Case]:
    """`runs` runs, spread evenly over the kinds, with their faults and apps in turn. At most ten in a
    hundred have a fault that only a person can resolve.
    """
    streams = {kind: _turns(kind, seed, repairable=True) for kind in KINDS}
    hard = {kind: _turns(kind, seed, repairable=False) for kind in KINDS if _has_hard(kind)}
    lasting = int(runs * MOST_UNREPAIRABLE)
    kinds = list(hard)
    cases = [next(hard[kinds[n % len(kinds)]]) for n in range(lasting)]
    return cases + [next(streams[KINDS[n % len(KINDS)]]) for n in range(runs - len(cases))]


def _has_hard(kind: str) -> bool:
    return any(fault.kind == kind and not fault.repairable for fault in FAULTS)


def _turns(kind: str, seed: int, *, repairable: bool) -> Iterator[Case]:
    """Cycle through the kind's faults, each through its apps."""
    faults = [one for one in FAULTS if one.kind == kind and one.repairable is repairable]
    rng = random.Random(zlib.crc32(f"{kind}/{seed}".encode()))
    apps = {fault.name: rng.sample(fault.apps, len(fault.apps)) for fault in faults}
    turn = 0
    while True:
        for fault in faults:
            of = apps[fault.name]
            yield make_case(fault, of[turn % len(of)], seed + turn // len(of))
        turn += 1
