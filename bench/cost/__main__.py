"""Measure what a task costs: model calls, tokens and dollars for ten tasks, compared with rules alone.

    python -m bench.cost [--only WORDS]

Starts `tabwright serve` with HTTP fakes of Gemini and Tavily and drives it with simulated pages.
The model's replies are scripted (`bench/cost/tasks.py`); the prompts are the product's own. All
counts are taken by the fake from the requests it received: o200k_base tokens of instructions, schema and
prompt.
"""

import argparse
import http.client
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.cli.run.children import backend
from app.domain.metrics.usage import CallUsage
from app.usage.prices import bundled_prices, open_prices
from bench.cost.desk import Desk
from bench.cost.tasks import TASKS, Task
from tests.fakes.calls import Call
from tests.fakes.gemini import FakeGemini
from tests.fakes.tavily import FakeTavily
from tests.fakes.tokens import count

MOST_TRIPS = 15
RATE = {"TABWRIGHT_RATE_LIMIT": "1000000/minute"}
RULES = {"TABWRIGHT_LLM": "rules", "GEMINI_API_KEY": "", "TAVILY_API_KEY": ""}


@dataclass
class Run:
    """The result of one task."""

    trips: int = 0
    reached: bool = False
    said: str = ""
    calls: list[Call] = field(default_factory=list)
    unscripted: list[str] = field(default_factory=list)  # calls without a scripted reply
    told_calls: int = 0  # by the answers' own `usage`
    most: int = 0  # calls in one round trip


class Client:
    """Posts one page after another."""

    def __init__(self, url: str, key: str) -> None:
        host, _, port = url.removeprefix("http://").partition(":")
        self._connection = http.client.HTTPConnection(host, int(port), timeout=60)
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def post(self, body: dict[str, Any]) -> dict[str, Any]:
        self._connection.request("POST", "/api/agent/interact", json.dumps(body), self._headers)
        answer: dict[str, Any] = json.loads(self._connection.getresponse().read())
        return answer


def run(task: Task, client: Client) -> Run:
    """Work through a task as the extension would; a question gets the task's answer."""
    desk, done = Desk(place=task.place), Run()
    body = desk.observation() | {"query": task.goal}
    while done.trips < MOST_TRIPS:
        answer = client.post(body)
        done.trips += 1
        asked = (answer.get("usage") or {}).get("modelCalls", 0)
        done.told_calls += asked
        done.most = max(done.most, asked)
        kind = answer.get("type")
        if kind == "action" and not answer.get("requestedDomMode"):
            body = desk.step(answer)
        elif kind == "interrupt" and task.answer:
            named = {
                "hitlId": answer["hitlId"],
                "type": answer["interruptType"],
                "value": task.answer,
            }
            body = desk.observation() | {"taskId": answer["taskId"], "hitlResponse": named}
        else:
            done.said = str(
                answer.get("result") or answer.get("message") or answer.get("detail") or kind
            )
            break
    done.reached = task.reached(desk, done.said)
    return done


def dollars(calls: list[Call]) -> float | None:
    """The cost of the calls at the models' prices; None if a price is unknown."""
    prices, today = open_prices(), datetime.now(UTC).date()
    paid = [
        prices.charge(CallUsage(
            provider="gemini", model=call.model, purpose="", input_tokens=call.input_tokens,
            cached_tokens=call.cached_tokens, output_tokens=call.output_tokens,
            thinking_tokens=call.thinking_tokens,
        ), today)
        for call in calls
    ]  # fmt: skip
    return sum(one.usd for one in paid) if all(one.known for one in paid) else None


@contextmanager
def server(environment: dict[str, str]) -> Iterator[Client]:
    """A real server on its own store."""
    with (
        tempfile.TemporaryDirectory() as folder,
        backend(Path(folder), environment=RATE | environment) as up,
    ):
        yield Client(up.url, up.api_key)


def with_model(tasks: list[Task]) -> list[Run]:
    """Run each task with its own script, all on one server, so that circuit breakers carry over."""
    gemini, tavily, runs = FakeGemini(), FakeTavily(), []
    with (
        gemini.served(),
        tavily.served(),
        server(gemini.environment | tavily.environment) as client,
    ):
        for task in tasks:
            gemini.clear()
            tavily.clear()
            task.script(gemini, tavily)
            done = run(task, client)
            done.calls = list(gemini.calls)
            done.unscripted = [why.partition("\n")[0] for why in gemini.failures + tavily.failures]
            runs.append(done)
    return runs


def with_rules(tasks: list[Task]) -> list[Run]:
    """Run each task without a model."""
    with server(RULES) as client:
        return [run(task, client) for task in tasks]


def line(name: str, model: Run, rules: Run) -> str:
    """One row of the table."""
    sent = sum(call.input_tokens for call in model.calls)
    said = sum(call.output_tokens + call.thinking_tokens for call in model.calls)
    alone = f"{rules.trips:>6} {_told(rules):>8}"
    return (
        f"{name:<26}{len(model.calls):>6}{model.most:>7}{sent:>9,}{said:>9,}{_money(model):>10}"
        f"{model.trips:>7} {_told(model):>8} |{alone}"
    )


KINDS = {
    "intent": "opening", "strategy": "correcting", "ok": "criticising", "wanted": "examining",
    "worked": "judging", "found": "answering", "solved": "weighing", "ends": "acting",
}  # fmt: skip
"""Kinds of calls by a field unique to their reply schema, in order."""


def kind_of(call: Call) -> str:
    """The kind of a call."""
    return next((kind for name, kind in KINDS.items() if call.asks_for(name)), "other")


def fixed(call: Call) -> int:
    """Tokens that every call of its kind sends: instructions and schema, without page and goal."""
    return count(f"{call.system}\n{json.dumps(call.schema, ensure_ascii=False)}")


def kinds(calls: list[Call]) -> Iterator[str]:
    """A line per kind of call: how many, the fixed part, and what a page and a goal add."""
    for kind in (*KINDS.values(), "other"):
        some = [call for call in calls if kind_of(call) == kind]
        if some:
            most = max(map(fixed, some))
            added = statistics.median(call.input_tokens - fixed(call) for call in some)
            said = statistics.median(call.output_tokens + call.thinking_tokens for call in some)
            yield f"{kind:<26}{len(some):>6}{most:>16,}{added:>9,.0f}{said:>10,.0f}"


def _brief(call: Call) -> str:
    return f"{kind_of(call)} {call.input_tokens}+{call.output_tokens}"


def _money(done: Run) -> str:
    paid = dollars(done.calls)
    return "unknown" if paid is None else f"{paid:.5f}"


def _told(done: Run) -> str:
    return "reached" if done.reached else "no"


def main() -> int:
    """Run all and print the tables; 1 if a task with a model did not reach its end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="tasks whose name holds these words")
    parser.add_argument("--verbose", action="store_true", help="what each task ended with")
    given = parser.parse_args()
    tasks = [task for task in TASKS if given.only in task.name]
    if not tasks:
        parser.error(f"no task's name holds {given.only!r}")
    models, rules = with_model(tasks), with_rules(tasks)
    print(f"{'':<26}{'with a model':>57} | rules alone")
    print(
        f"{'task':<26}{'calls':>6}{'a trip':>7}{'prompt':>9}{'output':>9}{'USD':>10}{'trips':>7} {'end':>8} |"
        f"{'trips':>6} {'end':>8}"
    )
    for task, one, alone in zip(tasks, models, rules, strict=True):
        print(line(task.name, one, alone))
        if given.verbose:
            print(f"    calls: {', '.join(map(_brief, one.calls))}")
            print(f"    model: {one.said}\n    rules: {alone.said}")
        for why in one.unscripted:
            print(f"    {why}")
    return summed(models, rules)


def summed(models: list[Run], rules: list[Run]) -> int:
    """Print the sums and the kinds of calls; returns the exit code."""
    calls = [call for one in models for call in one.calls]
    whole = Run(sum(one.trips for one in models), all(one.reached for one in models), calls=calls)
    whole.most = max(one.most for one in models)
    alone = Run(sum(one.trips for one in rules), all(one.reached for one in rules))
    print(line("all", whole, alone))
    names = ", ".join(sorted({call.model for call in calls})) or "none"
    print(
        f"prompt and output in tokens; prices of {names} as of {bundled_prices().as_of}, without discounts"
    )
    print(f"\n{'kind of call':<26}{'calls':>6}{'fixed prompt':>16}{'added':>9}{'output':>10}")
    print("\n".join(kinds(calls)))
    told = sum(one.told_calls for one in models)
    if told != len(calls):
        print(f"the answers' own usage counted {told} calls, the fake {len(calls)}")
    return 0 if whole.reached and told == len(calls) else 1


if __name__ == "__main__":
    sys.exit(main())
