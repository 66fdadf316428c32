"""A reasoner that says what it was told to say, in order, and fails when its script runs out."""

from app.domain.plan import Decision, Plan, PlanStep, Proposal
from app.domain.verdict import Critique, EffectReview
from app.plans.validation import parse_action
from app.reasoners.rules import RuleReasoner


class Scripted:
    """`said`: (call, reply) pairs. What costs no model call (understand, predict) is the rules'.

    A reply that is an exception is raised. `heard` keeps the situation of each call, by its name.
    """

    def __init__(self, *said):
        self._said = list(said)
        self._rules = RuleReasoner()
        self.heard = []

    @property
    def left(self):
        return [name for name, _ in self._said]

    def _next(self, name, *told):
        assert self._said, f"the script has no {name} left"
        wanted, reply = self._said.pop(0)
        assert wanted == name, f"{name} was asked for, not {wanted}"
        self.heard.append((name, *told))
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def understand(self, goal, page):
        return await self._rules.understand(goal, page)

    async def predict(self, situation, proposals):
        return await self._rules.predict(situation, proposals)

    async def analyse(self, situation):
        return self._next("analyse", situation)

    async def plan(self, situation):
        return self._next("plan", situation)

    async def refine(self, situation):
        if situation.rules_only:
            return await self._rules.refine(situation)
        return self._next("refine", situation)

    async def judge(self, situation, transition):
        return self._next("judge", situation)

    async def correct(self, situation, reason):
        return self._next("correct", situation)

    async def criticise(self, situation, refinement):
        return self._next("criticise", situation)

    async def examine(self, situation, acts, surroundings):
        """What is not scripted is not opined on: the graver view stands."""
        listed = self._said and self._said[0][0] == "examine"
        return self._next("examine", situation) if listed else EffectReview()

    async def hear(self, situation, question, answer_text):
        return await self._rules.hear(situation, question, answer_text)

    async def answer(self, situation, question):
        return self._next("answer", situation)

    async def weigh(self, search):
        return self._next("weigh", search)


def plan(*lines, **more):
    """A model's plan of these lines."""
    steps = tuple(
        PlanStep(id=str(n), description=line, status="current" if n == 1 else "pending")
        for n, line in enumerate(lines, start=1)
    )
    return Plan(steps=steps, maker="model", **more)


def act(*calls, confidence=0.95, **more):
    """A model's choice of these actions, written as it writes them."""
    parsed = [parse_action(call) for call in calls]
    proposals = tuple(
        Proposal(action=action, description=action.text, can_fail=can_fail)
        for action, can_fail in parsed
    )
    return Decision(
        outcome="act", maker="model", proposals=proposals, confidence=confidence, **more
    )


def chosen(outcome, **more):
    """A model's choice that is no action."""
    return Decision(outcome=outcome, maker="model", confidence=0.95, **more)


REFUSED = Critique(sensible=False, reason="That is the wrong field.")
