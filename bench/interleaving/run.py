"""Play one interleaving from its seed and check the invariants."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from bench.interleaving.backend import Backend
from bench.interleaving.client import Client, Violation
from bench.interleaving.invariants import check_invariants
from bench.interleaving.office import Office
from bench.interleaving.steps import RIGHT, answer_body, draw_step, go_on, repeat, restart

LENGTH = (3, 10)  # steps of an interleaving
DEATHS = 0.15  # share of steps in which the process dies
MOST_CALLS = 44  # calls to the store within which it may die; a request makes about forty
MOST_TRIPS = 20  # to bring an undisturbed task to its end
GOALS = ("Delete Jas Patel", "Click Delete", "recipe", "recipe")


@dataclass
class Played:
    """The result of one interleaving. `trace` are its steps; `state` is the final state of the thread."""

    seed: int
    trace: list[str] = field(default_factory=list)
    state: str = ""
    answers: int = 0
    deaths: int = 0
    effects: Counter[str] = field(default_factory=Counter)


async def record_recipe(backend: Backend) -> str:
    """Record a recipe whose replay must ask for a name; returns its id."""
    client = Client(backend, Random(0), Office())
    await client.post(client.request(query="Add a new patient with name 'Eve Stone'"))
    while client.last is not None and client.last["type"] == "action":
        await go_on(client)
    made = await client.send("/api/recipes", {"taskId": client.task_id})
    assert made is not None
    return str(made.json()["id"])


async def play(backend: Backend, recipe_id: str, seed: int) -> Played:
    """Play it; raises `Wrong` with its steps on a violation."""
    rng, played = Random(seed), Played(seed)
    client = Client(backend, rng)
    try:
        await _begin(client, recipe_id, played)
        for _ in range(rng.randint(*LENGTH)):
            await _step(client, played)
        played.state = await _standing(client)
        await _to_the_end(client)
        played.answers = await check_invariants(client)
    except Violation as error:
        raise Violation(f"seed {seed}: {error}; after {', '.join(played.trace)}") from error
    played.effects = Counter(client.office.effects)
    return played


async def _begin(client: Client, recipe_id: str, played: Played) -> None:
    goal = client.rng.choice(GOALS)
    played.trace.append(goal)
    recipe: dict[str, Any] = {"recipe": {"recipeId": recipe_id, "values": {}}}
    body = client.request(**(recipe if goal == "recipe" else {"query": goal}))
    client.backend.life.left = _death(client)
    await client.post(body)
    await _mourn(client, played)
    for _ in range(MOST_TRIPS):
        if client.last is not None:
            return
        await repeat(client)
    raise Violation("stuck: it never began")


async def _step(client: Client, played: Played) -> None:
    name, step = draw_step(client)
    played.trace.append(name)
    client.backend.life.left = _death(client) if step is not restart else None
    await step(client)
    await _mourn(client, played)


def _death(client: Client) -> int | None:
    return client.rng.randrange(MOST_CALLS) if client.rng.random() < DEATHS else None


async def _mourn(client: Client, played: Played) -> None:
    """Start another process after a death."""
    if client.backend.life.dead:
        played.trace.append("(died)")
        played.deaths += 1
        await client.backend.restart()
    client.backend.life.left = None


async def _standing(client: Client) -> str:
    """The task's state from its row, or as far as the runner knows it without one."""
    found = await client.send(f"/api/task/{client.task_id}", get=True)
    assert found is not None
    assert client.last is not None
    return (
        str(found.json()["status"])
        if found.status_code == 200
        else f"{client.last['status']} (no row)"
    )


async def _to_the_end(client: Client) -> None:
    """Check that one more plain request gets an answer, and that the task ends once all questions are
    answered.
    """
    for _ in range(MOST_TRIPS):
        client.act()
        event = client.waiting
        hitl = {"hitlResponse": answer_body(event, RIGHT[event["interruptType"]])} if event else {}
        reply = await client.post(client.request(**hitl))
        assert reply is not None
        if event is not None:
            client.took(reply, event["hitlId"], "interact", "right")
        if reply.status_code == 409 and reply.json()["code"] == "TASK_ENDED":
            return
        if reply.status_code != 200:
            reply = await client.post(client.request())
            if reply is not None and reply.status_code == 409:
                return
            if reply is None or reply.status_code != 200:
                raise Violation(f"stuck: {reply.text if reply is not None else 'died'}")
        if client.last and client.last["type"] == "done" and client.last["status"] != "interrupted":
            return
    raise Violation(f"never ends: {client.last}")
