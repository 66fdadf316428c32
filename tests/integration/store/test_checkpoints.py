"""Checkpoints give the state back as it was, in our classes, and within the domain only."""

import logging
import operator
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from app.domain.access import Principal
from app.domain.task import Message
from app.errors import StoreUnavailable
from app.settings import Settings
from app.store.batch import request_cache
from app.store.checkpoints import domain_classes
from app.store.open import Opened, open_all, open_store

ANN = Principal(tenant="a", user="ann", scopes=("admin",))


class State(TypedDict):
    who: Principal
    all: tuple[Principal, ...]
    by_name: dict[str, Principal]
    answers: Annotated[list[str], operator.add]


class Stranger(BaseModel):
    name: str


class Strange(TypedDict):
    stranger: Stranger


def asking(opened: Opened) -> Any:
    """A graph that asks once and notes the answer."""

    def ask(state: State) -> dict[str, Any]:
        assert isinstance(state["who"], Principal)
        return {"answers": [interrupt({"question": "who?", "by": state["who"]})]}

    graph = StateGraph(State)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    return graph.compile(checkpointer=opened.checkpointer)


async def test_a_state_comes_back_equal_after_a_new_start(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    config = {"configurable": {"thread_id": "t"}}
    start = {"who": ANN, "all": (ANN, ANN), "by_name": {"ann": ANN}, "answers": []}
    async with open_all(settings) as opened:
        await asking(opened).ainvoke(start, config, durability="exit")
    with caplog.at_level(logging.WARNING):
        async with open_all(settings) as opened:
            graph = asking(opened)
            asked = (await graph.aget_state(config)).interrupts
            assert asked[0].value == {"question": "who?", "by": ANN}
            end = await graph.ainvoke(Command(resume="me"), config, durability="exit")
    assert end["who"] == ANN
    assert end["by_name"] == {"ann": ANN}
    assert list(end["all"]) == [ANN, ANN]
    assert end["answers"] == ["me"]
    assert caplog.records == []


async def test_only_named_classes_are_built(settings: Settings) -> None:
    config = {"configurable": {"thread_id": "t"}}
    for allowed, kind in (((), dict), ((Stranger,), Stranger)):
        async with open_all(settings, allowed=allowed) as opened:
            graph: Any = StateGraph(Strange)
            graph.add_node("keep", lambda state: state)
            graph.add_edge(START, "keep")
            compiled = graph.compile(checkpointer=opened.checkpointer)
            await compiled.ainvoke({"stranger": Stranger(name="x")}, config)
            found = (await compiled.aget_state(config)).values["stranger"]
            assert isinstance(found, kind)


def test_the_whole_domain_is_known() -> None:
    assert {Principal, Message} <= set(domain_classes())
    assert all(kind.__module__.startswith("app.domain.") for kind in domain_classes())


async def test_writing_nothing_is_no_error(opened: Opened) -> None:
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": "", "checkpoint_id": "1"}}
    await opened.checkpointer.aput_writes(config, [], "task")


async def test_ready_while_the_store_answers(opened: Opened) -> None:
    await opened.prove_write()


async def test_a_store_that_is_away_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "app.store.open.CLIENT_OPTIONS", {"serverSelectionTimeoutMS": 100, "connectTimeoutMS": 100}
    )
    away = Settings(
        _env_file=None,
        data_dir=tmp_path,
        mongodb_uri="mongodb://name:hush@127.0.0.1:9/",  # type: ignore[arg-type]
    )
    with pytest.raises(StoreUnavailable) as raised:
        async with open_store(away):
            pass
    assert raised.value.retry_after
    assert "hush" not in raised.value.detail


async def test_a_thread_is_read_once_until_it_is_written(opened):
    saver = opened.checkpointer
    config = {"configurable": {"thread_id": "once", "checkpoint_ns": ""}}
    first = empty_checkpoint()
    await saver.aput(config, first, {}, {})
    with request_cache():
        read = await saver.aget_tuple(config)
        assert await saver.aget_tuple(config) is read
        second = await saver.aput(read.config, empty_checkpoint(), {}, {})
        again = await saver.aget_tuple(config)
    assert again.checkpoint["id"] == second["configurable"]["checkpoint_id"]
    assert await saver.aget_tuple(config) is not again
