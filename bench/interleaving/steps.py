"""The events that can happen to a task that asks a person; each is one step of an interleaving."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from bench.interleaving.client import Client, Violation
from bench.interleaving.process_death import let_questions_lapse

Step = Callable[[Client], Awaitable[None]]
RIGHT = {"yes_no": "yes", "element_choice": "2", "text_input": "Robin Moss"}
WRONG_KIND = {"yes_no": "text_input", "element_choice": "yes_no", "text_input": "element_choice"}
NOT_FOUND = 404


def answer_body(
    event: dict[str, Any], value: str | None, kind: str | None = None
) -> dict[str, Any]:
    """An answer as a request contains it; None cancels."""
    kind = "cancel" if value is None else kind or event["interruptType"]
    return {"hitlId": event["hitlId"], "type": kind, "value": value}


async def go_on(client: Client) -> None:
    """The runner executes what it received and reports; with nothing received it asks again."""
    client.act()
    await client.post(client.request())


async def repeat(client: Client) -> None:
    """Repeat the same request, as after a cut connection."""
    if client.body is not None:
        await client.post(client.body)


async def answer(client: Client, value: str | None = "", kind: str | None = None) -> None:
    """The person answers in the panel, validly unless given another value."""
    if (event := client.waiting) is None:
        return
    value = RIGHT[event["interruptType"]] if value == "" else value
    reply = await client.post(client.request(hitlResponse=answer_body(event, value, kind)))
    client.took(reply, event["hitlId"], "interact", "cancel" if value is None else value)


async def refuse(client: Client) -> None:
    """Answer no, which is valid for an approval only."""
    if client.waiting is not None and client.waiting["interruptType"] == "yes_no":
        await answer(client, "no")


async def cancel(client: Client) -> None:
    await answer(client, None)


async def wrong_kind(client: Client) -> None:
    """An answer that the question does not accept is refused, and the question remains."""
    if (event := client.waiting) is None:
        return
    kind = WRONG_KIND[event["interruptType"]]
    reply = await client.post(client.request(hitlResponse=answer_body(event, "1", kind)))
    if reply is not None and reply.status_code == 200:
        raise Violation(f"an answer of kind {kind} was taken")


async def out_of_range(client: Client) -> None:
    if (event := client.waiting) is None or event["interruptType"] != "element_choice":
        return
    reply = await client.post(client.request(hitlResponse=answer_body(event, "99")))
    if reply is not None and reply.status_code == 200:
        raise Violation("an option that is none was taken")


async def answer_late(client: Client) -> None:
    """Answer an earlier question."""
    if not client.asked:
        return
    event = client.rng.choice(list(client.asked.values()))
    value = RIGHT[event["interruptType"]]
    reply = await client.post(client.request(hitlResponse=answer_body(event, value)))
    client.took(reply, event["hitlId"], "interact", value)


async def answer_elsewhere(client: Client, value: str | None = "") -> None:
    """Answer through another inbox, independent of the runner."""
    if not client.asked:
        return
    event = list(client.asked.values())[-1]
    value = RIGHT[event["interruptType"]] if value == "" else value
    path = f"/api/hitl/{event['hitlId']}/answer"
    body = {"type": "cancel" if value is None else event["interruptType"], "value": value}
    reply = await client.send(path, body)
    client.took(reply, event["hitlId"], "inbox", "cancel" if value is None else value)


async def cancel_elsewhere(client: Client) -> None:
    await answer_elsewhere(client, None)


async def both_at_once(client: Client) -> None:
    """The panel and another inbox answer at the same moment."""
    await asyncio.gather(answer(client), answer_elsewhere(client))


async def twice_at_once(client: Client) -> None:
    """Send the same request twice at the same moment."""
    if (event := client.waiting) is None:
        return
    value = RIGHT[event["interruptType"]]
    body = client.request(hitlResponse=answer_body(event, value))
    replies = await asyncio.gather(client.post(body), client.post(body))
    taken = [one for one in replies if one is not None and one.status_code == 200]
    client.took(taken[0] if taken else None, event["hitlId"], "interact", value)


async def query_as_strangers(client: Client) -> None:
    """Another tenant, and another user of the tenant, cannot see the question."""
    if (event := client.waiting) is None:
        return
    body = client.request(hitlResponse=answer_body(event, RIGHT[event["interruptType"]]))
    for user in ("bob", "cas"):
        body = body | {"requestId": f"{client.rng.getrandbits(128):032x}"}
        reply = await client.post(body, user=user)
        if reply is not None and reply.status_code == 200:
            raise Violation(f"{user} answered a question of ann's")


async def stop(client: Client) -> None:
    """The person presses stop."""
    if client.task_id is not None:
        await client.send(f"/api/task/{client.task_id}/cancel")


async def expire_questions(client: Client) -> None:
    """The question expires."""
    if client.task_id is not None:
        await let_questions_lapse(client.backend.opened, client.task_id)


async def read_task(client: Client) -> None:
    """Someone reads the task and the sessions."""
    if client.task_id is not None:
        await client.send(f"/api/task/{client.task_id}", get=True)
        await client.send(f"/api/session/{client.session_id}/task/active", get=True)
        await client.send("/api/sessions", get=True)


async def restart(client: Client) -> None:
    await client.backend.restart()


async def another_goal(client: Client) -> None:
    """The person changes their mind."""
    if client.task_id is not None:
        client.act()
        await client.post(
            client.request(query=client.rng.choice(("Delete Kim Lee", "Click Delete")))
        )


STEPS: dict[str, tuple[Step, int]] = {
    "go on": (go_on, 5),
    "repeat": (repeat, 3),
    "late answer": (answer_late, 2),
    "other inbox": (answer_elsewhere, 3),
    "cancelled there": (cancel_elsewhere, 1),
    "stop": (stop, 2),
    "lapse": (expire_questions, 3),
    "look": (read_task, 1),
    "restart": (restart, 2),
    "another goal": (another_goal, 1),
}
"""By name: the step and its weight."""

WHILE_ASKED: dict[str, tuple[Step, int]] = {
    "answer": (answer, 9),
    "refuse": (refuse, 1),
    "cancel": (cancel, 1),
    "wrong kind": (wrong_kind, 1),
    "out of range": (out_of_range, 1),
    "both at once": (both_at_once, 3),
    "twice at once": (twice_at_once, 3),
    "strangers": (query_as_strangers, 1),
}
"""Steps that answer the question the runner shows."""


def draw_step(client: Client) -> tuple[str, Step]:
    """Draw the next step from the possible ones, by weight."""
    possible = STEPS | (WHILE_ASKED if client.waiting is not None else {})
    weights = [weight for _, weight in possible.values()]
    (name,) = client.rng.choices(list(possible), weights)
    return name, possible[name][0]
