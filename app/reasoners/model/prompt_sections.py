"""Renders the state of the run and its background as prompt sections.

Only the goal and the person's answers are outside the fence. Everything else, the plan too, comes
from pages, documents or models that read them.
"""

from calendar import day_name
from collections.abc import Iterable, Iterator, Sequence

from app.domain.action import ActionRecord
from app.domain.directive import SECRET_FIELD
from app.domain.page import Observation
from app.domain.plan import Plan, PlanStep
from app.domain.reasoner import Background, Situation, WebResult, WebSearch
from app.domain.verdict import RePlan, Verdict
from app.page import (
    READING_CHARS,
    PageUpdate,
    page_update,
    render_lines,
    render_markup,
    role_and_name,
    unpack,
)
from app.reasoners.model.limits import (
    LONGEST_ANSWER,
    LONGEST_GOAL,
    LONGEST_NOTE,
    LONGEST_SUMMARY,
    LONGEST_TEXT,
    MOST_LISTED,
    cut_line,
)
from app.reasoners.model.writer import Writer
from app.recovery import ALLOWED_TO_FAIL, describe_person_act

FEW_CONTROLS = 3  # a page with fewer is read rather than used
RAW_RECORDS = 10  # DESIGN, "Loops": the last 10 actions are kept raw, older ones as a summary
LONGEST_OLDER = 400
LONGEST_PAGE = 24_000  # about 8,000 tokens: the 90th percentile of measured pages is under 1,000
LONGEST_MARKUP = 60_000  # about 20,000 tokens (interact_flow, "Mode Selection": full mode)
LONGEST_FOUND = 700  # of one search result or passage
LONGEST_FILE = 8_000  # of one file, to answer a question
MOST_FILES = 3
MOST_FOUND = 5
MOST_REMEMBERED = 6  # lines of the conversation
LONGEST_REMEMBERED = 240
MOST_EXAMPLES = 3  # hints, similar goals, facts of each, decisions of operators
LONGEST_DECISION = 600  # of an operator, with the reason
_OUTCOMES = {
    "pending": "not known yet",
    "success": "done",
    "failure": "failed",
    "unknown": "not sure",
}


def goal_section(situation: Situation, write: Writer) -> list[str]:
    """Render the goal, the current day, and the answers; a model worded the goal of a sub-task."""
    stated_goal, current_goal = situation.stated_goal, situation.goal
    answers = [
        write.fenced_section("You asked", cut_line(answer.question))
        + "\n"
        + write.trusted_section("The person answered", cut_line(answer.text, LONGEST_ANSWER))
        for answer in situation.background.answers
    ]
    return [
        write.trusted_section("Goal", stated_goal[:LONGEST_GOAL]),
        write.fenced_section("Goal of this part", current_goal[:LONGEST_GOAL])
        if current_goal != stated_goal
        else "",
        today_line(situation),
        *answers,
    ]


def today_line(situation: Situation) -> str:
    day = situation.today
    return f"Today: {day_name[day.weekday()]} {day.isoformat()}" if day else ""


def knowledge_section(background: Background, write: Writer) -> list[str]:
    memory = background.memory[-MOST_REMEMBERED:]
    passages = background.knowledge[:MOST_FOUND]
    return [
        write.fenced_section(
            "Conversation before",
            *(f"{line.role}: {cut_line(line.content, LONGEST_REMEMBERED)}" for line in memory),
        ),
        write.fenced_section(
            "Documents of the team",
            *(
                f"{cut_line(p.cited, LONGEST_NOTE)}: {cut_line(p.text, LONGEST_FOUND)}"
                for p in passages
            ),
        ),
        *(
            write.fenced_section("Web search", *_search(one))
            for one in background.searches[-MOST_FOUND:]
        ),
        write.fenced_section("Handed on by earlier parts", *_pairs(background.subtask_outputs)),
        write.fenced_section("Read from pages", *_pairs(background.extracts)),
        write.fenced_section(
            "Downloaded",
            *(
                cut_line(file.summary) + (f': read("{file.name}") tells it' if file.text else "")
                for file in background.downloads[-MOST_LISTED:]
            ),
        ),
        write.fenced_section("Hints from earlier tasks", *_cut(background.hints[:MOST_EXAMPLES])),
        write.fenced_section(
            "Decisions of operators",
            *_cut((one.line for one in background.advice[:MOST_EXAMPLES]), LONGEST_DECISION),
        ),
    ]


def files_section(background: Background, write: Writer) -> str:
    """Render the newest files, for answering questions about them."""
    return write.fenced_section(
        "Files",
        *(
            f"{file.name}:\n{file.text[:LONGEST_FILE]}"
            for file in background.downloads[-MOST_FILES:]
        ),
    )


def episodes_section(background: Background, write: Writer) -> str:
    """Render results of similar goals on this site, for planning."""
    lines: list[str] = []
    for one in background.episodes[:MOST_EXAMPLES]:
        facts = _cut(one.facts[:MOST_EXAMPLES], LONGEST_NOTE)
        lines.append(f"{cut_line(one.goal, LONGEST_NOTE)}: {cut_line(one.summary)}")
        lines += [f"- the page said: {fact}" for fact in facts]
    return write.fenced_section("Tried before", *lines)


def result_lines(results: Sequence[WebResult]) -> Iterator[str]:
    for result in results[:MOST_FOUND]:
        title, url = cut_line(result.title, LONGEST_NOTE), cut_line(result.url)
        yield f"{title} {url}: {cut_line(result.text, LONGEST_FOUND)}"


def _search(search: WebSearch) -> Iterator[str]:
    yield f"needed: {cut_line(search.need)}"
    if search.unavailable:
        yield f"could not be searched: {cut_line(search.unavailable, LONGEST_NOTE)}"
    elif search.solved and search.answer:
        yield f"found: {cut_line(search.answer, LONGEST_FOUND)}"
    else:
        yield from result_lines(search.results) if search.results else ["nothing found"]


def _pairs(values: dict[str, str]) -> Iterator[str]:
    for name, value in list(values.items())[-MOST_LISTED:]:
        yield f"{cut_line(name, LONGEST_NOTE)}: {cut_line(value, LONGEST_FOUND)}"


def _cut(texts: Iterable[str], longest: int = LONGEST_TEXT) -> Iterator[str]:
    return (cut_line(text, longest) for text in texts)


def plan_section(plan: Plan, write: Writer) -> list[str]:
    between = (
        f"{one.trigger}: {'; '.join(one.steps)}" for one in plan.contingencies if not one.used
    )
    return [
        write.fenced_section("Parts of the goal", *_parts(plan)),
        write.fenced_section(
            "Plan", *(_step(number, step) for number, step in enumerate(plan.steps, 1))
        ),
        write.fenced_section("If it comes up", *_cut(between)),
    ]


def _step(number: int, step: PlanStep) -> str:
    mark = {"completed": "done", "current": "NOW", "skipped": "skipped"}.get(step.status, "")
    shows = f" (shows: {cut_line(step.expected, LONGEST_NOTE)})" if step.expected else ""
    return f"{number}. {cut_line(step.description)}{shows} {mark}".rstrip()


def _parts(plan: Plan) -> Iterator[str]:
    for number, part in enumerate(plan.subtasks, start=1):
        mark = "done" if number <= plan.subtask else "NOW" if number == plan.subtask + 1 else ""
        needs = f" needs: {', '.join(part.inputs)}" if part.inputs else ""
        gives = f" gives: {', '.join(part.outputs)}" if part.outputs else ""
        opened = part.reason and mark == "NOW"
        repeated = f" again: {cut_line(part.reason, LONGEST_NOTE)}" if opened else ""
        yield f"{number}. {cut_line(part.goal)}{needs}{gives} {mark}{repeated}".rstrip()


def history_section(situation: Situation, write: Writer) -> list[str]:
    """Render what was done, the last verdict, and why a proposal was rejected."""
    acts = map(describe_person_act, situation.background.acts[-RAW_RECORDS:])
    return [
        write.fenced_section("Done so far", *done_lines(situation.records)),
        write.fenced_section("Done by the person since", *_cut(acts, LONGEST_NOTE)),
        write.fenced_section("The last action", verdict_line(situation.verdict)),
        write.fenced_section("Not sent", *_cut(situation.unsent)),
        write.fenced_section("Your last proposal was not sent", cut_line(situation.refused or "")),
        write.fenced_section("Your last reply", cut_line(situation.seeing)),
        write.fenced_section(
            "What you looked up", *situation.looked_up.splitlines(), keep_ids=True
        ),
    ]


def done_lines(records: tuple[ActionRecord, ...]) -> Iterator[str]:
    """Yield a line for each recent action, after one line for the older ones."""
    older, last = records[:-RAW_RECORDS], records[-RAW_RECORDS:]
    if older:
        worked = sum(record.status == "success" for record in older)
        words = "; ".join(dict.fromkeys(one.description or one.action.name for one in older))
        yield cut_line(f"before that {len(older)} actions, {worked} worked: {words}", LONGEST_OLDER)
    yield from map(_done, last)


def _done(record: ActionRecord) -> str:
    role, name, group = record.signature or ("", "", "")
    kind, _, label = group.rpartition(" > ")[2].partition(": ")
    action = record.action.masked if SECRET_FIELD.search(name) else record.action
    on = f" on {role} {cut_line(name, LONGEST_NOTE)!r}" if role else ""
    on += f" in {cut_line(label, LONGEST_NOTE)!r}" if kind in ("row", "item") and label else ""
    outcome = _OUTCOMES[record.status]
    if record.note == ALLOWED_TO_FAIL:
        outcome = record.note
    elif record.note and record.status != "success":
        outcome += f": {cut_line(record.note, LONGEST_NOTE)}"
    return f"{cut_line(action.text, LONGEST_NOTE)}{on} {outcome}"


def verdict_line(verdict: Verdict | None) -> str:
    if verdict is None:
        return ""
    outcome = {True: "worked", False: "failed", None: "is not sure to have worked"}
    goal_note = "; the whole goal seems reached" if verdict.goal_achieved else ""
    reason = cut_line(verdict.reason, LONGEST_NOTE)
    return f"{outcome[verdict.succeeded]}{goal_note}{': ' + reason if reason else ''}"


def page_section(situation: Situation, write: Writer, *, longest_summary: int | None = None) -> str:
    """Render title, address, messages, controls and texts; more text if there are few controls."""
    page, step = situation.page, situation.plan.step
    about = f"{situation.goal} {step.description if step else ''}"
    longest = _text_limit(situation) if longest_summary is None else longest_summary
    update = (
        page_update(page, unpack(situation.before), about=about)
        if _shows_only_changes(situation)
        else None
    )
    text = "" if page.texts or update is not None else cut_line(_unlisted_lines(page), longest)
    parts = [
        f"{cut_line(page.title)} {cut_line(page.url)}".strip(),
        *_messages(page),
        *(_explain_marks(update) if update is not None else ()),
        _page_lines(update.page if update is not None else page, about, longest, update),
        render_markup(page)[:LONGEST_MARKUP],
        f"text: {text}" if text else "",
    ]
    return write.fenced_section("Page", *parts, keep_ids=True)


def _unlisted_lines(page: Observation) -> str:
    """Return the summary's lines that are not names of controls or containers."""
    names = (
        text for n in page.tree for text in (n.name, n.hint, *(label for _, label in n.groups))
    )
    listed = {text.casefold() for text in (page.title, *page.errors, *page.successes, *names)}
    return "\n".join(
        one for one in page.summary.splitlines() if one.lstrip("#- ").casefold() not in listed
    )


def _text_limit(situation: Situation) -> int:
    """Return how many characters of page text to include."""
    instruction = situation.instruction
    is_question = "?" in situation.goal or (
        instruction is not None and instruction.kind == "question"
    )
    ending = bool(situation.plan.steps) and situation.plan.step is None
    few = sum(not node.occluded for node in situation.page.tree) < FEW_CONTROLS
    return LONGEST_SUMMARY if is_question or ending or few else READING_CHARS


def _shows_only_changes(situation: Situation) -> bool:
    """Whether the last action worked and the run continues, so that only changes need be shown."""
    if situation.verdict is None or situation.verdict.succeeded is not True or not situation.before:
        return False
    anew = situation.refused or situation.looked_up or situation.seeing or situation.replanning
    return not anew


def _explain_marks(update: PageUpdate) -> Iterator[str]:
    """Explain the marks, and list removed controls."""
    yield (
        f"since the last action: + new, ~ changed, - gone; {update.folded} unchanged controls are left out, "
        'read("page") tells all'
    )
    yield from (f"- {role_and_name(node)}" for node in update.gone[:MOST_LISTED])


def _page_lines(
    page: Observation, about: str, reading: int, update: PageUpdate | None = None
) -> str:
    text = render_lines(
        page, about=about, reading=reading, marks=update.marks if update is not None else {}
    )
    if len(text) <= LONGEST_PAGE:
        return text or "no controls"
    return text[:LONGEST_PAGE].rpartition("\n")[0] + "\nthe rest is not shown"


def _messages(page: Observation) -> Iterator[str]:
    yield from (f"error: {text}" for text in _cut(page.errors[:MOST_LISTED], LONGEST_NOTE))
    yield from (f"success: {text}" for text in _cut(page.successes[:MOST_LISTED], LONGEST_NOTE))
    for seen_dialog in page.dialogs[-MOST_LISTED:]:
        answer = "accepted" if seen_dialog.accepted else "dismissed"
        yield f"{seen_dialog.kind} said and was {answer}: {cut_line(seen_dialog.message, LONGEST_NOTE)}"


def page_change_note(replanning: RePlan | None) -> str:
    """Say that the page has changed since the plan was made, in words that no page wrote."""
    if replanning is None:
        return ""
    why = replanning.reason.partition(":")[0]
    return f"{why} (similarity {replanning.similarity:.2f}): give new steps if the plan no longer fits."
