"""Work on long texts: the loop answers others meanwhile, and a deadline ends the wait with a named error."""

import asyncio
import threading
from contextvars import ContextVar
from typing import Any

import pytest

from app.domain.page import Node, Observation, Tree
from app.domain.reasoner import Situation
from app.errors import TextTooSlow
from app.reasoners.rules import INLINE_LIMIT, run_in_threads
from app.threads import run_long, run_off_loop

WHO: ContextVar[str] = ContextVar("WHO", default="")


class Slow:
    """Rules that compute until they are let go, as on a page of many long labels."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.threads: list[str] = []

    async def refine(self, situation: Situation) -> Any:
        self.threads.append(threading.current_thread().name)
        assert self.go.wait(60)
        return "refined"


def situation(characters: int) -> Situation:
    tree = Tree.of([Node(id="1", role="btn", name="x" * characters)])
    return Situation(goal="Click Save", page=Observation(url="https://a.example", tree=tree))


async def test_rules_on_a_large_page_leave_the_loop_to_others() -> None:
    rules = Slow()
    asked = asyncio.create_task(run_in_threads(rules).refine(situation(INLINE_LIMIT)))  # type: ignore[arg-type]
    while not rules.threads:
        await asyncio.sleep(0.001)
    rules.go.set()  # by the loop, which is free
    assert await asked == "refined"
    assert rules.threads != [threading.main_thread().name]


async def test_rules_on_a_small_page_take_no_thread() -> None:
    rules = Slow()
    rules.go.set()
    assert await run_in_threads(rules).refine(situation(100)) == "refined"  # type: ignore[arg-type]
    assert rules.threads == [threading.main_thread().name]


async def test_what_takes_too_long_is_waited_for_no_more() -> None:
    go = threading.Event()
    with pytest.raises(TextTooSlow) as refused:
        await run_off_loop(lambda: go.wait(60), within_s=0.05)
    go.set()
    assert refused.value.code == "TEXT_TOO_SLOW"


async def test_a_thread_knows_whose_work_it_does_and_an_error_comes_back() -> None:
    WHO.set("ann")
    assert await run_long(WHO.get, size=2, most=1) == "ann"
    with pytest.raises(ZeroDivisionError):
        await run_long(lambda: 1 // 0, size=2, most=1)
