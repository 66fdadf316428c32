"""A process that dies at any store call of a turn: repeating the request completes that turn."""

from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from app.chat.calls import Answer, ChatCall, Message
from app.chat.graph import build_chat
from app.chat.service import ChatService
from app.domain.access import Principal
from app.domain.chat import ChatAction
from app.review.effects import DecisionEffects
from app.review.service import ReviewService
from app.review.submission import RecordFiling
from app.runs import lease
from app.store.batch import StoreBatch
from app.store.open import Opened
from app.store.repositories import Store
from knowledge.service import Service
from tests.integration.chat.conversations import LEAVE, OLD_LEAVE
from tests.knowledge import ANN, ingested, opened_knowledge

ASKS = "summarize the leave rules"  # of which there are two


class Died(Exception):
    """The process is gone. No error of ours, so that nobody tidies up after it as after those."""


class Mortal:
    """A store whose process dies before, or right after, its `nth` call."""

    def __init__(self, together: StoreBatch, nth: int, *, after: bool) -> None:
        self._together, self._left, self._after = together, nth, after
        self.dead = False

    async def __call__(self, calls: Callable[[Store], Coroutine[Any, Any, Any]]) -> Any:
        return await self._once(self._together, calls)

    async def write(self, calls: Callable[[Store], Coroutine[Any, Any, Any]], **under: Any) -> Any:
        return await self._once(partial(self._together.write, **under), calls)

    async def _once(self, run: Any, calls: Any) -> Any:
        if self.dead:
            raise Died
        self._left -= 1
        if self._left == 0 and not self._after:
            self.dead = True
            raise Died
        result = await run(calls)
        if self._left == 0:
            self.dead = True
            raise Died
        return result


@pytest.fixture
async def documents(store: Store) -> AsyncIterator[Service]:
    async with opened_knowledge(store) as knowledge:
        await ingested(knowledge, LEAVE, name="Leave policy.md")
        await ingested(knowledge, OLD_LEAVE, name="Leave policy 2019.md")
        yield knowledge


@pytest.fixture(autouse=True)
def claims_lapse_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.chat.turns.CLAIM_TTL_S", 0.0)
    monkeypatch.setattr(lease, "RENEW_S", 60.0)


def service(opened: Opened, documents: Service, together: StoreBatch) -> ChatService:
    return ChatService(
        graph=build_chat(opened.checkpointer),
        together=together,
        documents=documents,
        problem=lambda error, trace: {"detail": str(error), "trace": trace},
        filing=RecordFiling(ReviewService(opened.reviews, DecisionEffects(together))),
    )


def call(thread_id: str, request_id: str, said: Message | Answer) -> ChatCall:
    return ChatCall(
        principal=Principal(tenant=ANN.tenant, user=ANN.user),
        request_id=request_id,
        body_hash=request_id,
        trace_id="0" * 32,
        thread_id=thread_id,
        content=said,
    )


def message(text: str, action: ChatAction | None = None) -> Message:
    return Message(text=text, plain=text, action=action)


async def dies(opened: Opened, documents: Service, asked: ChatCall, nth: int, after: bool) -> bool:
    """Whether the process died in that request."""
    mortal = Mortal(opened.together, nth, after=after)
    dying = service(opened, documents, mortal)
    try:
        live = await dying.start(asked)
        async for _ in live.events():
            pass
    except Died:
        return True
    finally:
        await dying.close()
    return mortal.dead


@pytest.mark.parametrize("after", [False, True])
async def test_whenever_it_dies_the_repeat_is_one_turn(
    opened: Opened, documents: Service, store: Store, after: bool
):
    (meant,) = [
        one.document_id for one in await documents.titles(ANN.tenant) if one.title == "Leave policy"
    ]
    nth = 0
    died = True
    while died:
        nth += 1
        thread_id = str(uuid4())
        asks = call(thread_id, f"{thread_id}-1", message(ASKS))
        answers = call(thread_id, f"{thread_id}-2", Answer(kind="doc_choice", text=meant))
        died = await dies(opened, documents, asks, nth, after)
        chat = service(opened, documents, opened.together)
        asked = await (await chat.start(asks)).wait_for_result()
        assert asked["interrupt_type"] == "doc_choice", (nth, asked)
        died = await dies(opened, documents, answers, nth, after) or died
        told = await (await chat.start(answers)).wait_for_result()
        assert "25 days" in told["response"], (nth, told)
        lines = await store.conversations.lines(ANN.tenant, thread_id, limit=20)
        kinds = [(line.role, line.kind) for line in lines]
        assert kinds == [
            ("user", "message"),
            ("system", "question"),
            ("user", "answer"),
            ("assistant", "message"),
        ], (nth, kinds)
        found = await store.conversations.find(ANN.tenant, thread_id)
        assert found is not None
        assert (found.message_count, [one.title for one in found.documents]) == (
            4,
            ["Leave policy"],
        )
        await chat.close()
    assert nth > 3
