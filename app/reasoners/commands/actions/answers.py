"""Answers questions from the texts of the page."""

from collections.abc import Sequence
from itertools import dropwhile, pairwise

from app.domain.directive import Target, quote_value
from app.domain.page import MASK
from app.domain.plan import Decision
from app.grounding import MEANING, Label, describe_page, describe_unreachable, label, similarity
from app.reasoners.commands.actions import decisions
from app.reasoners.commands.actions.case import StepCase
from app.reasoners.commands.actions.location import is_in_record
from app.text import patterns

PAIR = patterns.compile(r"^\s*(?P<name>[^:|\n]{1,60}?)\s*[:|]\s*(?P<value>[^|\s][^|]{0,200})$")
LONGEST_ANSWER = 200  # characters
Answer = tuple[str, str]  # name and value on the page


def answer_from_page(case: StepCase) -> Decision:
    """Answer from a field, a label with its value, or a record's row, if unambiguous."""
    target = case.directive.target or Target(phrase=case.directive.value or case.directive.source)
    answers = find_shown(case, target)
    if len(answers) == 1:
        answer = _answer_text(answers[0])
        return Decision(outcome="answer", reason=answer, thought=answer, confidence=0.9)
    return explain_unclear(case, target, answers)


def find_shown(case: StepCase, target: Target) -> list[Answer]:
    """Return the page's values under that name: in a field, behind a label, or in a record's row."""
    what, whose = target.phrase, target.within or ""
    answers = [*_from_fields(case, what, whose), *_from_text(case, what, whose)]
    return list(dict.fromkeys([*answers, *_from_table(case, what, whose)]))


def explain_unclear(case: StepCase, target: Target, answers: Sequence[Answer]) -> Decision:
    """Say that the page shows nothing under the name, or several values."""
    if answers:
        several = ", ".join(map(_answer_text, answers[:4]))
        return decisions.missing(
            f"{describe_page(case.page)} shows more than one answer: {several}."
        )
    what, whose = target.phrase, target.within
    requested = f"{quote_value(what)} of {quote_value(whose)}" if whose else quote_value(what)
    where = f"on {describe_page(case.page)} and it is not shown there."
    return decisions.missing(f"I looked for {requested} {where}{describe_unreachable(case.page)}")


def _answer_text(answer: Answer) -> str:
    name, value = answer
    return f"{name.removesuffix(':')}: {value}"


def _means(requested: Label, name: str) -> bool:
    return bool(name) and similarity(requested, label(name)) >= MEANING


def _from_fields(case: StepCase, what: str, whose: str) -> list[Answer]:
    requested = label(what)
    return [
        (n.name, n.value)
        for n in case.tree
        if n.value and n.value != MASK and _means(requested, n.name)
        and (not whose or is_in_record(whose, n.group))
    ]  # fmt: skip


def _from_table(case: StepCase, what: str, whose: str) -> list[Answer]:
    """Return the cells under the requested heading, in the rows of the named record."""
    requested, answers = label(what), list[Answer]()
    heading: list[str] = []
    for line in case.page.summary.splitlines() if whose else ():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 1 and any(_means(requested, cell) for cell in cells):
            heading = cells
        elif 1 < len(heading) <= len(cells) and is_in_record(whose, line):
            at = next(i for i, cell in enumerate(heading) if _means(requested, cell))
            answers.append((heading[at], cells[at]))
    return answers


def _from_text(case: StepCase, what: str, whose: str) -> list[Answer]:
    """Find label and value in one line or two; for a record, the first after the line with its name."""
    lines = [line.strip() for line in case.page.summary.splitlines() if line.strip()]
    owner = label(whose).folded
    lines = list(dropwhile(lambda line: owner not in label(line).folded, lines))
    requested, answers = label(what), list[Answer]()
    for line, following in pairwise([*lines, ""]):
        pair = PAIR.match(line)
        if pair and _means(requested, pair["name"]):
            answers.append((pair["name"], pair["value"][:LONGEST_ANSWER]))
        elif _means(requested, line.rstrip(":")) and line.endswith(":") and following:
            answers.append((line, following[:LONGEST_ANSWER]))
    return answers[:1] if whose else answers
