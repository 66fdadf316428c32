"""Repairing an unusable reply."""

import asyncio
from dataclasses import dataclass, field

from app.llm.providers.guarded_model import GuardedModel
from app.llm.providers.transport import Answer, Call
from tests.contract.llm.model_questions import Verdict, ask_for
from tests.fakes.hooks import unheard


@dataclass
class Transport:
    """Answers in turn, a moment late."""

    answers: list[str]
    provider: str = "test"
    calls: list[Call] = field(default_factory=list)

    async def send(self, call: Call) -> Answer:
        self.calls.append(call)
        await asyncio.sleep(0.02)
        return Answer(text=self.answers.pop(0))

    async def check_model(self, model: str, timeout_s: float) -> None:
        """Not asked here."""

    async def close(self) -> None:
        """Nothing to close."""


async def test_one_deadline_covers_both_askings() -> None:
    transport = Transport(["no JSON", '{"verdict": "yes"}'])
    model = GuardedModel(transport, {"strong": "m", "fast": "m"}, unheard)
    assert await model.ask(ask_for(timeout_s=5)) == Verdict(verdict="yes")
    first, second = transport.calls
    assert first.timeout_s <= 5
    assert second.timeout_s <= first.timeout_s - 0.02


async def test_a_long_reply_is_read_like_a_short_one() -> None:
    note = "x" * 5_000
    transport = Transport([f'{{"verdict": "yes", "note": "{note}",}}'])
    model = GuardedModel(transport, {"strong": "m", "fast": "m"}, unheard)
    assert (await model.ask(ask_for())).note == note
