"""An action of which only the person can say whether it happened: how they are asked, and what follows."""

from collections.abc import Sequence

from app.agent.state import AgentState, Patch
from app.domain.action import ActionRecord, ActionStatus
from app.domain.plan import Outcome
from app.hitl.questions import create_question
from app.plans import MOST_QUESTIONS
from app.recovery import HAPPENED, failed_outcome, outcome_question

WENT_ON = "The person went on after it"
SAID_YES = "The person says that it happened"
SAID_NO = "The person says that it did not happen"


def ask_outcome(deed: ActionRecord, state: AgentState, request_id: str) -> Patch:
    """The question whether it happened; after as many questions as make sense, an honest end."""
    if state["asked"] >= MOST_QUESTIONS:
        return {"outcome": _give_up(deed, state)}
    question = create_question(outcome_question(deed), request_id)
    return {"question": question, "asked": state["asked"] + 1, "correction": None}


def apply_outcome_answer(state: AgentState, action_id: str, text: str) -> Patch:
    """What the person's yes or no changes: what happened is done, what did not is chosen anew."""
    happened = text == HAPPENED
    note, plan = (SAID_YES if happened else SAID_NO), state["plan"]
    patch: Patch = {"refinement": None, "correction": None, "lookups": 0}
    told = [deed for deed in state["deeds"] if deed.action_id == action_id]
    patch["deeds"] = _with_status(
        state["deeds"], action_id, "success" if happened else "failure", note
    )
    if happened and any(deed.ends_step for deed in told):
        patch |= {"plan": plan.advanced(), "verdict": None}
    return patch


def assume_done(deeds: Sequence[ActionRecord], unsure: ActionRecord) -> Patch:
    """The deeds, with the one that the person went on after."""
    return {"deeds": _with_status(deeds, unsure.action_id, "success", WENT_ON)}


def _with_status(
    deeds: Sequence[ActionRecord], action_id: str, status: ActionStatus, note: str
) -> list[ActionRecord]:
    change = {"status": status, "note": note}
    return [d.model_copy(update=change) if d.action_id == action_id else d for d in deeds]


def _give_up(deed: ActionRecord, state: AgentState) -> Outcome:
    what = deed.description or deed.action.masked.text
    why = f"It cannot be told whether '{what}' happened; it is not done again without knowing"
    return failed_outcome(why, tuple(state["deeds"]))
