"""The planner's gate: whether a goal is clear, whole and safe enough to go on with."""

from collections.abc import Sequence

from app.domain.analysis import Analysis
from app.domain.background import Answered, Background
from app.domain.question import SAVE_TO_MEMORY, Question
from app.engines.asking import asking_for, plain
from app.engines.planning.wording import quoted
from app.engines.reasoner import Situation
from app.engines.redaction import masked, secrets_in
from app.text import patterns

INTENT_UNCLEAR = "intent_unclear"  # as a missing field; and what a question of it is about
UNSURE = "unsure"
TURNED = "turned"  # of an answer that asks for something else than was asked
LEAST_CONFIDENCE = 0.7  # planner_hitl, section 2
TIMES_UNCLEAR = 2  # asked what is meant; after that it is not understood
EXAMPLE = "click Save, or fill in the form with name Ann"
_TURNING = patterns.compile(
    r"^(?:no|nope|nein|non|não|nao|לא|stop|wait|actually)\s*[,.;:!\u2013-]\s*"
    r"|[\s,]+(?:instead|stattdessen|à la place|plutôt|en su lugar|em vez disso|במקום(?: זה)?)[\s.!]*$",
    patterns.IGNORECASE,
)
_FINDS_OUT = frozenset({"look", "search", "read", "ask"})
_SHOWN = 120  # characters of a step; a card of the panel holds about two lines


def clarification(analysis: Analysis, situation: Situation) -> Question | None:
    """What must be clear before anything is planned, by the planner's rules in their order: the intent,
    its confidence, what is missing. Talk asks nothing; nor do rules that stand in for a model, which may
    have understood.
    """
    if analysis.intent_type != "operation" or analysis.answer is not None:
        return None
    fields = tuple(name for name in analysis.missing_fields if name != INTENT_UNCLEAR)
    said = situation.background.answers
    is_unclear = INTENT_UNCLEAR in analysis.missing_fields and analysis.notice is None
    if is_unclear and not is_given_up(situation.background):
        return unclear(situation.goal, situation.background, fields)
    if not fields and not _about(UNSURE, said) and _is_in_doubt(analysis):
        return _doubt(situation.goal)
    if fields:
        return _missing(fields)
    return None if INTENT_UNCLEAR in analysis.missing_fields else analysis.question


def _is_in_doubt(analysis: Analysis) -> bool:
    """Whether it is not sure what is meant, and there is no other way to find out than to ask."""
    if analysis.confidence >= LEAST_CONFIDENCE or analysis.search is not None:
        return False
    looks = analysis.first is not None and analysis.first.outcome in _FINDS_OUT
    return analysis.question is None and not looks


def is_given_up(background: Background) -> bool:
    """Whether the person was asked what is meant as often as makes sense."""
    return len(_about(INTENT_UNCLEAR, background.answers)) >= TIMES_UNCLEAR


def restated(goal: str, background: Background) -> tuple[str, ...]:
    """The goal as the person put it when asked what was meant, the likeliest reading first; none where
    their last answer was about something else.
    """
    last = background.answers[-1] if background.answers else None
    if last is None or last.about not in (INTENT_UNCLEAR, UNSURE, TURNED):
        return ()
    said = _TURNING.sub("", last.text.strip()) or last.text
    return (said, f"{goal}, {said}", f"{said} {goal}")


def rest_of(background: Background) -> tuple[str, ...]:
    """The fields that the last answer left open, where it gave some of those asked for."""
    last = background.answers[-1] if background.answers else None
    if last is None or not last.given:
        return ()
    return tuple(one for one in last.fields if one not in last.given and one not in last.left)


def remaining(fields: Sequence[str]) -> Question:
    """The question for the rest, after an answer that gave a part."""
    return _missing(fields)


def _about(what: str, answers: Sequence[Answered]) -> list[Answered]:
    return [one for one in answers if one.about == what]


def unclear(goal: str, background: Background, fields: tuple[str, ...] = ()) -> Question:
    """The question what is meant, or whether it is to be kept in memory (planner_hitl, section 2); the
    second time with an example of what is understood.
    """
    again = bool(_about(INTENT_UNCLEAR, background.answers))
    asked = Question(text=asking_for(fields), fields=fields, about=INTENT_UNCLEAR)
    asked = asked.model_copy(update={"options": (SAVE_TO_MEMORY,)})
    if fields:  # in the words of who could not tell
        return asked
    said = quoted(plain(masked(goal, secrets_in(goal)), _SHOWN))
    text = f"I did not understand {said}: what should be done?"
    if again:
        text = f"I still do not understand {said}: what should be done, for example “{EXAMPLE}”?"
    return asked.model_copy(update={"text": text})


def _doubt(goal: str) -> Question:
    said = quoted(plain(masked(goal, secrets_in(goal)), _SHOWN))
    text = f"I am not sure what is meant by {said}: what exactly should be done?"
    return Question(text=text, about=UNSURE)


def _missing(fields: Sequence[str]) -> Question:
    return Question(text=asking_for(fields), fields=tuple(fields))
