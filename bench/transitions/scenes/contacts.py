"""A server-rendered address book: forms, links, refusals, an expired session, missing pages."""
# ruff: noqa: E501 (tables of scenes and pages read best as whole lines)

from bench.transitions.moves import Act, Move, Scene, back, click, go, key, one, put, scroll, table
from bench.transitions.stage import Take

ADD = "Add a contact with name 'Dee Fox' and email 'dee@mail.example'"
FILL = (put("Name", "Dee Fox"), put("Email", "dee@mail.example"))
SAVE = (*FILL, click("Save contact"))


def added(take: Take) -> bool:
    return take.site.has(name="Dee Fox")


def saving(name: str, kind: str, mode: str, acts: tuple[Act, ...] = SAVE, **more: object) -> Scene:
    """Fill in and submit the new contact's form, with the server in that mode."""
    move = Move(kind=kind, acts=acts, truth=added, last=True, step=ADD, mode=mode, **more)  # type: ignore[arg-type]
    return Scene(
        name=f"contacts/{name}", page="contacts", path="/contacts/new", goal=ADD, moves=(move,)
    )


async def sign_out(take: Take) -> None:
    take.site.signed_in = False


async def without_city(take: Take) -> None:
    """The page rerenders between the observation and the actions, and loses a field."""
    await take.tab.evaluate("document.querySelector('[name=city]').remove()")


SAVES = (
    saving("saved", "save accepted", "ok"),
    saving("saved-slowly", "save accepted", "slow"),
    saving("saved-late", "slow save", "held", again=1500),
    saving("refused-late", "slow save that fails", "held_fail", again=1500),
    saving("no-name", "validation error", "ok", (put("Email", "dee@mail.example"), click("Save contact"))),
    saving("bad-email", "validation error", "ok", (put("Name", "Dee Fox"), put("Email", "dee"), click("Save contact"))),
    saving("refused", "validation error", "invalid"),
    saving("quiet", "silent failure", "quiet"),
    saving("broken", "error page", "broken"),
    saving("expired", "session expired", "expired"),
    saving("lie", "lying message", "lie"),
    saving("enter", "save accepted", "ok", (*FILL, key("Enter"))),
    saving("element-gone", "partial chain", "ok", (FILL[0], put("id:987", "x"), click("Save contact"))),
    saving("element-gone-first", "partial chain", "ok", (put("id:987", "x"), *SAVE)),
    saving("element-gone-last", "partial chain", "ok", (*FILL, click("id:987"))),
    saving("can-fail", "chain with a failure allowed", "ok", (*FILL, put("id:987", "x", can_fail=True), click("Save contact"))),
    saving("city-gone", "partial chain", "ok", (*FILL, put("City", "Bonn"), click("Save contact")), first=without_city),
)  # fmt: skip

LIST = table(
    "contacts",
    "/contacts",
    one("delete", "record deleted", click("Delete", nth=1), lambda t: not t.site.has(name="Bo Chen"),
        "Delete the contact Bo Chen", last=True),
    one("delete-untold", "record deleted", click("Delete", nth=1), lambda t: not t.site.has(name="Bo Chen"),
        "Delete the contact Bo Chen", last=True, mode="silent"),
    one("delete-lie", "lying message", click("Delete", nth=1), lambda t: not t.site.has(name="Bo Chen"),
        "Delete the contact Bo Chen", last=True, mode="lie"),
    one("delete-refused", "refused", click("Delete", nth=1), lambda t: not t.site.has(name="Bo Chen"),
        "Delete the contact Bo Chen", last=True, mode="broken"),
    one("open-new", "link", click("New contact"), "location.pathname == '/contacts/new'", "Open New contact", last=True),
    one("open-report", "link", click("Report"), "location.pathname == '/contacts/report'", "Open Report"),
    one("open-missing", "error page", click("Archive"), "document.title.startsWith('Archive')", "Open the Archive", last=True),
    one("open-edit", "link", click("Edit", nth=2), "location.pathname == '/contacts/3/edit'", "Edit the contact Cy Young"),
    one("same-page", "link", click("Contacts"), "location.pathname == '/contacts'", "Open Contacts"),
    one("signed-out", "session expired", click("Edit", nth=0), "location.pathname == '/contacts/1/edit'",
        "Edit the contact Ann Lee", first=sign_out),
    one("search", "search", (put("Search contacts", "bo"), click("Search")), "document.querySelectorAll('td:first-child').length == 1",
        "Search for 'bo'", last=True),
    one("search-enter", "search", (put("Search contacts", "cy"), key("Enter")), "document.querySelectorAll('td:first-child').length == 1",
        "Search for 'cy'", last=True),
    one("search-nothing", "search", (put("Search contacts", "zz"), click("Search")), "new URLSearchParams(location.search).get('q') == 'zz'",
        "Search for 'zz'", last=True),
    one("go", "navigation", go("/contacts/new"), "location.pathname == '/contacts/new'", "Go to the new contact page", last=True),
    one("go-missing", "error page", go("/contacts/nowhere"), "document.title.startsWith('Nowhere')", "Go to the page", last=True),
    one("typed", "value set", put("Search contacts", "Ann"), "document.querySelector('[name=q]').value == 'Ann'", "Type Ann into Search contacts", last=True),
)  # fmt: skip

EDITS = (
    Scene(name="contacts/edit", page="contacts", path="/contacts/2/edit", goal="Change the email of Bo Chen to 'bo@new.example'", moves=(
        Move(kind="value set", acts=(put("Email", "bo@new.example"),), truth="document.querySelector('[name=email]').value == 'bo@new.example'", step="Set Email to 'bo@new.example'"),
        Move(kind="save accepted", acts=(click("Save contact"),), truth=lambda t: t.site.has(email="bo@new.example"), last=True),
    )),
    Scene(name="contacts/edit-refused", page="contacts", path="/contacts/2/edit", goal="Change the email of Bo Chen to 'bo@new.example'", moves=(
        Move(kind="validation error", acts=(put("Email", "bo@new.example"), click("Save contact")), mode="invalid", truth=lambda t: t.site.has(email="bo@new.example"), last=True),
        Move(kind="save accepted", acts=(click("Save contact"),), mode="ok", truth=lambda t: t.site.has(email="bo@new.example"), last=True),
    )),
    Scene(name="contacts/edit-refused-twice", page="contacts", path="/contacts/2/edit", goal="Change the email of Bo Chen to 'bo@new.example'", moves=(
        Move(kind="validation error", acts=(put("Email", "bo@new.example"), click("Save contact")), mode="invalid", truth=lambda t: t.site.has(email="bo@new.example"), last=True),
        Move(kind="validation error again", acts=(click("Save contact"),), truth=lambda t: t.site.has(email="bo@new.example"), last=True),
    )),
    Scene(name="contacts/left", page="contacts", path="/contacts/new", goal=ADD, moves=(
        Move(kind="form left", acts=(*FILL, click("Cancel")), truth=added, last=True, step=ADD),
    )),
    Scene(name="contacts/way", page="contacts", path="/contacts", goal="Open Report", moves=(
        Move(kind="link", acts=(click("Report"),), truth="location.pathname == '/contacts/report'", step="Open Report"),
        Move(kind="scroll", acts=(scroll(),), truth="scrollY > 100", step="Scroll down"),
        Move(kind="link in the page", acts=(click("To the end"),), truth="location.hash == '#part8'", step="Click To the end"),
        Move(kind="scroll that cannot", acts=(scroll("page", "down"),), truth="scrollY > 1e6", step="Scroll down"),
        Move(kind="back", acts=(back(),), truth="location.hash == ''", step="Go back"),
    )),
    Scene(name="contacts/sign-in", page="contacts", path="/login", goal="Log in with username 'ann' and password 'open-sesame'", moves=(
        Move(kind="sign-in", acts=(put("Username", "ann"), put("Password", "open-sesame"), click("Sign in")), truth="location.pathname == '/contacts'", last=True),
    )),
    Scene(name="contacts/sign-in-wrong", page="contacts", path="/login", goal="Log in with username 'ann' and password 'guess'", moves=(
        Move(kind="sign-in refused", acts=(put("Username", "ann"), put("Password", "guess"), click("Sign in")), truth="location.pathname == '/contacts'", last=True),
    )),
)  # fmt: skip

SCENES: tuple[Scene, ...] = (*SAVES, *LIST, *EDITS)
