"""The rules of documents: what they demand, forbid, recommend, or give a value for."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from app.chat.statements import Held, Statement
from app.text import patterns

Severity = Literal["high", "medium", "low"]
SEVERITIES: tuple[Severity, ...] = ("high", "medium", "low")
LOWER: dict[Severity, Severity] = {"high": "medium", "medium": "low", "low": "low"}
# A sentence about who reads a document, or what it is, binds no text.
_ABOUT_ITSELF = patterns.compile(
    r"\b(?:this|the present) (?:document|policy|manual|handbook|guide|section|page|standard)\b[^.]{0,40}"
    r"\b(?:must|shall|should|is to|may) be (?:read|reviewed|approved|updated|interpreted|signed)\b",
    patterns.IGNORECASE,
)


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A sentence that binds, or that gives a value; `title` is its document's. `severity` is that of
    breaking it.
    """

    said: Statement
    title: str
    severity: Severity


def rules_of(held: Iterable[Held]) -> list[Rule]:
    """In the order of the documents."""
    return [
        Rule(said, one.document.title, severity)
        for one in held
        for said in one.statements
        if (severity := _severity(said)) is not None
    ]


def _severity(said: Statement) -> Severity | None:
    if (not said.telling and not said.lead) or _ABOUT_ITSELF.search(said.text):
        return None
    if said.text.endswith((":", "?", "\uff1a")):
        return None
    if said.force == "must":
        return "high"
    if said.force == "should":
        return "medium"
    if any(one.bound != "exact" for one in said.amounts):
        return "high" if said.force != "may" else "medium"
    return "low" if said.amounts or said.denies or said.force == "may" else None
