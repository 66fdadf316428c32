"""Where a run stands, as the text that a model reads.

Only the goal and the person's own answers stand outside of the fence. All else, the plan too, was
made by a page, a document or a model that had read one.
"""

from calendar import day_name
from collections.abc import Iterable

from app.domain.page import Observation
from app.domain.plan import Plan, PlanStep
from app.domain.verdict import RePlan, Verdict
from app.engines.reasoner import Situation
from app.engines.render import form, lines
from app.reasoners.model.bounds import (
    LONGEST_ANSWER,
    LONGEST_GOAL,
    LONGEST_MARKUP,
    LONGEST_NOTE,
    LONGEST_PAGE,
    LONGEST_SUMMARY,
    LONGEST_TEXT,
    MOST_LISTED,
    cut,
)
from app.reasoners.model.history import done_by_person, done_so_far
from app.reasoners.model.writer import Writer

FEW_CONTROLS = 3  # a page with fewer is read rather than used


def said(situation: Situation, write: Writer) -> list[str]:
    """The goal, the day it is said on, and what the person answered since."""
    answers = [
        write.fenced("You asked", cut(one.question, LONGEST_TEXT))
        + "\n"
        + write.trusted("The person answered", cut(one.text, LONGEST_ANSWER))
        for one in situation.background.answers
    ]
    return [*_goal(situation, write), today(situation), *answers]


def today(situation: Situation) -> str:
    """The day from which "tomorrow" and "next Friday" count: a model knows none."""
    day = situation.today
    return f"Today: {day_name[day.weekday()]} {day.isoformat()}" if day else ""


def _goal(situation: Situation, write: Writer) -> list[str]:
    """The person's own goal; that of a sub-task was worded by a model."""
    whole, now = situation.said, situation.goal
    part = write.fenced("Goal of this part", now[:LONGEST_GOAL]) if now != whole else ""
    return [write.trusted("Goal", whole[:LONGEST_GOAL]), part]


def seen(situation: Situation, write: Writer, *, longest_summary: int = 0) -> str:
    """The page: its title and address, its messages, its controls, and some of its text."""
    page, step = situation.page, situation.plan.step
    about = f"{situation.goal} {step.description if step else ''}"
    text = cut(page.summary, longest_summary) if longest_summary else ""
    parts = [
        f"{cut(page.title, LONGEST_TEXT)} {cut(page.url, LONGEST_TEXT)}".strip(),
        *_messages(page),
        _page_lines(page, about),
        form(page)[:LONGEST_MARKUP],
        f"text: {text}" if text else "",
    ]
    return write.fenced("Page", *parts, keep_ids=True)


def worth_reading(situation: Situation) -> int:
    """How much of the page's text is worth its tokens: none, while there are controls to use."""
    instruction = situation.instruction
    asked = "?" in situation.goal or (instruction is not None and instruction.kind == "question")
    ending = bool(situation.plan.steps) and situation.plan.step is None
    few = sum(not node.occluded for node in situation.page.tree) < FEW_CONTROLS
    return LONGEST_SUMMARY if asked or ending or few else 0


def planned(plan: Plan, write: Writer) -> list[str]:
    """The parts, the steps with where they stand, and what may come in between."""
    return [
        write.fenced("Parts of the goal", *_parts(plan)),
        write.fenced("Plan", *(_step(number, step) for number, step in enumerate(plan.steps, 1))),
        write.fenced("If it comes up", *_contingencies(plan)),
    ]


def behind(situation: Situation, write: Writer) -> list[str]:
    """What was done, what came of the last of it, and why a proposal was turned down."""
    return [
        write.fenced("Done so far", *done_so_far(situation.deeds)),
        write.fenced("Done by the person since", *done_by_person(situation.background.acts)),
        write.fenced("The last action", verified(situation.verdict)),
        write.fenced("Not sent", *(cut(why, LONGEST_TEXT) for why in situation.unsent)),
        write.fenced("Your last proposal was not sent", cut(situation.refused or "", LONGEST_TEXT)),
        write.fenced("Your last reply", cut(situation.seeing, LONGEST_TEXT)),
    ]


def another(found: RePlan | None) -> str:
    """That the page is another than the plan was made for: why, in words that no page wrote."""
    if found is None:
        return ""
    why = found.reason.partition(":")[0]
    return f"{why} (similarity {found.similarity:.2f}): give new steps if the plan no longer fits."


def _page_lines(page: Observation, about: str) -> str:
    text = lines(page, about=about)
    if len(text) <= LONGEST_PAGE:
        return text or "no controls"
    return text[:LONGEST_PAGE].rpartition("\n")[0] + "\nthe rest is not shown"


def _messages(page: Observation) -> Iterable[str]:
    yield from (f"error: {cut(text, LONGEST_NOTE)}" for text in page.errors[:MOST_LISTED])
    yield from (f"success: {cut(text, LONGEST_NOTE)}" for text in page.successes[:MOST_LISTED])
    for seen_dialog in page.dialogs[-MOST_LISTED:]:
        answer = "accepted" if seen_dialog.accepted else "dismissed"
        yield f"{seen_dialog.kind} said and was {answer}: {cut(seen_dialog.message, LONGEST_NOTE)}"


def events(page: Observation, write: Writer) -> str:
    """What happened on the page of late."""
    shown = (cut(text, LONGEST_NOTE) for text in page.events[-MOST_LISTED:])
    return write.fenced("Events", *shown)


def _step(number: int, step: PlanStep) -> str:
    mark = {"completed": "done", "current": "NOW", "skipped": "skipped"}.get(step.status, "")
    shows = f" (shows: {cut(step.expected, LONGEST_NOTE)})" if step.expected else ""
    return f"{number}. {cut(step.description, LONGEST_TEXT)}{shows} {mark}".rstrip()


def _parts(plan: Plan) -> Iterable[str]:
    for number, part in enumerate(plan.subtasks, start=1):
        mark = "done" if number <= plan.subtask else "NOW" if number == plan.subtask + 1 else ""
        needs = f" needs: {', '.join(part.inputs)}" if part.inputs else ""
        gives = f" gives: {', '.join(part.outputs)}" if part.outputs else ""
        opened = part.reason and mark == "NOW"
        again = f" again: {cut(part.reason, LONGEST_NOTE)}" if opened else ""
        yield f"{number}. {cut(part.goal, LONGEST_TEXT)}{needs}{gives} {mark}{again}".rstrip()


def _contingencies(plan: Plan) -> Iterable[str]:
    for one in plan.contingencies:
        if not one.used:
            yield cut(f"{one.trigger}: {'; '.join(one.steps)}", LONGEST_TEXT)


def verified(verdict: Verdict | None) -> str:
    """What came of the last action, on one line."""
    if verdict is None:
        return ""
    outcome = {True: "worked", False: "failed", None: "is not sure to have worked"}
    whole = "; the whole goal seems reached" if verdict.goal_achieved else ""
    reason = cut(verdict.reason, LONGEST_NOTE)
    return f"{outcome[verdict.succeeded]}{whole}{': ' + reason if reason else ''}"
