"""The bundled demo page; its register is the ground truth."""
# ruff: noqa: E501 (tables of scenes and pages read best as whole lines)

from bench.transitions.moves import Move, Scene, check, choose, click, key, one, put, table
from bench.transitions.stage import Take

ADD = "Add a new patient with name 'Jas Patel'"


def stored(take: Take) -> bool:
    return any(one.name == "Jas Patel" for one in take.stage.register.find())


def newest(take: Take) -> str:
    return take.stage.register.find()[0].name


def unlisted(take: Take) -> bool:
    return take.stage.register.stats.deletes == 1


async def signed_out(take: Take) -> None:
    take.stage.register.signed_in = False


def adding(name: str, kind: str, *acts: object, **more: object) -> Scene:
    move = Move(kind=kind, acts=acts, truth=stored, last=True, step=ADD, **more)  # type: ignore[arg-type]
    return Scene(
        name=f"clinic/{name}",
        page="clinic",
        path="clinic:/patients/new",
        ready="document.querySelector('main form')",
        goal=ADD,
        moves=(move,),
    )


NAME = put("Name", "Jas Patel")
SAVE = click("Save patient")
LIST = "document.querySelector('tbody tr')"
RUNS = (
    adding("added", "save accepted", NAME, SAVE),
    adding("added-whole", "save accepted", NAME, put("Date of birth", "1990-01-05"), choose("Sex", "Other"), SAVE),
    adding("no-name", "validation error", put("Phone", "020 7946 0000"), SAVE),
    adding("bad-phone", "validation error", NAME, put("Phone", "call me"), SAVE),
    adding("enter", "save accepted", NAME, key("Enter")),
    Scene(name="clinic/menu", page="clinic", path="clinic:/", ready=LIST, goal=ADD, moves=(
        Move(kind="menu opened", acts=(click("Patient"),), truth="!document.getElementById('patient-menu').hidden", step="Open the Patient menu"),
        Move(kind="menu item", acts=(click("New"),), truth="location.pathname == '/patients/new'", step="Click New"),
        Move(kind="save accepted", acts=(NAME, SAVE), truth=stored, last=True, step=ADD),
    )),
    Scene(name="clinic/signed-out", page="clinic", path="clinic:/", ready=LIST, goal=ADD, moves=(
        Move(kind="menu opened", acts=(click("Patient"),), truth="!document.getElementById('patient-menu').hidden", step="Open the Patient menu"),
        Move(kind="session expired", acts=(click("New"),), truth="location.pathname == '/patients/new'", first=signed_out, step="Click New"),
        Move(kind="sign-in refused", acts=(put("Username", "demo"), put("Password", "nope"), click("Log in")), truth=lambda t: t.stage.register.signed_in, step="Log in"),
        Move(kind="sign-in", acts=(put("Username", "demo"), put("Password", "clinic"), click("Log in")), truth=lambda t: t.stage.register.signed_in, step="Log in"),
    )),
    Scene(name="clinic/log-out", page="clinic", path="clinic:/", ready=LIST, goal="Log out", moves=(
        Move(kind="sign-out", acts=(click("Log out"),), truth=lambda t: not t.stage.register.signed_in, step="Log out", last=True),
    )),
)  # fmt: skip
TABLE = table(
    "clinic", "clinic:/",
    one("next", "paging", click("Next"), "location.search.includes('page=2')", "Click Next", last=True),
    one("previous", "disabled button", click("Previous"), "location.search.includes('page=0')", "Click Previous", last=True),
    one("search", "search", (put("Search patients", "zzz"), key("Enter")), "location.search.includes('q=zzz')", "Search for 'zzz'", last=True),
    ready=LIST,
)  # fmt: skip
EDIT = Scene(name="clinic/edit", page="clinic", path="clinic:/patients/3/edit", ready="document.querySelector('main form')", goal="Change the phone to '020 7946 0999'", moves=(
    Move(kind="checkbox", acts=(check("The patient consents to the storage of this record", False),), truth="!document.querySelector('[name=consent]').checked", step="Uncheck the consent"),
    Move(kind="save accepted", acts=(put("Phone", "020 7946 0999"), SAVE), truth=lambda t: t.stage.register.get(3).phone == "020 7946 0999", last=True),
))  # fmt: skip

SCENES: tuple[Scene, ...] = (*RUNS, *TABLE, EDIT)
