"""Decides what a goal needs before planning: an answer, a question, a search, or nothing; and
whether it is simple enough for a one-step plan.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.directive import Directive, Instruction, Target, quote_value
from app.domain.hitl import SAVE_TO_MEMORY, Question
from app.domain.page import Node, Observation
from app.domain.plan import Analysis, Complexity, Decision, Outcome, Plan, PlanStep
from app.domain.reasoner import Background, Situation, WebSearch
from app.domain.redaction import masked, secrets_in
from app.plans.user_messages import (
    closing_message,
    fields_question_text,
    find_impropriety,
    plain_text,
    word_question,
)
from app.text.lexicon import words

INTENT_UNCLEAR = "intent_unclear"  # used as a missing field and as the `about` of its question
UNSURE = "unsure"
TURNED = "turned"  # the answer asks for something else
LEAST_CONFIDENCE = 0.7  # planner_hitl, section 2
TIMES_UNCLEAR = 2  # questions about the meaning before the goal counts as not understood
EXAMPLE = "click Save, or fill in the form with name Ann"
_FINDS_OUT = frozenset({"look", "search", "read", "ask"})
_SHOWN = 120  # characters of a goal: about two lines of a panel card


def find_clarification(analysis: Analysis, situation: Situation) -> Question | None:
    """Return the question to ask before planning: intent, its confidence, then missing fields.

    Conversation needs no question, nor does the rules' analysis when it replaces a model's, which
    may have understood more.
    """
    if analysis.intent_type != "operation" or analysis.answer is not None:
        return None
    fields = tuple(name for name in analysis.missing_fields if name != INTENT_UNCLEAR)
    about = [one.about for one in situation.background.answers]
    is_unclear = INTENT_UNCLEAR in analysis.missing_fields
    if is_unclear and analysis.notice is None and about.count(INTENT_UNCLEAR) < TIMES_UNCLEAR:
        return _unclear(situation.goal, fields)
    if not fields and UNSURE not in about and _is_in_doubt(analysis):
        quoted = _quoted_goal(situation.goal)
        text = f"I am not sure what is meant by {quoted}: what exactly should be done?"
        return Question(text=text, about=UNSURE)
    if fields:
        return ask_for_fields(fields)
    return None if is_unclear else analysis.question


def _is_in_doubt(analysis: Analysis) -> bool:
    """Whether the meaning is uncertain and only the person can clarify it."""
    if analysis.confidence >= LEAST_CONFIDENCE or analysis.search is not None:
        return False
    looks = analysis.first is not None and analysis.first.outcome in _FINDS_OUT
    return analysis.question is None and not looks


def remaining_fields(background: Background) -> tuple[str, ...]:
    """Return the requested fields that the last answer left open; empty if it filled none."""
    last = background.answers[-1] if background.answers else None
    if last is None or not last.values:
        return ()
    return tuple(x for x in last.fields if x not in last.values and x not in last.left_empty)


def ask_for_fields(fields: Sequence[str]) -> Question:
    return Question(text=fields_question_text(fields), fields=tuple(fields))


def _unclear(goal: str, fields: tuple[str, ...]) -> Question:
    """Ask for the meaning with an example, or whether to memorize it (planner_hitl, section 2)."""
    text = (
        f"I did not understand {_quoted_goal(goal)}: what should be done, for example “{EXAMPLE}”?"
    )
    if fields:  # worded by the model or rule that was unsure
        text = fields_question_text(fields)
    return Question(text=text, fields=fields, about=INTENT_UNCLEAR, options=(SAVE_TO_MEMORY,))


def _quoted_goal(goal: str) -> str:
    return quote_value(plain_text(masked(goal, secrets_in(goal)), _SHOWN))


LONGEST = 200  # characters quoted from a goal
MODELS = (
    "A model reads any sentence: set GEMINI_API_KEY, or run a local Ollama and set "
    "TABWRIGHT_OPENAI_BASE_URL=http://localhost:11434/v1 and TABWRIGHT_OPENAI_MODEL to one of its models."
)


def analyse(instruction: Instruction, page: Observation) -> Analysis:
    """Accept a fully parsed instruction for planning; otherwise report the words not understood."""
    if instruction.unread is not None or not (instruction.directives or instruction.forbidden):
        return not_understood_outcome(instruction)
    if not len(page.tree) and not page.summary:
        return Analysis(
            missing=f"There is nothing to see on {page.url}: no control and no text came with it."
        )
    return Analysis(required_sources=("PAGE",))


def not_understood_outcome(instruction: Instruction) -> Analysis:
    """Return the outcome for a goal that is not one complete command."""
    words = instruction.unread or instruction.text
    unread_text = masked(words, secrets_in(instruction.text))[:LONGEST]
    return Analysis(
        missing=f"I did not understand “{unread_text}”, so nothing was done. Without a model only plain "
        "commands are read, such as: click Save; type 'Jas' into the name field; add a new patient "
        f"with name 'Jas'. {MODELS}"
    )


MOST_ANALYSES = 3  # per opening, with searches between them; then the goal is planned as it is
MOST_QUESTIONS = 3  # questions per task


@dataclass(frozen=True, slots=True, kw_only=True)
class Approach:
    """How to continue; plan if no field is set.

    A search precedes a question, so that both results are known to the next analysis.
    """

    outcome: Outcome | None = None
    question: Question | None = None
    search: str | None = None


def choose_approach(
    analysis: Analysis, situation: Situation, *, analyses: int, question_count: int
) -> Approach:
    """Decide how to continue after `analyses` analyses (with this one) and `question_count` questions."""
    if analysis.answer is not None:
        return Approach(outcome=closing_message(analysis.answer, situation))
    need = analysis.search
    earlier = find_search(situation, need) if need else None
    question = find_clarification(analysis, situation)
    if question is not None and question.about == UNSURE and question_count >= MOST_QUESTIONS:
        question = None  # the person has nothing to add
    if need and question is None and earlier is not None and not earlier.solved:
        reason = (earlier.unavailable or "the web search did not tell").rstrip(". ")
        question = Question(text=f"I could not find this out ({reason}):", fields=(need,))
    if question is not None:
        if question_count >= MOST_QUESTIONS:
            return Approach(outcome=given_up_outcome(question))
        if (why := find_impropriety(question, situation.page)) is not None:
            return Approach(outcome=Outcome(status="failed", message=f"I did not go on. {why}"))
        question = word_question(question, situation.page)
        return Approach(question=question, search=None if earlier else need)
    if analysis.missing is not None or INTENT_UNCLEAR in analysis.missing_fields:
        message = analysis.missing or f"I did not understand what is to be done: {situation.goal}"
        return Approach(outcome=Outcome(status="failed", message=message))
    query = need if earlier is None and analyses < MOST_ANALYSES else None
    return Approach(search=query)


def find_search(situation: Situation, need: str) -> WebSearch | None:
    need_key = need.casefold().strip()
    for search in situation.background.searches:
        if need_key in (search.need.casefold().strip(), search.query.casefold().strip()):
            return search
    return None


def given_up_outcome(question: Question) -> Outcome:
    lacking = "; ".join(question.fields) or question.text
    return Outcome(
        status="failed", message=f"Still missing after {MOST_QUESTIONS} answers: {lacking}"
    )


SURE = 0.8  # least confidence of a clear instruction
_ALONE = frozenset({"press", "scroll", "navigate", "back", "reload", "wait"})
_ON_ONE = frozenset(
    {"click", "open", "close", "fill", "clear", "select", "check"}
    | {"uncheck", "submit", "hover", "focus", "find"}
)


def classify_complexity(instruction: Instruction, page: Observation) -> Complexity:
    """Return SIMPLE for one clear action on one identifiable element, otherwise COMPLEX."""
    reason = _why_not(instruction) or _why_not_directive(instruction.directives[0], page)
    if reason is not None:
        return Complexity(level="COMPLEX", reason=reason)
    return Complexity(level="SIMPLE", reason="one clear action on one element")


def _why_not(instruction: Instruction) -> str | None:
    if instruction.kind != "operation":
        return f"a {instruction.kind} is no action"
    if len(instruction.directives) != 1:
        return f"{len(instruction.directives)} things to do"
    if instruction.confidence < SURE:
        return "the words are not clear"
    if instruction.forbidden or instruction.forbidden_verbs:
        return "something is forbidden"
    return None


def _why_not_directive(directive: Directive, page: Observation) -> str | None:
    if directive.times != 1:
        return "the action is asked for more than once"
    if directive.verb in _ALONE:
        return None
    if directive.verb not in _ON_ONE or len(directive.fields) > 1:
        return f"'{directive.verb}' may take several actions"
    target = directive.target or _implied_target(directive)
    if target is None:
        return "no control is named"
    if target.all:
        return "more than one control is meant"
    if target.within or target.near:
        return "the control is told by its surroundings"
    count = len(_matching_nodes(target, page))
    if target.ordinal is not None:
        return None if abs(target.ordinal) <= count else f"there are only {count} of them"
    return None if count == 1 else f"{count or 'no'} controls go by the name '{target.phrase}'"


def _implied_target(directive: Directive) -> Target | None:
    """Return the target that a directive names by its field or value."""
    field = directive.fields[0].field if directive.fields else ""
    phrase = field or (directive.value if directive.verb == "select" else None)
    return Target(phrase=phrase) if phrase else None


def _matching_nodes(target: Target, page: Observation) -> list[Node]:
    target_words = words(target.phrase)
    nodes = [
        n for n in page.tree if n.enabled and n.role != "txt" and target.role in (None, n.role)
    ]
    exact = [
        n for n in nodes if target_words in (words(n.name), words(n.hint), words(n.value or ""))
    ]
    return exact or [n for n in nodes if set(target_words.split()) <= set(words(n.name).split())]


GROUNDED = 0.85  # least confidence of a certain element


def single_step_plan(instruction: Instruction) -> Plan:
    directive = instruction.directives[0]
    words = directive.source or instruction.text
    step = PlanStep(id="1", description=words[:1].upper() + words[1:], directive=directive)
    return Plan(steps=(step,), instruction=instruction)


def is_surely_grounded(refinement: Decision) -> bool:
    """Whether the decision is one action on one certain element."""
    return (
        refinement.outcome == "act"
        and refinement.confidence >= GROUNDED
        and len(refinement.proposals) == 1
        and refinement.proposals[0].purpose == "work"
    )
