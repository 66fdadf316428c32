"""Held-out pages: written before any verdict about them was seen, and no rule is tuned on them.

A hotel desk of plain tables, a library of web components, a ledger of jQuery widgets.
"""
# ruff: noqa: E501 (tables of scenes and pages read best as whole lines)

from bench.transitions.moves import (
    Move,
    Scene,
    Truth,
    check,
    choose,
    click,
    key,
    one,
    put,
    table,
)  # fmt: skip

GOT = "window.got?.up"


def named(name: str) -> Truth:
    """Whether the server has a record of that name."""
    return lambda take: take.site.has(name=name)


def without(name: str) -> Truth:
    """Whether the server no longer has a record of that name."""
    return lambda take: not take.site.has(name=name)


BOOK = "Book a room for guest 'Dee Fox'"
STAY = (put("Guest", "Dee Fox"), put("Arrival", "2030-07-01"), choose("Room", "Double"))


def booking(name: str, kind: str, mode: str = "ok", **more: object) -> Scene:
    move = Move(
        **{
            "kind": kind,
            "acts": (*STAY, click("Book now")),
            "truth": named("Dee Fox"),
            "last": True,
            "step": BOOK,
            "mode": mode,
            **more,
        }
    )  # type: ignore[arg-type]
    return Scene(
        name=f"bookings/{name}",
        page="bookings",
        path="/bookings/new",
        goal=BOOK,
        held_out=True,
        moves=(move,),
    )


BOOKINGS = (
    booking("booked", "save accepted"),
    booking("booked-slowly", "save accepted", "slow"),
    booking("booked-late", "slow save", "held", again=1200),
    booking("refused-late", "slow save that fails", "held_fail", again=1200),
    booking("no-room", "validation error", acts=(STAY[0], click("Book now"))),
    booking("no-guest", "validation error", acts=(STAY[2], click("Book now"))),
    booking("full", "validation error", "full"),
    booking("broken", "error page", "broken"),
    booking("invalid", "save refused", "invalid"),
    booking("emptied", "silent failure", "lie"),
    booking("reset", "form cleared", acts=(*STAY, click("Start over"))),
    booking("gone", "partial chain", acts=(STAY[0], click("id:654"), click("Book now"))),
    booking("enter", "save accepted", acts=(choose("Room", "Suite"), put("Guest", "Dee Fox"), key("Enter"))),
    Scene(name="bookings/cancel", page="bookings", path="/bookings/2", goal="Cancel booking 2", held_out=True, moves=(
        Move(kind="record deleted", acts=(click("Cancel booking 2"),), truth=without("Bo Chen"), last=True, step="Cancel booking 2"),)),
    Scene(name="bookings/cancel-late", page="bookings", path="/bookings/2", goal="Cancel booking 2", held_out=True, mode="late", moves=(
        Move(kind="refused in plain words", acts=(click("Cancel booking 2"),), truth=without("Bo Chen"), last=True, step="Cancel booking 2"),)),
    Scene(name="bookings/change", page="bookings", path="/bookings/3", goal="Change the room to Suite", held_out=True, moves=(
        Move(kind="native select", acts=(choose("Room", "Suite"),), truth="document.querySelector('[name=room]').value == 'Suite'", step="Select Suite in Room"),
        Move(kind="save accepted", acts=(click("Book now"),), truth=lambda t: t.site.has(name="Cy Young", room="Suite"), last=True, step="Click Book now"),)),
    *table("bookings", "/bookings",
        one("terms", "link", click("Terms"), "location.pathname == '/bookings/terms'", "Open Terms", last=True),
        one("open", "link", click("Bo Chen"), "location.pathname == '/bookings/2'", "Open Bo Chen", last=True),
        one("breakfast-gone", "element gone", check("id:333"), "false", "Check Breakfast"),
        held_out=True),
)  # fmt: skip

SHELF = "Add a book with title 'Emma'"
ADD = Move(
    kind="dialog opened",
    acts=(click("Add a book"),),
    truth="document.querySelector('sl-dialog').open",
    step="Click Add a book",
)


def shelving(name: str, kind: str, mode: str = "ok", **more: object) -> Scene:
    acts = (put("Book title", "Emma"), choose("Shelf", "Science"), click("Put on shelf"))
    move = Move(
        **{
            "kind": kind,
            "acts": acts,
            "truth": named("Emma"),
            "last": True,
            "step": SHELF,
            "mode": mode,
            **more,
        }
    )  # type: ignore[arg-type]
    return Scene(
        name=f"shoelace/{name}",
        page="shoelace",
        path="/p/shoelace",
        ready=GOT,
        goal=SHELF,
        held_out=True,
        moves=(ADD, move),
    )


SHOELACE = (
    shelving("added", "save accepted"),
    shelving("added-late", "slow save", "held", again=1200),
    shelving("invalid", "validation error", "invalid"),
    shelving("broken", "save refused", "broken"),
    shelving("lie", "lying message", "lie"),
    shelving("no-title", "validation error", acts=(choose("Shelf", "Arts"), click("Put on shelf"))),
    shelving("not-now", "dialog closed", acts=(put("Book title", "Emma"), click("Not now"))),
    *table("shoelace", "/p/shoelace",
        one("discard", "record deleted", click("Discard Bo Chen"), without("Bo Chen"), "Delete the book Bo Chen", last=True),
        one("discard-refused", "save refused", click("Discard Bo Chen"), without("Bo Chen"), "Delete the book Bo Chen", last=True, mode="broken"),
        one("discard-lie", "lying message", click("Discard Bo Chen"), without("Bo Chen"), "Delete the book Bo Chen", last=True, mode="lie"),
        one("night", "toggle", check("Night mode"), "got.night", "Turn on Night mode", last=True),
        one("loans", "tab", click("Loans"), "got.tab == 'loans'", "Open Loans", last=True),
        one("hours", "section opened", click("Opening hours"), "got.hours", "Open Opening hours", last=True),
        one("stars", "slider", put("Stars", "4"), "got.stars == 4", "Set Stars to 4", last=True),
        ready=GOT, held_out=True),
    Scene(name="shoelace/sort", page="shoelace", path="/p/shoelace", ready=GOT, goal="Sort by year", held_out=True, moves=(
        Move(kind="menu opened", acts=(click("Sort by"),), truth="document.querySelector('sl-dropdown').open", step="Open Sort by"),
        Move(kind="menu item", acts=(click("Year"),), truth="got.sort == 'year'", step="Click Year", last=True),)),
)  # fmt: skip

ENTER = "Add an entry with text 'Paper'"
NEW = Move(
    kind="dialog opened",
    acts=(click("Book an entry"),),
    truth="document.querySelector('#entry').classList.contains('show')",
    step="Click Book an entry",
)
STRIKE = Move(
    kind="dialog opened",
    acts=(click("Strike out Bo Chen"),),
    truth="$('#really').dialog('isOpen')",
    step="Click Strike out Bo Chen",
)


def entering(name: str, kind: str, mode: str = "ok", **more: object) -> Scene:
    acts = (put("Text", "Paper"), put("Amount", "12"), click("Book"))
    move = Move(
        **{
            "kind": kind,
            "acts": acts,
            "truth": named("Paper"),
            "last": True,
            "step": ENTER,
            "mode": mode,
            **more,
        }
    )  # type: ignore[arg-type]
    return Scene(
        name=f"ledger/{name}",
        page="ledger",
        path="/p/ledger",
        ready=GOT,
        goal=ENTER,
        held_out=True,
        moves=(NEW, move),
    )


def striking(
    name: str, kind: str, label: str = "Strike it", mode: str = "ok", **more: object
) -> Scene:
    goal = "Delete the entry Bo Chen"
    move = Move(
        kind=kind,
        acts=(click(label),),
        truth=without("Bo Chen"),
        last=True,
        step=goal,
        mode=mode,
        **more,
    )  # type: ignore[arg-type]
    return Scene(
        name=f"ledger/{name}",
        page="ledger",
        path="/p/ledger",
        ready=GOT,
        goal=goal,
        held_out=True,
        moves=(STRIKE, move),
    )


LEDGER = (
    entering("booked", "save accepted"),
    entering("booked-late", "slow save", "held", again=1200),
    entering("refused-late", "slow save that fails", "held_fail", again=1200),
    entering("invalid", "validation error", "invalid"),
    entering("no-text", "validation error", acts=(put("Amount", "12"), click("Book"))),
    entering("lie", "lying message", "lie"),
    striking("struck", "record deleted"),
    striking("struck-late", "slow save", mode="held", again=1200),
    striking("not-struck", "save refused", mode="broken"),
    striking("never-mind", "dialog closed", "Never mind"),
    *table("ledger", "/p/ledger",
        one("account", "combobox", choose("Account", "Bank"), "got.account == 'Bank'", "Select Bank in Account", last=True),
        one("day", "date", put("Day", "2030-04-05"), "got.day == '2030-04-05'", "Set Day to 2030-04-05", last=True),
        one("rules", "section opened", click("Rules"), "got.rule == 'Rules'", "Open Rules", last=True),
        ready=GOT, held_out=True),
    Scene(name="ledger/recount", page="ledger", path="/p/ledger", ready=GOT, goal="Recount the ledger", held_out=True, moves=(
        Move(kind="menu opened", acts=(click("Tools"),), truth="document.querySelector('.dropdown-menu').classList.contains('show')", step="Open Tools"),
        Move(kind="menu item", acts=(click("Recount"),), truth="got.recounted", step="Click Recount", last=True),)),
    Scene(name="ledger/archive", page="ledger", path="/p/ledger", ready=GOT, goal="Archive all entries", held_out=True, moves=(
        Move(kind="menu opened", acts=(click("Tools"),), truth="document.querySelector('.dropdown-menu').classList.contains('show')", step="Open Tools"),
        Move(kind="menu item that does nothing", acts=(click("Archive all"),), truth="false", step="Click Archive all", last=True),)),
)  # fmt: skip

SCENES: tuple[Scene, ...] = (*BOOKINGS, *SHOELACE, *LEDGER)
