"""The rules, in a thread where the page or the goal is large: what takes long would hold up everybody."""

from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeVar

from app.domain.analysis import Analysis
from app.domain.background import WebSearch
from app.domain.directive import Instruction
from app.domain.page import Observation
from app.domain.plan import Plan, Proposal, Refinement
from app.domain.verdict import Critique, Examination, ExpectedOutcome, Meaning, Opinion
from app.engines.reasoner import Reasoner, Situation, Transition
from app.threads import run_long

T = TypeVar("T")
SMALL = 10_000  # characters of labels and goal: the rules take under 20 ms for fewer


class Rules(Reasoner, Protocol):
    """The port, and what holds for whoever proposes."""

    def allowed(self, situation: Situation, refinement: Refinement) -> Refinement:
        """The refinement, or why it cannot be where the person forbade it."""
        ...


class ThreadedRules:
    """Implements `app.engines.reasoner.Reasoner` with one that never waits for anything: a whole question to
    it is one piece of work.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    async def understand(self, goal: str, page: Observation) -> Instruction:
        """See the port."""
        return await _asked(lambda: self._rules.understand(goal, page), len(goal))

    async def analyse(self, situation: Situation) -> Analysis:
        """See the port."""
        return await _asked(lambda: self._rules.analyse(situation), _size(situation))

    async def plan(self, situation: Situation) -> Plan:
        """See the port."""
        return await _asked(lambda: self._rules.plan(situation), _size(situation))

    async def refine(self, situation: Situation) -> Refinement:
        """See the port."""
        return await _asked(lambda: self._rules.refine(situation), _size(situation))

    async def predict(
        self, situation: Situation, proposals: tuple[Proposal, ...]
    ) -> ExpectedOutcome:
        """See the port."""
        return await _asked(lambda: self._rules.predict(situation, proposals), _size(situation))

    async def judge(self, situation: Situation, transition: Transition) -> Opinion:
        """See the port."""
        return await _asked(lambda: self._rules.judge(situation, transition), _size(situation))

    async def correct(self, situation: Situation, reason: str) -> Refinement:
        """See the port."""
        return await _asked(lambda: self._rules.correct(situation, reason), _size(situation))

    async def criticise(self, situation: Situation, refinement: Refinement) -> Critique:
        """See the port."""
        return await _asked(lambda: self._rules.criticise(situation, refinement), _size(situation))

    async def examine(
        self, situation: Situation, acts: tuple[str, ...], shown: tuple[str, ...]
    ) -> Examination:
        """See the port."""
        return await self._rules.examine(situation, acts, shown)

    async def hear(self, situation: Situation, question: str, said: str) -> Meaning:
        """See the port."""
        return await self._rules.hear(situation, question, said)

    async def answer(self, situation: Situation, question: str) -> str | None:
        """See the port."""
        return await _asked(lambda: self._rules.answer(situation, question), _size(situation))

    def allowed(self, situation: Situation, refinement: Refinement) -> Refinement:
        """See `Rules`."""
        return self._rules.allowed(situation, refinement)

    async def weigh(self, search: WebSearch) -> WebSearch:
        """See the port."""
        return await self._rules.weigh(search)


async def _asked(question: Callable[[], Coroutine[Any, Any, T]], size: int) -> T:
    return await run_long(lambda: _answered(question()), size, SMALL)


def _answered(asking: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns that never waits."""
    try:
        asking.send(None)
    except StopIteration as end:
        answer: T = end.value
        return answer
    raise RuntimeError("the rules waited for something")


def _size(situation: Situation) -> int:
    labels = sum(len(node.name) + len(node.group) for node in situation.page.tree)
    return labels + len(situation.goal)
