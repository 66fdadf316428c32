"""What a goal needs before it can be planned, and what comes of it: an answer, a question, a plan."""

from dataclasses import dataclass

from app.domain.background import WebSearch
from app.domain.directive import Instruction
from app.domain.hitl import Question
from app.domain.page import Observation
from app.domain.plan import Analysis, Outcome
from app.domain.reasoner import Situation
from app.domain.redaction import masked, secrets_in
from app.planning.endings import told
from app.planning.goal_gate import INTENT_UNCLEAR, UNSURE, clarification
from app.planning.question_limits import improper, worded

LONGEST = 200  # characters that are quoted of a goal
MODELS = (
    "A model reads any sentence: set GEMINI_API_KEY, or run a local Ollama and set "
    "TABWRIGHT_OPENAI_BASE_URL=http://localhost:11434/v1 and TABWRIGHT_OPENAI_MODEL to one of its models."
)


def analyse(instruction: Instruction, page: Observation) -> Analysis:
    """Send what was read whole on to planning; say which words were not understood otherwise."""
    if instruction.unread is not None or not (instruction.directives or instruction.forbidden):
        return not_understood(instruction)
    if not len(page.tree) and not page.summary:
        return Analysis(
            missing=f"There is nothing to see on {page.url}: no control and no text came with it."
        )
    return Analysis(required_sources=("PAGE",))


def not_understood(instruction: Instruction) -> Analysis:
    """The end of a goal that is no command as a whole."""
    words = instruction.unread or instruction.text
    shown = masked(words, secrets_in(instruction.text))[:LONGEST]
    return Analysis(
        missing=f"I did not understand “{shown}”, so nothing was done. Without a model only plain "
        "commands are read, such as: click Save; type 'Jas' into the name field; add a new patient "
        f"with name 'Jas'. {MODELS}"
    )


MOST_ANALYSES = 3  # of one opening, with what was searched in between; then it is planned as it is
MOST_QUESTIONS = 3  # of one task: a person who was asked so often has said what there is to say


@dataclass(frozen=True, slots=True, kw_only=True)
class Approach:
    """How to go on. With none of the three set: to the plan.

    A search goes before a question, so that both are known when the goal is analysed again.
    """

    outcome: Outcome | None = None
    question: Question | None = None
    search: str | None = None


def approach(analysis: Analysis, situation: Situation, *, analyses: int, asked: int) -> Approach:
    """Decide; `analyses` were made of this opening, this one included, `asked` questions put."""
    if analysis.answer is not None:
        return Approach(outcome=told(analysis.answer, situation))
    need = analysis.search
    earlier = search_of(situation, need) if need else None
    question = clarification(analysis, situation)
    if question is not None and question.about == UNSURE and asked >= MOST_QUESTIONS:
        question = None  # all that there is to say was said
    if need and question is None and earlier is not None and not earlier.solved:
        question = question_for(need, earlier)
    if question is not None:
        if asked >= MOST_QUESTIONS:
            return Approach(outcome=given_up(question))
        if (why := improper(question, situation.page)) is not None:
            return Approach(outcome=Outcome(status="failed", message=f"I did not go on. {why}"))
        question = worded(question, situation.page)
        return Approach(question=question, search=None if earlier else need)
    if analysis.missing is not None or INTENT_UNCLEAR in analysis.missing_fields:
        message = analysis.missing or f"I did not understand what is to be done: {situation.goal}"
        return Approach(outcome=Outcome(status="failed", message=message))
    wanted = need if earlier is None and analyses < MOST_ANALYSES else None
    return Approach(search=wanted)


def search_of(situation: Situation, need: str) -> WebSearch | None:
    """The search that was made for this need."""
    wanted = need.casefold().strip()
    for search in situation.background.searches:
        if wanted in (search.need.casefold().strip(), search.query.casefold().strip()):
            return search
    return None


def question_for(need: str, search: WebSearch) -> Question:
    """What a person is asked when the web did not say."""
    why = search.unavailable or "the web search did not tell"
    return Question(text=f"I could not find this out ({why.rstrip('. ')}):", fields=(need,))


def given_up(question: Question) -> Outcome:
    """The end of a task that would only go on asking."""
    lacking = "; ".join(question.fields) or question.text
    return Outcome(
        status="failed", message=f"Still missing after {MOST_QUESTIONS} answers: {lacking}"
    )
