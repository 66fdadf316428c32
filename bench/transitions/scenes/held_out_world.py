"""Held-out pages like `held_out_forms`: one form in seven languages, a board with a clock and a frame."""
# ruff: noqa: E501 (tables of scenes and pages read best as whole lines)

from bench.transitions.moves import (
    Move,
    Scene,
    check,
    click,
    drag,
    hover,
    key,
    one,
    put,
    scroll,
    table,
)  # fmt: skip
from bench.transitions.scenes.held_out_forms import GOT, named, without

WORDS = {  # name field, button, delete, menu
    "de": ("Name", "Speichern", "Löschen", "Mehr"),
    "fr": ("Nom", "Enregistrer", "Supprimer", "Plus"),
    "es": ("Nombre", "Guardar", "Eliminar", "Más"),
    "he": ("שם", "שמירה", "מחיקה", "עוד"),
    "ja": ("氏名", "保存", "削除", "その他"),
    "ru": ("Имя", "Сохранить", "Удалить", "Ещё"),
    "pt": ("Nome", "Salvar", "Excluir", "Mais"),
}


def worldwide(code: str, name: str, kind: str, mode: str = "ok", **more: object) -> Scene:
    field, save, *_ = WORDS[code]
    acts = (put(field, "Dee Fox"), click(save))
    move = Move(
        **{
            "kind": kind,
            "acts": acts,
            "truth": named("Dee Fox"),
            "last": True,
            "mode": mode,
            **more,
        }
    )  # type: ignore[arg-type]
    goal = f"Set '{field}' to 'Dee Fox' and click '{save}'"
    return Scene(
        name=f"world/{code}-{name}",
        page="world",
        path=f"/p/world?l={code}",
        ready=GOT,
        goal=goal,
        held_out=True,
        moves=(move,),
    )


def removing(code: str, mode: str = "ok") -> Scene:
    label = f"{WORDS[code][2]}: Bo Chen"
    kind = {"ok": "record deleted", "broken": "save refused", "lie": "lying message"}[mode]
    move = Move(
        kind=kind,
        acts=(click(label),),
        truth=without("Bo Chen"),
        last=True,
        mode=mode,
        step=f"Click '{label}'",
    )
    return Scene(
        name=f"world/{code}-delete-{mode}",
        page="world",
        path=f"/p/world?l={code}",
        ready=GOT,
        goal=f"Click '{label}'",
        held_out=True,
        moves=(move,),
    )


WORLD = (
    *(worldwide(code, "saved", "save accepted") for code in WORDS),
    *(worldwide(code, "refused", "save refused", "broken") for code in WORDS),
    *(worldwide(code, "empty", "validation error", acts=(click(WORDS[code][1]),)) for code in ("de", "fr", "he", "ja")),
    *(worldwide(code, "late", "slow save", "held", again=1200) for code in ("es", "ja")),
    *(worldwide(code, "lie", "lying message", "lie") for code in ("de", "pt")),
    removing("fr"), removing("ru"), removing("ja", "broken"), removing("es", "broken"),
    *(Scene(name=f"world/{code}-menu", page="world", path=f"/p/world?l={code}", ready=GOT, held_out=True, moves=(
        Move(kind="menu opened", acts=(click(WORDS[code][3]),), truth="document.querySelector('[role=menu]')"),)) for code in ("de", "he")),
)  # fmt: skip

BOARD = (
    *table("board", "/p/board",
        one("quick", "save accepted", (put("Quick add", "Call Dee"), key("Enter")), named("Call Dee"), "Add a card 'Call Dee'", last=True),
        one("quick-refused", "save refused", (put("Quick add", "Call Dee"), key("Enter")), named("Call Dee"), "Add a card 'Call Dee'", last=True, mode="broken"),
        one("quick-late", "slow save", (put("Quick add", "Call Dee"), key("Enter")), named("Call Dee"), "Add a card 'Call Dee'", last=True, mode="held", again=1200),
        one("quick-typed", "value set, page ticks", put("Quick add", "Call Dee"), "quick.value == 'Call Dee'", "Type 'Call Dee' into Quick add", last=True),
        one("quick-lie", "silent failure", (put("Quick add", "Call Dee"), key("Enter")), named("Call Dee"), "Add a card 'Call Dee'", last=True, mode="lie"),
        one("finish", "moved by a button", click("Finish Ann Lee"), lambda t: t.site.has(name="Ann Lee", col="done"), "Click Finish Ann Lee", last=True),
        one("finish-refused", "optimistic, rolled back", click("Finish Ann Lee"), lambda t: t.site.has(name="Ann Lee", col="done"), "Click Finish Ann Lee", last=True, mode="broken"),
        one("bin", "record deleted", click("Bin Bo Chen"), without("Bo Chen"), "Delete the card Bo Chen", last=True),
        one("bin-refused", "save refused", click("Bin Bo Chen"), without("Bo Chen"), "Delete the card Bo Chen", last=True, mode="broken"),
        one("bin-lie", "lying message", click("Bin Bo Chen"), without("Bo Chen"), "Delete the card Bo Chen", last=True, mode="lie"),
        one("sync", "nothing to see, page ticks", click("Sync"), "got.synced", "Click Sync"),
        one("undo", "click that does nothing, page ticks", click("Undo"), "false", "Click Undo"),
        one("vote", "counter, page ticks", click("👍 0"), "got.votes == 1", "Click 👍", last=True),
        one("follow", "button turned", click("Follow"), "got.follow", "Click Follow", last=True),
        one("follow-refused", "silent failure", click("Follow"), "got.follow", "Click Follow", last=True, mode="broken"),
        one("more", "more loaded late", click("Load more"), "got.more", "Click Load more", last=True),
        one("help", "section shown", click("Help"), "got.help", "Click Help", last=True),
        one("export", "veil that stays", click("Export"), "document.getElementById('veil')", "Click Export"),
        one("memo", "value set in a frame", put("Memo", "Tea"), "frames[0].memo.value == 'Tea'", "Type Tea into Memo", last=True),
        one("memo-kept", "saved in a frame", (put("Memo", "Tea"), click("Keep memo")), "got.memo == 'Tea'", "Click Keep memo", last=True),
        one("memo-empty", "validation error in a frame", click("Keep memo"), "got.memo", "Click Keep memo", last=True),
        one("pin", "checkbox in a frame", check("Pinned"), "frames[0].pin.checked", "Check Pinned", last=True),
        one("key-nothing", "key that does nothing, page ticks", key("F9"), "false", "Press F9"),
        one("hover-nothing", "hover that shows nothing", hover("Undo"), "got.over == 'undo'", "Hover over Undo"),
        one("scroll-nothing", "scroll that cannot", scroll(), "scrollY > 50", "Scroll down"),
        one("gone", "element gone, page ticks", click("id:432"), "false", "Click Archive", last=True),
        ready=GOT, held_out=True),
    Scene(name="board/drag", page="board", path="/p/board", ready=GOT, goal="Drag Cy Young to the done cards", held_out=True, moves=(
        Move(kind="moved by a button", acts=(click("Finish Ann Lee"),), truth=lambda t: t.site.has(name="Ann Lee", col="done"), step="Click Finish Ann Lee"),
        Move(kind="drag", acts=(drag("Bin Cy Young", "Reopen Ann Lee"),), truth=lambda t: t.site.has(name="Cy Young", col="done"), step="Drag Cy Young to Ann Lee", last=True),
    )),
)  # fmt: skip

SCENES: tuple[Scene, ...] = (*WORLD, *BOARD)
