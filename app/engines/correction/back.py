"""Leaving a page that an action led to by mistake."""

from app.domain.action import action
from app.domain.plan import Refinement
from app.engines.correction.case import Case, act
from app.engines.verification.error_pages import is_error_page
from app.engines.verification.snapshot import split_url

GO_BACK = "go back"


def go_back(case: Case) -> Refinement | None:
    """Leave a page that the action led to by mistake; nothing was handed in on the way there."""
    back = action("goBack")
    here, there = split_url(case.page.url), split_url(case.deed.url)
    moved = bool(case.deed.url) and here[:3] != there[:3]
    if not moved or case.deed.action.name not in _LEADS or case.was_tried(back):
        return None
    on_the_way = case.here[case.here.index(case.deed) :] if case.deed in case.here else ()
    if any(
        Case(deed=deed, page=case.page, here=case.here).is_submit
        for deed in on_the_way
        if deed.status != "failure" or deed is case.deed
    ):
        return None
    why = "This is not the page that the step needs"
    return act(GO_BACK, why, (back, "Go back to the page before"), completes=False)


_LEADS = frozenset({"click", "clickAt", "pressKey"})


def from_error(case: Case) -> Refinement | None:
    """An error page came in place of the page that was acted on."""
    return go_back(case) if is_error_page(case.page) else None
