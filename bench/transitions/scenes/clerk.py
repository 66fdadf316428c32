"""A desk that confirms and refuses in unusual words, without roles, colours or known phrases."""
# ruff: noqa: E501 (tables of scenes and pages read best as whole lines)

from bench.transitions.moves import Act, Move, Scene, click, key, one, put, table
from bench.transitions.stage import Take

READY = "window.got?.up"
APPLY = "Add a permit with applicant 'Dee Fox'"
FILL = (put("Applicant", "Dee Fox"), put("Street", "Elm 3"), put("Days", "8"))
SAVE = (*FILL, click("Apply"))


def granted(take: Take) -> bool:
    return take.site.has(name="Dee Fox")


def seven(take: Take) -> bool:
    return take.site.has(name="seven")


def revoked(take: Take) -> bool:
    return not take.site.has(name="Bo Chen")


def held(take: Take) -> bool:
    return take.site.has(name="Ann Lee", held=True)


async def busy_desk(take: Take) -> None:
    take.site.says = "We give out no more today."


def applying(
    name: str, kind: str, style: str, mode: str = "ok", acts: tuple[Act, ...] = SAVE, **more: object
) -> Scene:
    move = Move(kind=kind, acts=acts, truth=granted, last=True, step=APPLY, **more)  # type: ignore[arg-type]
    return Scene(
        name=f"clerk/{name}",
        page="clerk",
        path=f"/p/clerk?v={style}",
        ready=READY,
        goal=APPLY,
        mode=mode,
        moves=(move,),
    )


FORMS = (
    applying("granted", "save accepted in plain words", "line"),
    applying("refused", "refused in plain words", "line", "invalid", first=busy_desk),
    applying("lie", "lying message", "line", "lie"),
    applying("wiped", "save accepted, form emptied", "wipe"),
    applying("wiped-refused", "silent failure, form emptied", "wipe", "broken"),
    applying("wiped-lie", "silent failure, form emptied", "wipe", "lie"),
    applying("swapped", "save accepted in plain words", "swap"),
    applying("swapped-refused", "refused in plain words", "swap", "broken"),
    applying("spins", "slow save", "spin", "held", again=1200),
    applying("spins-refused", "slow save that fails", "spin", "held_fail", again=1200),
    applying("renamed", "validation error on the button", "rename", acts=(FILL[1], click("Apply"))),
    applying("bordered", "validation error without words", "border", acts=(FILL[1], click("Apply"))),
    applying("enter", "save accepted in plain words", "line", acts=(*FILL, key("Enter"))),
    applying("enter-refused", "refused in plain words", "line", "invalid", acts=(*FILL, key("Enter")), first=busy_desk),
)  # fmt: skip
TABLE = table(
    "clerk", "/p/clerk",
    one("revoke", "record deleted", click("Revoke Bo Chen"), revoked, "Delete the permit Bo Chen", last=True),
    one("revoke-refused", "refused in plain words", click("Revoke Bo Chen"), revoked, "Delete the permit Bo Chen", last=True, mode="broken"),
    one("hold", "button turned", click("Hold Ann Lee"), held, "Click Hold Ann Lee", last=True),
    one("hold-refused", "optimistic, rolled back", click("Hold Ann Lee"), held, "Click Hold Ann Lee", last=True, mode="broken"),
    one("claim", "button turned", click("Claim permit 7"), seven, "Click Claim permit 7", last=True),
    one("claim-refused", "refused on the button", click("Claim permit 7"), seven, "Click Claim permit 7", last=True, mode="broken"),
    one("renew", "button turned", click("Renew permit 7"), seven, "Click Renew permit 7", last=True),
    one("renew-refused", "refused in plain words", click("Renew permit 7"), seven, "Click Renew permit 7", last=True, mode="broken"),
    one("renew-late", "slow save", click("Renew permit 7"), seven, "Click Renew permit 7", last=True, mode="held", again=1200),
    one("withdraw", "page swapped", click("Withdraw permit 7"), seven, "Delete permit 7", last=True),
    one("withdraw-refused", "refused in plain words", click("Withdraw permit 7"), seven, "Delete permit 7", last=True, mode="broken"),
    ready=READY,
)  # fmt: skip
OPEN = Move(
    kind="dialog opened",
    acts=(click("Apply in a window"),),
    truth="w.open",
    step="Click Apply in a window",
)


def in_window(name: str, kind: str, style: str, mode: str = "ok", *acts: Act) -> Scene:
    sent = acts or (put("Applicant", "Dee Fox"), put("Reason", "Work"), click("Hand in"))
    move = Move(kind=kind, acts=sent, truth=granted, last=True, step=APPLY, mode=mode)
    return Scene(
        name=f"clerk/{name}",
        page="clerk",
        path=f"/p/clerk?v={style}",
        ready=READY,
        goal=APPLY,
        moves=(OPEN, move),
    )


WINDOWS = (
    in_window("window", "save accepted", "stay"),
    in_window("window-refused", "refused in plain words", "stay", "invalid"),
    in_window("window-empty", "validation error without words", "stay", "ok", put("Reason", "Work"), click("Hand in")),
    in_window("window-lie", "lying message", "line", "lie"),
    in_window("window-mute", "silent failure", "line", "broken"),
)  # fmt: skip

SCENES: tuple[Scene, ...] = (*FORMS, *TABLE, *WINDOWS)
