"""Going to a page of a list by its number."""

import re

from app.domain.action import action
from app.domain.directive import Target
from app.domain.plan import Refinement
from app.engines.refinement.case import Case, done, one
from app.engines.refinement.exploring import NEXT, PREVIOUS
from app.engines.refinement.naming import called

PAGE = re.compile(r"^(?:the )?page (?:number )?#?(\d{1,5})$", re.I)
SHOWN = re.compile(r"\bpage (\d{1,5})(?: of (\d{1,5}))?\b", re.I)


def to_page(case: Case, target: Target | None) -> Refinement | None:
    """The click towards that page of the list; None when no page is asked for or none are turned."""
    asked = PAGE.match(target.phrase.strip()) if target else None
    if asked is None:
        return None
    wanted = int(asked[1])
    for node in case.tree:
        if node.role in {"link", "btn", "el"} and node.name.strip() in {
            str(wanted),
            f"Page {wanted}",
        }:
            if "current" in node.states:
                return done(f"Page {wanted} is shown.")
            return one(action("click", node.id), f"Go to page {wanted} with {called(node)}")
    shown = _shown(case)
    if shown is None:
        return None
    if shown == wanted:
        return done(f"Page {wanted} is shown.")
    turning = NEXT if shown < wanted else PREVIOUS
    for node in case.tree:
        if node.enabled and turning.match(node.name.strip()):
            near = abs(shown - wanted) == 1
            return one(
                action("click", node.id), f"Turn the page with {called(node)}", completes=near
            )
    return None


def _shown(case: Case) -> int | None:
    """The number of the page that is shown, in the page's own words."""
    for text in (*(node.name for node in case.tree), case.page.summary):
        if found := SHOWN.search(text):
            return int(found[1])
    current = [n for n in case.tree if "current" in n.states and n.name.strip().isdigit()]
    return int(current[0].name) if current else None
