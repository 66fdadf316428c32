"""A single-page shop: toasts, dialogs, an optimistic list that rolls back, saves without feedback."""
# ruff: noqa: E501 (tables of scenes and pages read best as whole lines)

from app.domain.page import DialogDecision
from bench.transitions.moves import Move, Scene, back, check, choose, click, key, one, put, table
from bench.transitions.stage import Take

ORDER = "Add an order with customer 'Dee Fox'"
FILL = (put("Customer", "Dee Fox"), put("Quantity", "3"), choose("Priority", "High"))
SAVE = (*FILL, click("Place order"))


def placed(take: Take) -> bool:
    return take.site.has(name="Dee Fox")


def gone(take: Take) -> bool:
    return not take.site.has(name="Bo Chen")


def starred(take: Take) -> bool:
    return take.site.has(name="Ann Lee", star=True)


def saving(name: str, kind: str, style: str, mode: str = "ok", **more: object) -> Scene:
    move = Move(
        **{"kind": kind, "acts": SAVE, "truth": placed, "last": True, "step": ORDER, **more}
    )  # type: ignore[arg-type]
    path = f"/p/shop?style={style}#/new"
    return Scene(
        name=f"shop/{name}",
        page="shop",
        path=path,
        goal=ORDER,
        mode=mode,
        moves=(move,),
        ready="window.routed",
    )


async def old_toast(take: Take) -> None:
    await take.tab.evaluate("toast('Order for Dee Fox was placed')")


async def old_error(take: Take) -> None:
    await take.tab.evaluate(
        "document.querySelector('#problem').textContent = 'Something went wrong. The order was not placed.'"
    )


async def hidden_error(take: Take) -> None:
    await take.tab.evaluate(
        "document.querySelector('form').insertAdjacentHTML('beforeend', '<p role=alert class=off>Error: the order failed</p>')"
    )


SAVES = (
    saving("placed", "save accepted", "toast"),
    saving("placed-slowly", "save accepted", "spinner", "slow"),
    saving("placed-inline", "save accepted", "inline"),
    saving("placed-label", "save accepted", "label"),
    saving("placed-mute", "save accepted, form emptied", "mute"),
    saving("placed-late", "slow save", "toast", "held", again=1500),
    saving("placed-late-spinner", "slow save", "spinner", "held", again=1500),
    saving("placed-late-mute", "slow save", "mute", "held", again=1500),
    saving("refused-late", "slow save that fails", "toast", "held_fail", again=1500),
    saving("refused-late-spinner", "slow save that fails", "spinner", "held_fail", again=1500),
    saving("invalid-toast", "validation error", "toast", "invalid"),
    saving("invalid-inline", "validation error", "inline", "invalid"),
    saving("no-customer", "validation error", "toast", acts=(put("Quantity", "2"), click("Place order"))),
    saving("broken-inline", "save refused", "inline", "broken"),
    saving("broken-toast", "save refused", "toast", "broken"),
    saving("broken-mute", "silent failure", "mute", "broken"),
    saving("expired-mute", "silent failure", "mute", "expired"),
    saving("lie", "lying message", "toast", "lie"),
    saving("stale-toast", "stale message", "mute", "broken", first=old_toast),
    saving("stale-toast-placed", "stale message, saved", "mute", "ok", first=old_toast),
    saving("stale-error-placed", "stale message, saved", "inline", "ok", first=old_error),
    saving("hidden-error", "hidden error element", "inline", "ok", first=hidden_error),
    saving("cleared", "form cleared", "toast", acts=(*FILL, click("Clear form"))),
)  # fmt: skip

LIST = "/p/shop#/list"
MANY = "/p/shop?style=quick#/list"
ASKS = "/p/shop?style=native#/list"
READY = "document.querySelector('#rows li')"
TABLE = table(
    "shop", LIST,
    one("open-new", "SPA route", click("New order"), "location.hash == '#/new' && document.querySelector('form')", "Open New order", last=True),
    one("open-stats", "SPA route", click("Statistics"), "document.querySelector('h1').textContent == 'Statistics'", "Open Statistics", last=True),
    one("stats-late", "SPA route, loading", click("Statistics"), "location.hash == '#/stats'", "Open Statistics", last=True, mode="list_held"),
    one("account", "menu opened", click("Account"), "document.querySelector('.menu')", "Open the Account menu", last=True),
    one("cart", "counter", click("Add Bo Chen to cart"), "state.cart == 1", "Click 'Add Bo Chen to cart'", last=True),
    one("star", "toggle", click("Star Ann Lee"), starred, "Click 'Star Ann Lee'", last=True),
    one("star-refused", "optimistic, rolled back", click("Star Ann Lee"), starred, "Click 'Star Ann Lee'", last=True, mode="broken"),
    one("star-late", "optimistic, slow", click("Star Ann Lee"), starred, "Click 'Star Ann Lee'", last=True, mode="held_fail", again=1200),
    one("remove-asks", "dialog opened", click("Remove Bo Chen"), "document.querySelector('dialog[open]')", "Click 'Remove Bo Chen'"),
    one("filter", "search as typed", put("Filter orders", "cy"), "document.querySelectorAll('#rows li').length == 1", "Type cy into Filter orders", last=True),
    one("refresh", "nothing to see", click("Refresh"), "state.loads == 2", "Click Refresh", last=True),
    one("nowhere", "element gone", click("id:876"), "state.cart == 1", "Click 'Add Zed to cart'", last=True),
    ready=READY,
)  # fmt: skip
QUICK = table(
    "shop", MANY,
    one("remove-quick", "record deleted", click("Remove Bo Chen"), gone, "Delete Bo Chen", last=True),
    one("remove-back", "optimistic, rolled back", click("Remove Bo Chen"), gone, "Delete Bo Chen", last=True, mode="broken"),
    one("remove-quick-late", "optimistic, slow", click("Remove Bo Chen"), gone, "Delete Bo Chen", last=True, mode="held_fail", again=1200),
    ready=READY,
)  # fmt: skip
NATIVE = table(
    "shop", ASKS,
    one("confirmed", "browser dialog", click("Remove Bo Chen", dialog=DialogDecision(accept=True)), gone, "Delete Bo Chen", last=True),
    one("not-confirmed", "browser dialog refused", click("Remove Bo Chen", dialog=DialogDecision(accept=False)), gone, "Delete Bo Chen", last=True),
    ready=READY,
)  # fmt: skip

RUNS = (
    Scene(name="shop/remove", page="shop", path=LIST, ready=READY, goal="Delete Bo Chen", moves=(
        Move(kind="dialog opened", acts=(click("Remove Bo Chen"),), truth="document.querySelector('dialog[open]')", step="Click 'Remove Bo Chen'"),
        Move(kind="record deleted", acts=(click("Yes, remove"),), truth=gone, last=True, step="Delete Bo Chen"),
    )),
    Scene(name="shop/remove-fails", page="shop", path=LIST, ready=READY, goal="Delete Bo Chen", moves=(
        Move(kind="dialog opened", acts=(click("Remove Bo Chen"),), truth="document.querySelector('dialog[open]')", step="Click 'Remove Bo Chen'"),
        Move(kind="save refused", acts=(click("Yes, remove"),), mode="broken", truth=gone, last=True, step="Delete Bo Chen"),
    )),
    Scene(name="shop/remove-lie", page="shop", path=LIST, ready=READY, goal="Delete Bo Chen", moves=(
        Move(kind="dialog opened", acts=(click("Remove Bo Chen"),), truth="document.querySelector('dialog[open]')", step="Click 'Remove Bo Chen'"),
        Move(kind="lying message", acts=(click("Yes, remove"),), mode="lie", truth=gone, last=True, step="Delete Bo Chen"),
    )),
    Scene(name="shop/remove-late", page="shop", path=LIST, ready=READY, goal="Delete Bo Chen", moves=(
        Move(kind="dialog opened", acts=(click("Remove Bo Chen"),), truth="document.querySelector('dialog[open]')", step="Click 'Remove Bo Chen'"),
        Move(kind="slow save", acts=(click("Yes, remove"),), mode="held", truth=gone, last=True, step="Delete Bo Chen", again=1500),
    )),
    Scene(name="shop/keep", page="shop", path=LIST, ready=READY, goal="Click 'Keep it'", moves=(
        Move(kind="dialog opened", acts=(click("Remove Bo Chen"),), truth="document.querySelector('dialog[open]')", step="Click 'Remove Bo Chen'"),
        Move(kind="dialog closed", acts=(key("Escape"),), truth="!document.querySelector('dialog[open]')", step="Press Escape"),
    )),
    Scene(name="shop/profile", page="shop", path=LIST, ready=READY, goal="Open the profile", moves=(
        Move(kind="menu opened", acts=(click("Account"),), truth="document.querySelector('.menu')", step="Open Account"),
        Move(kind="menu item", acts=(click("Profile"),), truth="document.querySelector('h1').textContent == 'Your profile'", step="Click Profile", last=True),
    )),
    Scene(name="shop/menu-closed", page="shop", path=LIST, ready=READY, goal="Close the Account menu", moves=(
        Move(kind="menu opened", acts=(click("Account"),), truth="document.querySelector('.menu')", step="Open Account"),
        Move(kind="menu closed", acts=(click("Account"),), truth="!document.querySelector('.menu')", step="Close Account", last=True),
    )),
    Scene(name="shop/fields", page="shop", path="/p/shop#/new", ready="window.routed", goal=ORDER, moves=(
        Move(kind="value set", acts=(put("Customer", "Dee Fox"),), truth="document.querySelector('[name=name]').value == 'Dee Fox'", step="Set Customer to 'Dee Fox'"),
        Move(kind="value set", acts=(put("Quantity", "12"),), truth="document.querySelector('[name=quantity]').value == '12'", step="Set Quantity to 12"),
        Move(kind="native select", acts=(choose("Priority", "High"),), truth="document.querySelector('[name=priority]').value == 'High'", step="Select High in Priority"),
        Move(kind="checkbox", acts=(check("Gift wrap"),), truth="document.querySelector('[name=gift]').checked", step="Check Gift wrap"),
        Move(kind="option missing", acts=(choose("Priority", "Urgent"),), truth="document.querySelector('[name=priority]').value == 'Urgent'", step="Select Urgent in Priority"),
        Move(kind="value refused", acts=(put("Quantity", "many"),), truth="document.querySelector('[name=quantity]').value == 'many'", step="Set Quantity to many"),
        Move(kind="back", acts=(back(),), truth="location.hash != '#/new'", step="Go back"),
    )),
    Scene(name="shop/new-then-place", page="shop", path=LIST, ready=READY, goal=ORDER, moves=(
        Move(kind="SPA route", acts=(click("New order"),), truth="document.querySelector('form')", step="Open New order"),
        Move(kind="values set", acts=FILL, truth="document.querySelector('[name=name]').value == 'Dee Fox' && document.querySelector('[name=priority]').value == 'High'", step="Fill in the order"),
        Move(kind="save accepted", acts=(click("Place order"),), truth=placed, last=True),
    )),
)  # fmt: skip

SCENES: tuple[Scene, ...] = (*SAVES, *TABLE, *QUICK, *NATIVE, *RUNS)
