"""What dialogs of the browser tell about the last actions."""

from dataclasses import replace

from app.domain.dialog import DialogSeen
from app.domain.page import Observation
from app.engines.verification.evidence import Evidence, no
from app.engines.verification.explain import quote
from app.engines.verification.messages import kind_of

_TOLD = 5  # dialogs; a page that asks on and on says nothing new


def with_alerts(page: Observation) -> Observation:
    """The page with what its alerts said among its messages: they are gone by the time it is read."""
    said = [d.message for d in page.dialogs if d.kind == "alert" and d.message.strip()]
    if not said:
        return page
    return replace(
        page,
        errors=(*page.errors, *(text for text in said if kind_of(text) == "error")),
        successes=(*page.successes, *(text for text in said if kind_of(text) == "success")),
    )


def stopped(page: Observation) -> Evidence | None:
    """That the page asked whether to go on and was told no: then it did not."""
    asked = next((d for d in reversed(page.dialogs) if d.stopped), None)
    if asked is None:
        return None
    return no(0.9, f"The page asked '{quote(asked.message)}', which was dismissed")


def told_dialogs(page: Observation) -> tuple[str, ...]:
    """Each dialog and its answer, in words."""
    return tuple(dict.fromkeys(_told(dialog) for dialog in page.dialogs[:_TOLD]))


def _told(dialog: DialogSeen) -> str:
    text = quote(dialog.message)
    match dialog.kind:
        case "alert":
            return f"An alert said '{text}'"
        case "print":
            return "The page wanted to print"
        case "beforeunload":
            return "The page was left without saving what was entered in it"
        case _:
            return f"{dialog.kind} '{text}' was {'accepted' if dialog.accepted else 'dismissed'}"
