"""A React application: controlled fields, a list that rerenders on every change, late handlers, a clock."""
# ruff: noqa: E501 (tables of scenes and pages read best as whole lines)

from bench.transitions.moves import Move, Scene, check, choose, click, key, one, put, table
from bench.transitions.stage import Take

ADD = "Add a task with title 'Buy milk'"
FILL = (put("Title", "Buy milk"),)
SAVE = (*FILL, click("Add task"))


def added(take: Take) -> bool:
    return take.site.has(name="Buy milk")


def finished(take: Take) -> bool:
    return take.site.has(name="Ann Lee", done=True)


def saving(
    name: str,
    kind: str,
    mode: str = "ok",
    query: str = "",
    ready: str = "window.up",
    **more: object,
) -> Scene:
    move = Move(**{"kind": kind, "acts": SAVE, "truth": added, "last": True, "step": ADD, **more})  # type: ignore[arg-type]
    return Scene(
        name=f"react/{name}",
        page="react",
        path=f"/p/react{query}",
        goal=ADD,
        mode=mode,
        moves=(move,),
        ready=ready,
    )


SAVES = (
    saving("added", "save accepted"),
    saving("added-slowly", "save accepted", "slow"),
    saving("added-late", "slow save", "held", again=1200),
    saving("refused-late", "slow save that fails", "held_fail", again=1200),
    saving("invalid", "validation error", "invalid"),
    saving("no-title", "validation error", acts=(put("Note", "x"), click("Add task"))),
    saving("broken", "save refused", "broken"),
    saving("lie", "lying message", "lie"),
    saving("enter", "save accepted", acts=(*FILL, key("Enter"))),
    saving("anew", "save accepted, drawn anew", query="?anew"),
    saving("anew-invalid", "validation error, drawn anew", "invalid", query="?anew"),
    saving("ticks", "save accepted, page ticks", query="?tick=100"),
    saving("ticks-late", "slow save, page ticks", "held", query="?tick=100", again=1200),
    saving("ticks-invalid", "validation error, page ticks", "invalid", query="?tick=100"),
    saving("ticks-lie", "lying message, page ticks", "lie", query="?tick=100"),
    saving("not-yet-attached", "lost click", query="?late=60000", ready=""),
)  # fmt: skip
HTML_LATE = "/p/react?late=60000"
TABLE = table(
    "react", "/p/react",
    one("title", "value set", put("Title", "Buy milk"), "held.title == 'Buy milk'", "Set Title to 'Buy milk'", last=True),
    one("due", "date", put("Due", "2030-05-06"), "held.when == '2030-05-06'", "Set Due to 2030-05-06", last=True),
    one("kind", "native select", choose("Kind", "Work"), "held.kind == 'Work'", "Select Work in Kind", last=True),
    one("remind", "checkbox", check("Remind me"), "held.done === true", "Check Remind me", last=True),
    one("finish", "checkbox, saved", check("Ann Lee"), finished, "Check Ann Lee", last=True),
    one("finish-refused", "optimistic, rolled back", check("Ann Lee"), finished, "Check Ann Lee", last=True, mode="broken"),
    one("finished-tab", "tab", click("Finished tasks"), "held.tab == 'finished'", "Open Finished tasks", last=True),
    ready="window.held?.rows?.length",
)  # fmt: skip
NOISY = table(
    "react", "/p/react?tick=100",
    one("ticks-title", "value set, page ticks", put("Title", "Buy milk"), "held.title == 'Buy milk'", "Set Title to 'Buy milk'", last=True),
    one("ticks-tab", "tab, page ticks", click("Finished tasks"), "held.tab == 'finished'", "Open Finished tasks", last=True),
    one("ticks-refused", "optimistic, page ticks", check("Ann Lee"), finished, "Check Ann Lee", last=True, mode="broken"),
    ready="window.held?.rows?.length",
)  # fmt: skip
LOST = table(
    "react", HTML_LATE,
    one("lost-click", "lost click", click("Add task"), "held.adds > 0", "Click Add task", last=True),
)  # fmt: skip
RUNS = (
    Scene(name="react/again", page="react", path="/p/react", ready="window.held?.rows?.length", goal=ADD, mode="invalid", moves=(
        Move(kind="validation error", acts=SAVE, truth=added, last=True, step=ADD),
        Move(kind="save accepted", acts=(put("Title", "Buy milk"), click("Add task")), mode="ok", truth=added, last=True, step=ADD),
        Move(kind="same message again", acts=(put("Title", "Buy bread"), click("Add task")), truth=lambda t: t.site.has(name="Buy bread"), last=True, goal="Add a task with title 'Buy bread'", step="Add a task with title 'Buy bread'"),
        Move(kind="validation error after a success", acts=(put("Title", "Buy eggs"), click("Add task")), mode="invalid", truth=lambda t: t.site.has(name="Buy eggs"), last=True, goal="Add a task with title 'Buy eggs'", step="Add a task with title 'Buy eggs'"),
    )),
)  # fmt: skip

SCENES: tuple[Scene, ...] = (*SAVES, *TABLE, *NOISY, *LOST, *RUNS)
