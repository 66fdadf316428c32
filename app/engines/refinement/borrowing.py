"""Values that are to be taken from the page: "enter the value of Total into the field"."""

from app.domain.directive import Target
from app.domain.plan import Refinement
from app.engines.planning.wording import quoted
from app.engines.refinement.case import Case, missing
from app.engines.refinement.filling import fill
from app.engines.refinement.naming import place
from app.engines.refinement.reading import shown_value
from app.text import patterns

CLAUSE = patterns.compile(
    r"^(?:enter|type|put|write|copy|fill in|paste)\s+the\s+(?:value|text|content|number|data)s?"
    r"\s+(?:of|for|from)\s+(?P<what>.+?)\s+(?:in|into|to)\s+(?P<where>.+?)[.]?$",
    patterns.IGNORECASE,
)
ANY_FIELD = patterns.compile(
    r"^(the |a )?(text ?|input ?)*(field|box|area|form|input|text ?box)$", patterns.IGNORECASE
)


def borrow(case: Case) -> Refinement | None:
    """The entering of a value that the page shows; None when the clause asks for no such thing."""
    asked = CLAUSE.match(case.directive.source.strip())
    if asked is None:
        return None
    value = shown_value(case, asked["what"])
    if value is None:
        return missing(f"{place(case.page)} does not show one value for {quoted(asked['what'])}.")
    where = "" if ANY_FIELD.match(asked["where"]) else asked["where"].removeprefix("the ")
    return fill(case.instead(verb="fill", target=Target(phrase=where), value=value, fields=()))
