"""The first call of a goal or sub-task: what it needs, the plan, and the first actions."""

from collections.abc import Sequence
from dataclasses import replace

from app.domain.analysis import Analysis, Source
from app.domain.plan import Plan, Refinement
from app.engines.evidence import is_quoted
from app.engines.gates.planner import INTENT_UNCLEAR
from app.engines.hierarchy import opens, owed
from app.engines.planning.limits import MOST_STEPS, MOST_SUBTASKS
from app.engines.reasoner import Situation
from app.errors import InvalidAction
from app.llm.port import ModelRequest
from app.llm.prompting import fill
from app.reasoners.model.asking import page_rules, pictures
from app.reasoners.model.bounds import (
    LONGEST_ANSWER,
    LONGEST_TEXT,
    meant,
)
from app.reasoners.model.material import known, tried_before
from app.reasoners.model.plans import opened
from app.reasoners.model.reading import outputs_of, question_of, refinement_of, share
from app.reasoners.model.replies import Opening
from app.reasoners.model.situation import planned, said, seen, worth_reading
from app.reasoners.model.writer import Writer, joined
from app.text import patterns

TEMPLATE = "opening.v3"

_UNCLEAR = patterns.compile(r"\W*intent[ _-]unclear\W*", patterns.IGNORECASE)
MAX_OUTPUT = 3_000  # tokens: a plan of 12 steps and a chain of 10 long values


def request(situation: Situation, write: Writer) -> ModelRequest[Opening]:
    """The call for this situation."""
    parts = [
        *said(situation, write),
        *known(situation.background, write),
        tried_before(situation.background, write),
        *planned(situation.plan, write),
        seen(situation, write, longest_summary=worth_reading(situation)),
        _which_part(situation),
    ]
    return ModelRequest(
        purpose="opening",
        system=system(),
        template=TEMPLATE,
        prompt=joined(parts),
        reply=Opening,
        images=pictures(situation.page),
        max_output_tokens=MAX_OUTPUT,
    )


def system() -> str:
    """What every opening shares, word for word."""
    return fill(
        TEMPLATE, page=page_rules(), most_steps=str(MOST_STEPS), most_parts=str(MOST_SUBTASKS)
    )


def _which_part(situation: Situation) -> str:
    """Said of the part alone by its number: its words are in the fence."""
    plan = situation.plan
    if not opens(plan):
        return ""
    asked = " outputs: the values that earlier parts give." if _owed(situation) else ""
    return f"Open part {plan.subtask + 1}.{asked}"


def _owed(situation: Situation) -> tuple[str, ...]:
    return owed(situation.plan, situation.background.handed)


def analysis_of(reply: Opening, situation: Situation, write: Writer) -> Analysis:
    """The reply in the domain's words. Raises `InvalidAction` when it says nothing to do."""
    question = question_of(reply.ask)
    search = meant(reply.search, LONGEST_TEXT) or None
    base = Analysis(
        required_sources=_sources(asks=question is not None, searches=search is not None),
        intent_type=reply.intent,
        confidence=share(reply.sure),
        effect=reply.effect,
        missing_fields=_missing(question.fields if question else ()),
    )
    if _is_answer(reply):
        return base.model_copy(update={"answer": _answer(reply, situation)})
    if question is not None:
        return base.model_copy(update={"question": question, "search": search})
    plan = opened(reply, _before(situation), situation.goal)
    if plan is None and search is None and reply.mode is None:
        raise InvalidAction("steps and do are empty, and neither say, ask nor search says why")
    outputs = _asked_for(reply, situation)
    return base.model_copy(
        update={
            "search": search,
            "plan": plan,
            "first": None if search else _first(reply, situation, plan, write),
            "outputs": outputs,
        }
    )


def _missing(fields: Sequence[str]) -> tuple[str, ...]:
    """What is to be asked for; some models write the name for an unclear goal as words."""
    return tuple(INTENT_UNCLEAR if _UNCLEAR.fullmatch(one) else one for one in fields)


def _sources(*, asks: bool, searches: bool) -> tuple[Source, ...]:
    """Where what is needed comes from: the page at least."""
    wanted: list[Source] = ["PAGE"]
    wanted += ["WEB_SEARCH"] if searches else []
    wanted += ["ASK_USER"] if asks else []
    return tuple(wanted)


def _is_answer(reply: Opening) -> bool:
    """Whether there is nothing to do: talk, or a question that is answered already."""
    has_words, has_work = bool(meant(reply.say, LONGEST_TEXT)), bool(reply.do or reply.steps)
    if reply.intent == "operation":
        return has_words and not has_work
    return has_words or not has_work


def _answer(reply: Opening, situation: Situation) -> str:
    said_to_person = reply.say.strip()[:LONGEST_ANSWER]
    if not meant(said_to_person, LONGEST_TEXT):
        raise InvalidAction(f"say is empty, and {reply.intent} needs an answer")
    if reply.intent == "operation" and not is_quoted(reply.quote, situation):
        raise InvalidAction("say ends the goal, and quote is no text of the page or the material")
    return said_to_person


def _before(situation: Situation) -> Plan:
    instruction = situation.plan.instruction or situation.instruction
    return situation.plan.model_copy(update={"instruction": instruction})


def _first(
    reply: Opening, situation: Situation, plan: Plan | None, write: Writer
) -> Refinement | None:
    """What to do now; None where nothing was said, and it is to be asked for."""
    if not any(call.strip() for call in reply.do) and reply.mode is None:
        return None
    opened_on = replace(situation, plan=plan or situation.plan)
    return refinement_of(reply.first, opened_on, write.veil)


def _asked_for(reply: Opening, situation: Situation) -> dict[str, str]:
    """The values that the parts before the one to open were to give, and no others."""
    wanted = _owed(situation)
    return {name: value for name, value in outputs_of(reply.outputs).items() if name in wanted}
