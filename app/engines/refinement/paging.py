"""Turning the pages of a list: to the next or the one before, or to one by its number."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.plan import Refinement
from app.engines.refinement.case import Case, done, missing, one
from app.engines.refinement.exploring import NEXT, PREVIOUS
from app.engines.refinement.naming import called
from app.text import patterns

PAGE = patterns.compile(r"^(?:the )?page (?:number )?#?(\d{1,5})$", patterns.IGNORECASE)
WAYS = patterns.compile(r"^(?:the )?(next|following|previous|prev) page$", patterns.IGNORECASE)
LONGEST_NUMBER = 5  # digits; more is no page
TURNING = frozenset({"link", "btn", "el", "menu", "img"})
SHOWN = patterns.compile(r"\bpage (\d{1,5})(?: of (\d{1,5}))?\b", patterns.IGNORECASE)


def to_page(case: Case, target: Target | None) -> Refinement | None:
    """The click towards that page of the list; None when no page is asked for or none are turned."""
    if target is None or target.quoted:
        return None
    if (turned := _turned(case, target.phrase.strip())) is not None:
        return turned
    wanted = _wanted(case, target)
    if wanted is None:
        return None
    return _by_number(case, wanted) or _towards(case, wanted)


def _by_number(case: Case, wanted: int) -> Refinement | None:
    """The click on that page's own number."""
    names = {str(wanted), f"Page {wanted}"}
    for node in case.tree:
        if node.role in {"link", "btn", "el"} and node.name.strip() in names:
            if "current" in node.states:
                return done(f"Page {wanted} is shown.")
            return one(action("click", node.id), f"Go to page {wanted} with {called(node)}")
    return None


def _towards(case: Case, wanted: int) -> Refinement | None:
    """The click that turns one page towards it."""
    shown = _shown(case)
    if shown is None or shown == wanted:
        return None if shown is None else done(f"Page {wanted} is shown.")
    turning = NEXT if shown < wanted else PREVIOUS
    for node in case.tree:
        if node.enabled and turning.match(node.name.strip()):
            near = abs(shown - wanted) == 1
            words = f"Turn the page with {called(node)}"
            return one(action("click", node.id), words, completes=near)
    return None


def _turned(case: Case, phrase: str) -> Refinement | None:
    """The click on the first control that turns to the page after or before this one."""
    way = WAYS.match(phrase)
    if way is None:
        return None
    forward = way[1].lower() in {"next", "following"}
    turning = NEXT if forward else PREVIOUS
    for node in case.tree:
        if node.enabled and node.role in TURNING and turning.match(node.name.strip()):
            return one(action("click", node.id), f"Turn the page with {called(node)}")
    disabled = any(turning.match(n.name.strip()) for n in case.tree if n.role in TURNING)
    if disabled:
        return missing(
            f"There is no {phrase.lower()}: this is the {'last' if forward else 'first'} one."
        )
    return None if forward else one(action("goBack"), "Go back to the previous page")


def _wanted(case: Case, target: Target) -> int | None:
    """The number of the page asked for: of "page 3", "the 3rd page", "the last page"."""
    asked = PAGE.match(target.phrase.strip())
    if asked is not None:
        return int(asked[1])
    if target.ordinal is None or target.phrase.strip().lower() != "page":
        return None
    if target.ordinal > 0:
        return target.ordinal
    numbers = [int(n.name) for n in case.tree if n.role in TURNING and _is_number(n.name)]
    totals = [int(found[2]) for found in SHOWN.finditer(case.page.summary) if found[2]]
    last = max([*numbers, *totals], default=None)
    return None if last is None else last + 1 + target.ordinal


def _is_number(name: str) -> bool:
    return name.strip().isdecimal() and len(name.strip()) <= LONGEST_NUMBER


def _shown(case: Case) -> int | None:
    """The number of the page that is shown, in the page's own words."""
    for text in (*(node.name for node in case.tree), case.page.summary):
        if found := SHOWN.search(text):
            return int(found[1])
    current = [n for n in case.tree if "current" in n.states and n.name.strip().isdigit()]
    return int(current[0].name) if current else None
