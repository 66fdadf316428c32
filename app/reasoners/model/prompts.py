"""Builds the calls to a model: each kind of question, and its prompt for a situation."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Generic

from app.domain.action import PARAMETERS, POINT_ACTIONS
from app.domain.page import Observation
from app.domain.plan import Decision
from app.domain.reasoner import Situation, Transition, WebSearch
from app.llm.port import ModelRequest, Reply, Tier
from app.llm.prompt import NAME, fill_prompt, join_sections, prompt_fields
from app.plans import is_subtask_unplanned, owed_outputs
from app.reasoners.model import reply_schemas
from app.reasoners.model.limits import (
    LONGEST_ANSWER,
    LONGEST_EVIDENCE,
    LONGEST_GOAL,
    LONGEST_NOTE,
    LONGEST_SUMMARY,
    LONGEST_SUMMARY_ASKED,
    MOST_ACTIONS,
    MOST_CHANGES,
    MOST_LISTED,
    MOST_STEPS,
    MOST_SUBTASKS,
    cut_line,
)
from app.reasoners.model.prompt_sections import (
    done_lines,
    episodes_section,
    files_section,
    goal_section,
    history_section,
    knowledge_section,
    page_change_note,
    page_section,
    plan_section,
    result_lines,
    today_line,
    verdict_line,
)
from app.reasoners.model.writer import Writer

_NO_STEP_LEFT = "No step is left: finish when the page shows that it is reached, else act or fail."


@dataclass(frozen=True, slots=True)
class CallKind(Generic[Reply]):
    """One kind of call: its instruction file, and the longest reply in tokens."""

    template: str
    reply: type[Reply]
    most: int
    tier: Tier = "fast"

    def request(
        self, parts: Iterable[str], page: Observation | None = None, tier: Tier | None = None
    ) -> ModelRequest[Reply]:
        """Build the call from these sections, with the page's picture if there is one."""
        return ModelRequest(
            purpose=self.template.partition(".")[0],
            system=system_prompt(self.template),
            template=self.template,
            prompt=join_sections(parts),
            reply=self.reply,
            tier=tier or self.tier,
            images=(page.screenshot,) if page and page.screenshot else (),
            max_output_tokens=self.most,
        )


@cache
def system_prompt(template: str) -> str:
    """Return the instructions that every call of that kind shares."""
    calls = _calls(
        name
        for name in PARAMETERS
        if name not in POINT_ACTIONS | _TAB_ACTIONS | _OMITTED | {"uploadFile"}
    )
    values = {
        "fence": NAME,
        "actions": calls,
        "most_actions": str(MOST_ACTIONS),
        "most_steps": str(MOST_STEPS),
        "most_parts": str(MOST_SUBTASKS),
    }
    fields = prompt_fields(template)
    shared = {"page": system_prompt("page.v2")} if "page" in fields else {}
    return fill_prompt(
        template, **{name: values[name] for name in fields - shared.keys()}, **shared
    )


_TAB_ACTIONS = frozenset({"switchTab", "closeTab"})
_PARAMETER_HINTS = {"direction": "up/down/left/right"}  # shown instead of the parameter's name
_OMITTED = frozenset({"verifySuccess"})  # replaced by `see` and `quote`


def _calls(names: Iterable[str]) -> str:
    """Return the signatures of the actions."""
    signatures = (
        (name, (_PARAMETER_HINTS.get(key, key) for key, _ in PARAMETERS[name])) for name in names
    )
    return " ".join(f"{name}({', '.join(keys)})" for name, keys in signatures)


def _page_actions(page: Observation) -> str:
    """Return the actions that only some pages need: points, tabs, uploads, waiting for a text."""
    takes_files = any(node.role == "file" for node in page.tree)
    drawn = page.screenshot is not None or any(
        node.role == "img" or "draggable" in node.states for node in page.tree
    )
    names = [
        name
        for name in PARAMETERS
        if (drawn and name in POINT_ACTIONS)
        or (page.tabs and name in _TAB_ACTIONS)
        or (takes_files and name == "uploadFile")
    ]
    sentences = [_calls(names)] if names else []
    if takes_files:
        sentences.append("uploadFile(id, name, text) makes the file of that text.")
    if any(node.role == "menu" and "haspopup" in node.states for node in page.tree):
        sentences.append("hover opens a menu's haspopup; click it where that does nothing.")
    if drawn or page.client.restless:
        sentences.append('wait(id or "page", text it will show or "" for any change, ms)')
    return f"Also: {' '.join(sentences)}" if sentences else ""


OPENING = CallKind("opening.v3", reply_schemas.Opening, 3_000, "strong")  # 12 steps, 10 long values
ACTING = CallKind(
    "acting.v2", reply_schemas.Acting, 2_000, "strong"
)  # 10 long values, or a new plan
CORRECTING = CallKind("correcting.v2", reply_schemas.Correcting, 2_000, "strong")
JUDGING = CallKind("judging.v2", reply_schemas.Judging, 150)  # three words and a sentence
CRITICISING = CallKind("criticising.v1", reply_schemas.Criticising, 150)
EXAMINING = CallKind("examining.v1", reply_schemas.Examining, 100)
HEARING = CallKind("hearing.v1", reply_schemas.Hearing, 30)  # one word
ANSWERING = CallKind("answering.v1", reply_schemas.Answering, 800)
WEIGHING = CallKind("weighing.v1", reply_schemas.Weighing, 300)


def opening_call(situation: Situation, write: Writer) -> ModelRequest[reply_schemas.Opening]:
    """Ask for needs, plan and first actions; a sub-task is given by number, its words are in the fence."""
    background, plan = situation.background, situation.plan
    handed = (
        " outputs: the values that earlier parts give."
        if owed_outputs(plan, background.subtask_outputs)
        else ""
    )
    parts = [
        *goal_section(situation, write),
        *knowledge_section(background, write),
        episodes_section(background, write),
        *plan_section(plan, write),
        page_section(situation, write),
        _page_actions(situation.page),
        f"Open part {plan.subtask + 1}.{handed}" if is_subtask_unplanned(plan) else "",
    ]
    return OPENING.request(parts, situation.page)


def acting_call(situation: Situation, write: Writer) -> ModelRequest[reply_schemas.Acting]:
    """Ask what to do for the current step or, if none is left, whether the goal is reached."""
    plan = situation.plan
    parts = [
        *_state_sections(situation, write),
        page_section(situation, write),
        _page_actions(situation.page),
        page_change_note(situation.replanning),
        _NO_STEP_LEFT if plan.steps and plan.step is None else "",
    ]
    return ACTING.request(parts, situation.page)


def correcting_call(
    situation: Situation, reason: str, write: Writer
) -> ModelRequest[reply_schemas.Correcting]:
    events = (cut_line(text, LONGEST_NOTE) for text in situation.page.events[-MOST_LISTED:])
    parts = [
        *_state_sections(situation, write),
        write.fenced_section("Events", *events),
        page_section(situation, write),
        _page_actions(situation.page),
        write.fenced_section("Why it failed", cut_line(reason)),
    ]
    return CORRECTING.request(parts, situation.page)


def _state_sections(situation: Situation, write: Writer) -> Iterator[str]:
    yield from goal_section(situation, write)
    yield from knowledge_section(situation.background, write)
    yield from plan_section(situation.plan, write)
    yield from history_section(situation, write)


def judging_call(
    situation: Situation, transition: Transition, write: Writer
) -> ModelRequest[reply_schemas.Judging]:
    """Ask for a verdict on the last chain if tier 1 leaves it open.

    Tier 2 asks the fast model a short question about what was done and changed. Tier 3 asks the
    strong model with goal, plan, history and page.
    """
    actions = transition.chain.actions[-MOST_LISTED:]
    acts = [cut_line(one.description or one.redacted.text, LONGEST_NOTE) for one in actions]
    observations = transition.found.observations[:MOST_CHANGES]
    changes = [cut_line(text, LONGEST_NOTE) for text in observations]
    if transition.tier == 2:
        last, step = transition.last_step, situation.plan.step
        of_step = f"for: {cut_line(step.description)}" if step and not last else ""
        did = (f"did: {text}" for text in acts)
        goal = goal_section(situation, write) if last else ()
        return JUDGING.request(
            [*goal, write.fenced_section("Done and seen", of_step, *did, *changes)]
        )
    sent = {one.action_id for one in transition.chain.actions}
    earlier = tuple(record for record in situation.records if record.action_id not in sent)
    parts = [
        *goal_section(situation, write),
        *plan_section(situation.plan, write),
        write.fenced_section("Done before", *done_lines(earlier)),
        write.fenced_section("The last action", *acts),
        write.fenced_section("What changed", *changes),
        page_section(situation, write, longest_summary=LONGEST_SUMMARY),
    ]
    return JUDGING.request(parts, situation.page, "strong")


def criticism_call(
    situation: Situation, refinement: Decision, write: Writer
) -> ModelRequest[reply_schemas.Criticising]:
    """Ask whether the proposed end makes sense on the page."""
    page = situation.page
    texts = (page.title, page.url, *page.errors, *page.successes)
    page_lines = (
        *(cut_line(text) for text in texts),
        cut_line(page.summary, LONGEST_EVIDENCE),
    )
    ending = f"{refinement.outcome}: {cut_line(refinement.reason)}"
    parts = [
        *goal_section(situation, write),
        write.fenced_section("Actions", ending),
        write.fenced_section("The last action", verdict_line(situation.verdict)),
        write.fenced_section("Page", *page_lines),
    ]
    return CRITICISING.request(parts)


def examination_call(
    situation: Situation, acts: tuple[str, ...], surroundings: tuple[str, ...], write: Writer
) -> ModelRequest[reply_schemas.Examining]:
    """Ask what the acts would do now and whether the person wants them.

    The history is included, since a last page seldom repeats what was entered. Of the page, only
    the surroundings of their controls are shown: other text may have misled the model that chose
    them.
    """
    parts = [
        *goal_section(situation, write),
        write.fenced_section("Done so far", *done_lines(situation.records)),
        write.fenced_section("Acts", *(cut_line(one, LONGEST_EVIDENCE) for one in acts)),
        write.fenced_section("Around them", *(cut_line(one) for one in surroundings)),
    ]
    return EXAMINING.request(parts)


def answer_meaning_call(
    situation: Situation, question: str, answer: str, write: Writer
) -> ModelRequest[reply_schemas.Hearing]:
    """Ask for the meaning of an answer that is neither yes nor no; the question quotes the page."""
    parts = [
        *goal_section(situation, write),
        write.fenced_section("Asked", cut_line(question)),
        write.trusted_section("The person says", cut_line(answer, LONGEST_ANSWER)),
    ]
    return HEARING.request(parts)


def answering_call(
    situation: Situation, question: str, write: Writer
) -> ModelRequest[reply_schemas.Answering]:
    """Ask to answer a question, which a model may have worded, from the page and the background."""
    parts = [
        today_line(situation),
        *knowledge_section(situation.background, write),
        page_section(situation, write, longest_summary=LONGEST_SUMMARY_ASKED),
        files_section(situation.background, write),
        write.fenced_section("Question", question[:LONGEST_GOAL]),
    ]
    return ANSWERING.request(parts, situation.page)


def search_judgement_call(search: WebSearch, write: Writer) -> ModelRequest[reply_schemas.Weighing]:
    """Ask whether a web search found what was needed."""
    parts = [
        write.fenced_section("Needed", cut_line(search.need)),
        write.fenced_section("Searched for", cut_line(search.query)),
        write.fenced_section("Results", *result_lines(search.results)),
    ]
    return WEIGHING.request(parts)
