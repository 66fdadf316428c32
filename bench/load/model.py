"""A fake Gemini with a fixed latency for many concurrent tasks, as its own process.

    python -m bench.load.model --seconds 0.2

Prints its address, then answers until terminated. Each goal contains a case number that selects the
sequence of moves to reply with.
"""

import argparse
import asyncio
import itertools
import re
import time
from collections import deque
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bench.cost.tasks import TASKS, Task
from tests.fakes.calls import Call
from tests.fakes.gemini import FakeGemini
from tests.fakes.scripted import asks_for

CASE = re.compile(r"\(case (\d+)\)")
READY = "/ready"
KEPT = 1_000  # remembered cases, far more than run concurrently
CHARACTERS_A_TOKEN = 4


class SteadyGemini(FakeGemini):
    """Takes `seconds` for each answer; keeps no record of the calls."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds
        self._ends: dict[str, deque[Any]] = {}
        self.when(asks_for("do"), self._moved, always=True)
        self.when(asks_for("ok"), {"ok": True}, always=True)
        self.when(asks_for("found"), {"found": True, "answer": "1,648.50 in all"}, always=True)

    def app(self) -> Starlette:
        """The vendor's paths, and a health check."""
        made = super().app()
        made.router.routes.append(Route(READY, lambda _: PlainTextResponse("ready")))
        return made

    def bill(self, call: Call, *parts: str, images: int = 0) -> None:
        """Estimate tokens by length, since counting them would use more CPU than what is measured."""
        call.input_tokens = sum(map(len, parts)) // CHARACTERS_A_TOKEN + images

    async def answer(self, request: Request, call: Call) -> Response:
        """Answer after the latency, less the time for reading the request."""
        await asyncio.sleep(self._seconds - (time.perf_counter() - request.state.began))
        response = await super().answer(request, call)
        self.calls.clear()
        for failed in self.failures:
            print(failed.partition("\n")[0], flush=True)  # without the prompt: one line per error
        self.failures.clear()
        return response

    def _moved(self, call: Call) -> Any:
        """The next move of this case."""
        case = CASE.search(call.prompt)
        task = next(one for one in TASKS if one.goal in call.prompt)
        moves = self._moves(case[1] if case else "", task)
        reply = moves.popleft() if len(moves) > 1 else moves[0]
        return reply(call)

    def _moves(self, case: str, task: Task) -> deque[Any]:
        if case not in self._ends:
            self._ends[case] = deque(task.replies())
            for old in list(itertools.islice(self._ends, max(0, len(self._ends) - KEPT))):
                del self._ends[old]
        return self._ends[case]


def main() -> None:
    """Serve until terminated."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.2)
    with SteadyGemini(parser.parse_args().seconds).served() as model:
        print(f"The model listens on {model.url}", flush=True)
        while True:
            time.sleep(3_600)


if __name__ == "__main__":
    main()
