"""The planner's gate: whether a goal is clear, whole and safe enough to go on with."""

from collections.abc import Sequence

from app.domain.background import Background
from app.domain.directive_wording import quoted
from app.domain.hitl import SAVE_TO_MEMORY, Question
from app.domain.plan import Analysis
from app.domain.reasoner import Situation
from app.domain.redaction import masked, secrets_in
from app.planning.question_limits import asking_for, plain

INTENT_UNCLEAR = "intent_unclear"  # as a missing field; and what a question of it is about
UNSURE = "unsure"
TURNED = "turned"  # of an answer that asks for something else than was asked
LEAST_CONFIDENCE = 0.7  # planner_hitl, section 2
TIMES_UNCLEAR = 2  # asked what is meant; after that it is not understood
EXAMPLE = "click Save, or fill in the form with name Ann"
_FINDS_OUT = frozenset({"look", "search", "read", "ask"})
_SHOWN = 120  # characters of a goal; a card of the panel holds about two lines


def clarification(analysis: Analysis, situation: Situation) -> Question | None:
    """What must be clear before anything is planned, by the planner's rules in their order: the intent,
    its confidence, what is missing. Talk asks nothing; nor do rules that stand in for a model, which may
    have understood.
    """
    if analysis.intent_type != "operation" or analysis.answer is not None:
        return None
    fields = tuple(name for name in analysis.missing_fields if name != INTENT_UNCLEAR)
    about = [one.about for one in situation.background.answers]
    is_unclear = INTENT_UNCLEAR in analysis.missing_fields
    if is_unclear and analysis.notice is None and about.count(INTENT_UNCLEAR) < TIMES_UNCLEAR:
        return _unclear(situation.goal, fields)
    if not fields and UNSURE not in about and _is_in_doubt(analysis):
        said = _said(situation.goal)
        text = f"I am not sure what is meant by {said}: what exactly should be done?"
        return Question(text=text, about=UNSURE)
    if fields:
        return asking(fields)
    return None if is_unclear else analysis.question


def _is_in_doubt(analysis: Analysis) -> bool:
    """Whether it is not sure what is meant, and there is no other way to find out than to ask."""
    if analysis.confidence >= LEAST_CONFIDENCE or analysis.search is not None:
        return False
    looks = analysis.first is not None and analysis.first.outcome in _FINDS_OUT
    return analysis.question is None and not looks


def rest_of(background: Background) -> tuple[str, ...]:
    """The fields that the last answer left open, where it gave some of those asked for."""
    last = background.answers[-1] if background.answers else None
    if last is None or not last.values:
        return ()
    return tuple(
        one for one in last.fields if one not in last.values and one not in last.left_empty
    )


def asking(fields: Sequence[str]) -> Question:
    """The question for these fields."""
    return Question(text=asking_for(fields), fields=tuple(fields))


def _unclear(goal: str, fields: tuple[str, ...]) -> Question:
    """The question what is meant, with an example of what is understood, or whether it is to be kept in
    memory (planner_hitl, section 2).
    """
    text = f"I did not understand {_said(goal)}: what should be done, for example “{EXAMPLE}”?"
    return Question(
        text=asking_for(fields) if fields else text,  # in the words of who could not tell
        fields=fields,
        about=INTENT_UNCLEAR,
        options=(SAVE_TO_MEMORY,),
    )


def _said(goal: str) -> str:
    return quoted(plain(masked(goal, secrets_in(goal)), _SHOWN))
