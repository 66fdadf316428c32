"""Answers that are counted or looked for: how many there are, whether one is there."""

from app.domain.plan import Refinement
from app.engines.grounding.label import label
from app.engines.refinement.case import Case
from app.engines.refinement.exploring import NEXT
from app.engines.refinement.listing import listed
from app.engines.refinement.loading import wait_for_placeholders
from app.text import patterns

HOW_MANY = patterns.compile(
    r"^\W*(?:(?:please\s+)?(?:tell me|count|find out)\s+)?"
    r"(?:how many|the number of|count(?: the)?)\s+(?P<kind>.+?)"
    r"(?:\s+(?:are|is|do|does|have|has|can|in|on)\b.*)?[?.!\s]*$",
    patterns.IGNORECASE,
)
THERE = patterns.compile(
    r"^\W*(?:is|are)\s+(?:there\s+)?(?:(?:an?|any|the)\s+)?(?P<name>.+?)\s+"
    r"(?:(?:still|already)\s+)?(?:(?:in|on)\s+(?:the|this|my|our)\s+(?:\w+\s+)?"
    r"(?:list|table|page|screen|team|group|results?)|here|listed|shown|there)[?.!\s]*$",
    patterns.IGNORECASE,
)
SAID = r"\b(?P<count>\d[\d,.]*)\s+(?:\w+\s+)?{kind}s?\b"
LONGEST_KIND = 40  # characters


def counted_answer(case: Case, asked: str) -> Refinement | None:
    """The number the page states, else that of the records on it, once they have all come; None
    where neither is plain.
    """
    found = HOW_MANY.match(asked)
    kind = found["kind"].strip() if found else ""
    if not kind or len(kind) > LONGEST_KIND:
        return None
    stated = _stated(case, kind)
    if len(stated) == 1:
        return _answer(f"{stated.pop()} {kind}")
    records = listed(case.tree, kind)
    if stated or not records:
        return None
    if (waited := wait_for_placeholders(case)) is not None:
        return waited
    more = any(NEXT.match(node.name.strip()) and node.enabled for node in case.tree)
    return _answer(
        f"{len(records)} {kind} {'on this page; there are further pages' if more else ''}"
    )


def _stated(case: Case, kind: str) -> set[str]:
    """The totals of that kind in the page's own words: "1-10 of 120 patients", "Patients: 12"."""
    noun = patterns.escape(kind.rstrip("s"))
    text = case.page.summary
    totals = {
        m[1]
        for m in patterns.finditer(
            rf"\bof (\d[\d,]*) (?:\w+ )?{noun}s?\b", text, patterns.IGNORECASE
        )
    }
    said = {
        m["count"] for m in patterns.finditer(SAID.format(kind=noun), text, patterns.IGNORECASE)
    }
    labelled = {
        m[1]
        for m in patterns.finditer(
            rf"\b{noun}s?\s*(?::|\|)\s*(\d[\d,]*)\b", text, patterns.IGNORECASE
        )
    }
    return totals or said | labelled


def presence_answer(case: Case, asked: str) -> Refinement | None:
    """Yes where the page shows the name; nothing is denied of a list that has further pages, or is
    still being loaded.
    """
    found = THERE.match(asked)
    if found is None:
        return None
    wanted = label(found["name"]).stems
    texts = [*case.page.summary.splitlines(), *(f"{n.name} {n.group}" for n in case.tree)]
    if wanted and any(wanted <= label(text).stems for text in texts):
        return _answer(f"Yes, {found['name']} is here.")
    if any(NEXT.match(node.name.strip()) and node.enabled for node in case.tree):
        return None
    return wait_for_placeholders(case) or _answer(f"No, {found['name']} is not shown on this page.")


def _answer(text: str) -> Refinement:
    said = " ".join(text.split())
    return Refinement(outcome="answer", reason=said, thought=said, confidence=0.8)
