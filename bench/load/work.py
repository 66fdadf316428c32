"""The tasks of one simulated user, and how their browser executes the actions."""

import itertools
import random
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

from bench.cost.desk import Control, Desk
from bench.cost.tasks import TASKS, Task

NODES = 100  # approximate page size, as in `bench.roundtrip`
MOST_TRIPS = 15
BUTTONS = ("Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot")
WITHOUT_A_SEARCH = [task for task in TASKS if not task.results]

Answer = dict[str, Any]


@dataclass
class Office(Desk):
    """The desk with a long log below each page, and a page of plain buttons."""

    def controls(self) -> list[Control]:
        """About `NODES` controls."""
        page = super().controls()
        rest = range(NODES - len(page))
        return page + [Control("link", f"Record {n}", f"table: Log > row: Entry {n}") for n in rest]

    def _record(self) -> list[Control]:
        if self.place != "/buttons":
            return super()._record()
        pressed = {"s": ["pressed"]}
        return [
            Control("btn", name, "", self._pressing(name), pressed if name in self.checked else {})
            for name in BUTTONS
        ]

    def _pressing(self, name: str) -> Callable[[], None]:
        def press() -> None:
            self.checked.add(name)
            self.message = f"{name} done"

        return press


BY_RULES = Task(
    "six buttons, by rules", ", then ".join(f'click "{name}"' for name in BUTTONS),
    lambda desk, _: desk.checked == set(BUTTONS), place="/buttons",
)  # fmt: skip


@dataclass
class Job:
    """A task from its first page to its end. `asked` counts the model's calls."""

    task: Task
    goal: str
    desk: Office
    trips: int = 0
    asked: int = 0
    wrong: str = field(default="", repr=False)

    def bodies(self) -> Generator[Answer, Answer, None]:
        """Yields each request and receives its answer. Stops with `wrong` set if the task does not end
        well.
        """
        body = self.desk.observation() | {"query": self.goal}
        while self.trips < MOST_TRIPS:
            answer: Answer = yield body
            self.trips += 1
            self.asked += (answer.get("usage") or {}).get("modelCalls", 0)
            kind = answer.get("type")
            if kind == "action":
                body = self.desk.step(answer)
            elif kind == "interrupt" and (self.task.answer or answer["kind"] == "approval"):
                body = self._answering(answer)
            else:
                said = str(answer.get("result") or answer.get("detail") or answer)
                self.wrong = "" if self.task.reached(self.desk, said) else said
                return
        self.wrong = f"not done after {MOST_TRIPS} requests"

    def _answering(self, asked: Answer) -> Answer:
        given = {"hitlId": asked["hitlId"], "type": asked["interruptType"]}
        given["value"] = "yes" if asked["kind"] == "approval" else self.task.answer
        return self.desk.observation() | {"taskId": asked["taskId"], "hitlResponse": given}


def jobs(seed: int) -> Iterator[Job]:
    """An endless sequence of tasks, every third by rules alone, each with its own case number."""
    chance = random.Random(seed)
    for turn in itertools.count():
        task = BY_RULES if turn % 3 == 2 else chance.choice(WITHOUT_A_SEARCH)
        case = f" (case {seed}{turn:05d})" if task.moves else ""
        yield Job(task, task.goal + case, Office(place=task.place))
