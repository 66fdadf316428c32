"""Ant Design: a table, a modal form, transient messages, a dropdown, pickers."""
# ruff: noqa: E501 (tables of scenes and pages read best as whole lines)

from bench.transitions.moves import Move, Scene, check, choose, click, one, put, table
from bench.transitions.stage import Take

PATH, READY = "/p/antd", "window.got?.up && document.querySelector('.ant-switch')"
ADD = "Add a member with full name 'Dee Fox'"


def added(take: Take) -> bool:
    return take.site.has(name="Dee Fox")


def gone(take: Take) -> bool:
    return not take.site.has(name="Bo Chen")


OPEN = Move(
    kind="dialog opened", acts=(click("New member"),), truth="got.open", step="Click New member"
)
ASK = Move(
    kind="confirmation opened",
    acts=(click("Delete Bo Chen"),),
    truth="document.querySelector('.ant-popconfirm')",
    step="Click Delete Bo Chen",
)
SETTINGS = Move(kind="tab", acts=(click("Settings"),), truth="got.tab == 's'", step="Open Settings")


def adding(name: str, kind: str, mode: str = "ok", **more: object) -> Scene:
    acts = (put("Full name", "Dee Fox"), click("Save member"))
    move = Move(
        **{
            "kind": kind,
            "acts": acts,
            "truth": added,
            "last": True,
            "step": ADD,
            "mode": mode,
            **more,
        }
    )  # type: ignore[arg-type]
    return Scene(
        name=f"antd/{name}", page="antd", path=PATH, ready=READY, goal=ADD, moves=(OPEN, move)
    )


def deleting(name: str, kind: str, mode: str = "ok", **more: object) -> Scene:
    goal = "Delete Bo Chen"
    move = Move(
        kind=kind, acts=(click("Delete it"),), truth=gone, last=True, step=goal, mode=mode, **more
    )  # type: ignore[arg-type]
    return Scene(
        name=f"antd/{name}", page="antd", path=PATH, ready=READY, goal=goal, moves=(ASK, move)
    )


def setting(name: str, *moves: Move) -> Scene:
    return Scene(
        name=f"antd/{name}",
        page="antd",
        path=PATH,
        ready=READY,
        goal="Change the settings",
        moves=(SETTINGS, *moves),
    )


RUNS = (
    adding("added", "save accepted"),
    adding("added-role", "save accepted", acts=(put("Full name", "Dee Fox"), choose("Role", "Guest"), click("Save member"))),
    adding("no-name", "validation error", acts=(click("Save member"),)),
    adding("invalid", "validation error", "invalid"),
    adding("broken", "save refused", "broken"),
    adding("added-late", "slow save", "held", again=1200),
    adding("lie", "lying message", "lie"),
    adding("cancelled", "dialog closed", acts=(put("Full name", "Dee Fox"), click("Cancel"))),
    deleting("deleted", "record deleted"),
    deleting("deleted-late", "slow save", "held", again=1200),
    deleting("delete-refused", "save refused", "broken"),
    deleting("delete-lie", "lying message", "lie"),
    setting("choices",
        Move(kind="combobox", acts=(choose("Plan", "Paid"),), truth="got.plan == 'Paid'", step="Select Paid in Plan"),
        Move(kind="date", acts=(put("Start", "2030-01-02"),), truth="got.start == '2030-01-02'", step="Set Start to 2030-01-02"),
        Move(kind="value set", acts=(put("Seats", "4"),), truth="got.seats == 4", step="Set Seats to 4"),
        Move(kind="checkbox", acts=(check("Terms read"),), truth="got.terms", step="Check Terms read"),
        Move(kind="radio", acts=(check("Large"),), truth="got.size == 'l'", step="Select Large"),
        Move(kind="section opened", acts=(click("collapsed Fine print"),), truth="got.fine == 1", step="Open Fine print"),
        Move(kind="option missing", acts=(choose("Plan", "Gold"),), truth="got.plan == 'Gold'", step="Select Gold in Plan")),
    Scene(name="antd/export", page="antd", path=PATH, ready=READY, goal="Export as PDF", moves=(
        Move(kind="menu opened", acts=(click("Export"),), truth="document.querySelector('.ant-dropdown-menu')", step="Open Export"),
        Move(kind="menu item", acts=(click("As PDF"),), truth="got.saved == 'pdf'", step="Click As PDF", last=True),
    )),
)  # fmt: skip
TABLE = table(
    "antd", PATH,
    one("active", "toggle", check("Active Ann Lee"), lambda t: t.site.has(name="Ann Lee", active=True), "Turn on Active Ann Lee", last=True),
    one("active-refused", "toggle refused", check("Active Ann Lee"), lambda t: t.site.has(name="Ann Lee", active=True), "Turn on Active Ann Lee", last=True, mode="broken"),
    one("page-2", "paging", click("2"), "got.page == 2", "Open page 2", last=True),
    ready=READY,
)  # fmt: skip

SCENES: tuple[Scene, ...] = (*RUNS, *TABLE)
