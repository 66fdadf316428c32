"""Answers that stand on the page, and checks that something does."""

from itertools import pairwise

from app.domain.directive import Target
from app.domain.page import MASK, Node
from app.domain.plan import Refinement
from app.engines.grounding.label import Label, label
from app.engines.grounding.similarity import MEANING, similarity
from app.engines.grounding.surroundings import names_said
from app.engines.planning.wording import quoted
from app.engines.refinement.case import Case, missing
from app.engines.refinement.messages import out_of_reach, place
from app.text import patterns

PAIR = patterns.compile(r"^\s*(?P<name>[^:|\n]{1,60}?)\s*[:|]\s*(?P<value>[^|\s][^|]{0,200})$")
LONGEST_ANSWER = 200  # characters


def read(case: Case) -> Refinement:
    """Answer from a field, a label with its value, or a record's row; only where it is plain."""
    target = case.directive.target or Target(phrase=case.directive.value or case.directive.source)
    what, whose = target.phrase, target.within or ""
    found = [*_from_fields(case, what, whose), *_from_text(case, what, whose)]
    answers = dict.fromkeys([*found, *_from_table(case, what, whose)])
    if len(answers) == 1:
        answer = next(iter(answers))
        return Refinement(outcome="answer", reason=answer, thought=answer, confidence=0.9)
    if answers:
        return missing(
            f"{place(case.page)} shows more than one answer: {', '.join(list(answers)[:4])}."
        )
    of = f" of {quoted(whose)}" if whose else ""
    return missing(
        f"I looked for {quoted(what)}{of} on {place(case.page)} and it is not shown there."
        + out_of_reach(case.page)
    )


def _means(wanted: Label, name: str) -> bool:
    return bool(name) and similarity(wanted, label(name)) >= MEANING


def _from_fields(case: Case, what: str, whose: str) -> list[str]:
    wanted = label(what)
    return [
        f"{node.name}: {node.value}"
        for node in case.tree
        if node.value and node.value != MASK and _means(wanted, node.name) and _belongs(node, whose)
    ]


def _belongs(node: Node, whose: str) -> bool:
    return not whose or label(whose).meaning_set <= label(node.group).meaning_set


def _from_table(case: Case, what: str, whose: str) -> list[str]:
    """The cell under the heading asked for, in the one row that names whose."""
    if not whose:
        return []
    wanted = label(what)
    owners = [label(name).meaning_set for name in names_said(whose)]
    rows = [[cell.strip() for cell in line.split("|")] for line in case.page.summary.splitlines()]
    found: list[str] = []
    heading: list[str] = []
    for cells in rows:
        if any(_means(wanted, cell) for cell in cells) and len(cells) > 1:
            heading = cells
        elif (
            len(heading) > 1
            and len(cells) >= len(heading)
            and any(owner <= label(" ".join(cells)).meaning_set for owner in owners)
        ):
            at = next(i for i, cell in enumerate(heading) if _means(wanted, cell))
            found.append(f"{heading[at]}: {cells[at]}")
    return found


def _from_text(case: Case, what: str, whose: str) -> list[str]:
    """Label and value in one line, or in a line and the next; under a heading that names whose."""
    lines = [line.strip() for line in case.page.summary.splitlines() if line.strip()]
    if whose:
        owner = label(whose).folded
        start = next((i for i, line in enumerate(lines) if owner in label(line).folded), None)
        if start is None:
            return []
        lines = lines[start:]
    if not lines:
        return []
    wanted, found = label(what), []
    for line, following in pairwise([*lines, ""]):
        pair = PAIR.match(line)
        if pair and _means(wanted, pair["name"]):
            found.append(f"{pair['name']}: {pair['value'][:LONGEST_ANSWER]}")
        elif _means(wanted, line.rstrip(":")) and line.endswith(":") and following:
            found.append(f"{line} {following[:LONGEST_ANSWER]}")
    return found[:1] if whose else found
