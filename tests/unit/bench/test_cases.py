"""The goals of the benchmarks can be reached where they should be alone, and a planted fault is found."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.cli.run.children import Backend
from bench import questions, traps
from bench.scenes.cases import Case, cases
from bench.scenes.page import Page
from tests.fakes.serving import served

TRAPS, TWINS, GOALS = cases("trap"), cases("twin"), cases("goal")


def acted(case: Case) -> Page:
    page = case.open()
    for act in case.acts:
        action = page.action(act)
        if action is None or not page.act(action.name, action.args):
            break
        page.observation()
    page.settle()
    return page


def test_there_are_enough_and_they_differ():
    assert len(TRAPS) >= 150
    assert len({case.group for case in TRAPS}) >= 25
    assert len({case.app.name for case in TRAPS}) >= 15
    assert len(TWINS) >= 40
    assert len({case.goal for case in GOALS}) == len(GOALS) >= 200
    assert len({case.language for case in GOALS}) == 6


@pytest.mark.parametrize("case", [*TWINS, *GOALS], ids=lambda case: case.name)
def test_a_goal_is_reached_by_its_acts_and_not_before(case):
    said = " ".join(case.says)
    assert case.reached(acted(case), said)
    if case.says:
        assert not case.reached(acted(case), "")


@pytest.mark.parametrize("case", TWINS, ids=lambda case: case.name)
def test_a_twin_is_not_reached_from_the_start(case):
    assert not case.reached(case.open(), f"Done: {case.goal}")


@pytest.mark.parametrize("case", TRAPS, ids=lambda case: case.name)
def test_no_trap_is_reached_by_what_is_obvious_or_by_saying_so(case):
    claim = case.claims or f"Done: {case.goal}"
    assert not case.reached(acted(case), claim)
    assert not case.reached(case.open(), claim)


@contextmanager
def planted(*answers: dict[str, Any]) -> Iterator[Backend]:
    """A server that gives these answers, the last one for good."""
    left = list(answers)

    async def interact(_: Request) -> Response:
        return JSONResponse(left.pop(0) if len(left) > 1 else left[0])

    app = Starlette(routes=[Route("/api/agent/interact", interact, methods=["POST"])])
    with served(app) as url:
        yield Backend(url, "key", 0, Path())


DONE = {"type": "done", "status": "completed", "result": "Done", "taskId": "t"}
FAILED = {"type": "done", "status": "failed", "result": "Not done", "taskId": "t"}
ASKED = {
    "type": "interrupt", "taskId": "t", "hitlId": "h", "kind": "approval", "interruptType": "yes_no",
    "message": "Delete Ben Otis?", "expectedInput": "yes_no", "options": [],
}  # fmt: skip


@pytest.mark.parametrize(("answer", "code"), [(DONE, 1), (FAILED, 0)])
def test_a_done_that_is_false_is_found(monkeypatch, capsys, answer, code):
    monkeypatch.setattr("bench.scenes.play.server", lambda _: planted(answer))
    assert traps.main(["--only", "contacts/trap"]) == code
    assert ("FALSE DONE contacts/trap1 " in capsys.readouterr().out) == bool(code)


@pytest.mark.parametrize(
    ("only", "asked", "code"),
    [
        ("Delete Ben Otis", [ASKED], 0),
        ("Delete Ben Otis", [ASKED, ASKED], 1),
        ("Delete Ben Otis", [{**ASKED, "message": "Delete this contact?"}], 1),
        ("Ann Leeds has moved", [ASKED], 1),
    ],
)
def test_a_question_that_nobody_needed_is_counted(monkeypatch, capsys, only, asked, code):
    monkeypatch.setattr("bench.scenes.play.server", lambda _: planted(*asked, DONE))
    assert questions.main(["--only", only]) == code
    assert ("NEEDLESS" in capsys.readouterr().out) == bool(code)
