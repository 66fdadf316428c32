"""When an end that a model declares is believed without a second opinion."""

import pytest

from app.domain.action import action
from app.domain.background import Background, Provenance, WebResult, WebSearch
from app.domain.directive import Instruction
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Plan, PlanStep, Proposal, Refinement
from app.domain.verdict import Verdict
from app.engines.critic import wanted
from app.engines.reasoner import Situation

WORKED = Verdict(succeeded=True, confidence=0.9, tier=1)
PAGE = Observation(
    url="https://desk.example/orders",
    tree=Tree(
        (
            Node(id="1", role="btn", name="Details", group="row: Contoso 1,240.00"),
            Node(id="2", role="btn", name="Details", group="row: Fabrikam 310.50"),
        )
    ),
    successes=("The order of Contoso was marked as shipped",),
)
STEPS = (PlanStep(id="1", description="Mark it"), PlanStep(id="2", description="Save it"))
THROUGH, HALF = Plan(steps=STEPS, current=2, maker="model"), Plan(steps=STEPS, current=1)
ORDER = "Contoso's parcel went out, have the list say so"
QUESTION = "What does Contoso owe us?"
ASKED = Instruction(text=QUESTION, kind="question", confidence=0.9)


def doubted(goal, said, *, sure=0.95, plan=THROUGH, verdict=WORKED, **more):
    end = Refinement(outcome="finish", maker="model", confidence=sure, reason=said)
    return wanted(end, Situation(goal=goal, page=PAGE, plan=plan, verdict=verdict, **more))


ENDS = {
    "all done, and sure": (ORDER, "Done.", {}, False),
    "all done, and the page says so": (ORDER, "The order of Contoso is shipped.", {}, False),
    "a model that is not sure": (ORDER, "Done.", {"sure": 0.84}, True),
    "a verdict that is not sure": (
        ORDER, "Done.", {"verdict": WORKED.model_copy(update={"confidence": 0.8})}, True
    ),
    "a verdict of another tier": (
        ORDER, "Done.", {"verdict": WORKED.model_copy(update={"tier": 3})}, True
    ),
    "a failure since": (ORDER, "Done.", {"verdict": Verdict(succeeded=False, confidence=0.9)}, True),
    "nobody knows": (ORDER, "Done.", {"verdict": Verdict(succeeded=None, confidence=0.9)}, True),
    "a step left": (ORDER, "Done.", {"plan": HALF}, True),
    "a step left out": (
        ORDER, "Done.",
        {"plan": THROUGH.model_copy(update={"steps": (
            STEPS[0].model_copy(update={"status": "skipped"}), STEPS[1]
        )})}, True,
    ),
    "nothing done": (ORDER, "Done.", {"plan": Plan(), "verdict": None}, True),
    "refused before": (ORDER, "Done.", {"refused": "It is not so."}, True),
    "a name that nobody gave": (ORDER, "The order of Tailspin is shipped.", {}, True),
    "an answer off the page": (
        QUESTION, "It owes 1,240.00.", {"plan": HALF, "verdict": None, "instruction": ASKED}, False
    ),
    "an answer that no page shows": (
        QUESTION, "It owes 1,420.00.", {"plan": HALF, "verdict": None, "instruction": ASKED}, True
    ),
    "a question, and no answer": (QUESTION, "Done.", {"instruction": ASKED}, True),
    "a count": ("How many orders are open?", "There are 2 open orders.", {}, True),
}  # fmt: skip


@pytest.mark.parametrize(("goal", "said", "more", "is_doubted"), ENDS.values(), ids=ENDS.keys())
def test_an_end(goal, said, more, is_doubted):
    assert doubted(goal, said, **more) is is_doubted


@pytest.mark.parametrize(
    ("typed", "solved", "is_doubted"),
    [("0800 555 0134", True, False), ("0800-5550134", True, False),
     ("0800 555 0199", True, True), ("0800 555 0134", False, True)],
)  # fmt: skip
def test_what_a_search_answered_with_is_typed_at_once(typed, solved, is_doubted):
    result = WebResult(
        title="Nordia", url="https://n.example", text="Help 0800 555 0134, sales 0800 555 0199"
    )
    answer = "0800 555 0134 (https://n.example)" if solved else ""
    found = WebSearch(need="the help line", results=(result,), solved=solved, answer=answer)
    source = Provenance(origin="search", excerpt=typed, ref=result.url)
    put = Proposal(action=action("setValue", "1", typed), description="", provenance=source)
    chosen = Refinement(outcome="act", maker="model", proposals=(put,), confidence=0.95)
    background = Background(searches=(found,))
    assert wanted(chosen, Situation(goal=ORDER, page=PAGE, background=background)) is is_doubted
