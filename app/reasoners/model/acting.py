"""What to do now for the current step, or, when none is left, whether the goal is reached."""

from app.engines.planning.limits import MOST_STEPS
from app.engines.reasoner import Situation
from app.llm.port import ModelRequest
from app.llm.prompting import fill
from app.reasoners.model.asking import page_rules, pictures
from app.reasoners.model.material import known
from app.reasoners.model.replies import Acting
from app.reasoners.model.situation import another, behind, planned, said, seen, worth_reading
from app.reasoners.model.writer import Writer, joined

TEMPLATE = "acting.v2"

MAX_OUTPUT = 2_000  # tokens: a chain of 10 long values, or a new plan
_NO_STEP_LEFT = "No step is left: finish when the page shows that it is reached, else act or fail."


def request(situation: Situation, write: Writer) -> ModelRequest[Acting]:
    """The call for this situation."""
    plan = situation.plan
    parts = [
        *said(situation, write),
        *known(situation.background, write),
        *planned(plan, write),
        *behind(situation, write),
        seen(situation, write, longest_summary=worth_reading(situation)),
        another(situation.replanning),
        _NO_STEP_LEFT if plan.steps and plan.step is None else "",
    ]
    return ModelRequest(
        purpose="acting",
        system=system(),
        template=TEMPLATE,
        prompt=joined(parts),
        reply=Acting,
        images=pictures(situation.page),
        max_output_tokens=MAX_OUTPUT,
    )


def system() -> str:
    """What every such call shares, word for word."""
    return fill(TEMPLATE, page=page_rules(), most_steps=str(MOST_STEPS))
