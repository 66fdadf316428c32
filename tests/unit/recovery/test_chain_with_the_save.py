"""A chain that hands in at its end, as a model makes them, stopped at every index."""

import pytest

from app.domain.action import action
from app.domain.plan import Decision, Plan, PlanStep, Proposal
from app.domain.verdict import Critique, ModelOpinion
from app.reasoners.router import Router
from app.reasoners.rules import RuleReasoner
from tests.unit.recovery.contact_form import WANTED, ContactForm, run

WAYS = ("gone", "covered", "refused", "died", "died after")
GOAL = "Have our customer reached at 555 1234 as Jas, jas@x.org"


class WholeForm(RuleReasoner):
    """Always proposes the whole form and its save, after closing what covers them."""

    async def analyse(self, situation):
        plan = Plan(steps=(PlanStep(id="1", description="Hand in the form"),), maker="model")
        found = await super().analyse(situation)
        return found.model_copy(update={"missing": None, "answer": None, "plan": plan})

    async def refine(self, situation):
        if situation.plan.step is None:
            return Decision(outcome="finish", reason="The contact is saved")
        ids = {node.name: node.id for node in situation.page.tree}
        if "Save" not in ids:
            return Decision(outcome="done")
        entries = [action("setValue", ids[name], text) for name, text in WANTED.items()]
        closed = [action("click", ids["Close"])] if "Close" in ids else []
        sent = (*closed, *entries, action("click", ids["Save"]))
        return Decision(
            outcome="act",
            proposals=tuple(Proposal(action=one, description=one.text) for one in sent),
            confidence=0.95,
        )

    async def correct(self, situation, reason):
        found = await self.refine(situation)
        return found.model_copy(update={"strategy": "the whole form"})

    async def judge(self, situation, transition):
        return ModelOpinion(reason="The page says nothing")

    async def criticise(self, situation, refinement):
        return Critique()


def reasoner():
    return Router(RuleReasoner(), WholeForm())


@pytest.mark.parametrize("indexed", [True, False], ids=["indexed", "no index"])
@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("index", [0, 1, 2, 3])
async def test_it_is_handed_in_once_and_whole(index, how, indexed):
    page = ContactForm(fails_at=index, how=how, indexed=indexed)
    done = await run(page, goal=GOAL, reasoner=reasoner())
    assert page.chains[0][-1] == 'click("4")'
    assert page.saved in ([], [WANTED])
    is_known = indexed and (how != "died" or index < 3)
    if is_known:
        assert page.saved == [WANTED], (done.outcome, page.chains)
        assert done.outcome.status == "completed"


async def test_a_save_whose_answer_comes_late_is_looked_at_once_more():
    page = ContactForm(fails_at=3, how="silent")
    done = await run(page, goal=GOAL, reasoner=reasoner())
    assert (done.outcome.status, page.saved) == ("completed", [WANTED])
    assert page.chains[1] == ["wait(1000)"]
