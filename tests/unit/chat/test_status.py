"""Status events: one per node, in time."""

import asyncio
from typing import Any

import pytest

from app.chat.output import status
from app.chat.output.status import NODE_STATUS_MAP, StatusReporter
from app.domain.chat import DocumentRef

FOUND = {"documents": [DocumentRef(id="d", title="Handbook")]}


class Told:
    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.some = asyncio.Event()

    async def __call__(self, event: dict[str, Any]) -> None:
        self.events.append(event)
        self.some.set()


async def test_a_quick_node_is_told_once_with_what_it_found():
    told = Told()
    reasoning = StatusReporter("t", told)
    reasoning.node_started("doc_resolver")
    await reasoning.node_ended("doc_resolver", FOUND)
    (event,) = told.events
    assert event == {
        "type": "status",
        "node": "doc_resolver",
        "message": NODE_STATUS_MAP["doc_resolver"],
        "thread_id": "t",
        "docs_found": [{"id": "d", "title": "Handbook"}],
    }


async def test_a_slow_node_says_so_and_what_it_found_comes_with_the_next(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(status, "EARLY_S", 0.0)
    told = Told()
    reasoning = StatusReporter("t", told)
    reasoning.node_started("doc_resolver")
    await told.some.wait()
    await reasoning.node_ended("doc_resolver", FOUND)
    await reasoning.node_ended("validate_inputs", {})
    assert [one["node"] for one in told.events] == ["doc_resolver", "validate_inputs"]
    assert "docs_found" not in told.events[0]
    assert told.events[1]["docs_found"] == [{"id": "d", "title": "Handbook"}]


async def test_nothing_is_told_of_a_node_that_asks_or_is_none_of_them():
    told = Told()
    reasoning = StatusReporter("t", told)
    await reasoning.node_ended("intent_resolver", {"question": object()})
    await reasoning.node_ended("person", {})
    assert told.events == []
