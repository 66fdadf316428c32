"""Attacks on delegations and approvals over HTTP."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from app.domain.access import Principal, Scope
from app.domain.task import Client
from tests.attacks.consent.stage import (
    DELEGATIONS,
    PATIENTS,
    PERSON,
    PRESS,
    PROGRAMS,
    TENANT,
    Attack,
    Stage,
    at_once,
    family,
)
from tests.integration.desk import INTERACT

ATTACKS: list[Attack] = []
delegated, approved = family("delegation", ATTACKS), family("approval", ATTACKS)
ANSWERS: dict[str, dict[str, Any]] = {
    "yes": {"type": "yes_no", "value": "yes"},
    "yes in German": {"type": "yes_no", "value": "Ja, bitte!"},
    "the number of the option": {"type": "yes_no", "value": "1"},
    "accept of an agent inbox": {"type": "accept"},
    "edit of an agent inbox": {"type": "edit", "args": "yes"},
    "respond of an agent inbox": {"type": "respond", "args": "yes"},
    "a list with a yes": {"type": "yes_no", "value": ["yes"]},
}


def each_program() -> None:
    """The plainest attempts, with keys of every scope available to programs."""

    def add(scope: Scope) -> None:
        @delegated(f"allowed by a key with scope {scope}")
        async def allow(stage: Stage) -> str:
            one = await stage.delegation()
            await stage.send(stage.keys[scope].secret, "POST", f"{DELEGATIONS}/{one}/allow", {})
            return await stage.moved(one)

        @approved(f"answered at the inbox by a key with scope {scope}")
        async def answer(stage: Stage) -> str:
            asked = await stage.question()
            path = f"/api/hitl/{asked['hitlId']}/answer"
            await stage.send(stage.keys[scope].secret, "POST", path, ANSWERS["yes"])
            return await stage.agreed(asked)

        @approved(f"answered with interact by a key with scope {scope}")
        async def interact(stage: Stage) -> str:
            asked = await stage.question()
            said = {"hitlId": asked["hitlId"], **ANSWERS["yes"]}
            body = PATIENTS.body(taskId=asked["taskId"], hitlResponse=said)
            reply = await stage.send(stage.keys[scope].secret, "POST", INTERACT, body)
            sent = reply.status_code == 200 and reply.json()["type"] == "action"
            return "an action was handed out" if sent else await stage.agreed(asked)

        @approved(f"a paused task resumed by a key with scope {scope}")
        async def resume(stage: Stage) -> str:
            asked = await stage.question(anew=True)
            task = f"/api/task/{asked['taskId']}"
            assert (await stage.browser.post(f"{task}/pause")).status_code == 200
            reply = await stage.send(stage.keys[scope].secret, "POST", f"{task}/resume")
            await stage.browser.post(f"{task}/cancel")
            return "the task goes on" if reply.status_code == 200 else ""

    for scope in PROGRAMS:
        add(scope)


def each_answer() -> None:
    """A yes in every form the inbox accepts, by a key with the widest scope without consent."""

    def add(title: str, said: dict[str, Any]) -> None:
        @approved(f"answered with {title}")
        async def answer(stage: Stage) -> str:
            asked = await stage.question()
            path = f"/api/hitl/{asked['hitlId']}/answer"
            await stage.send(stage.keys["admin"].secret, "POST", path, said)
            return await stage.agreed(asked)

    for title, said in list(ANSWERS.items())[1:]:
        add(title, said)


each_program()
each_answer()


@delegated("allowed for good, to be remembered")
async def remember(stage: Stage) -> str:
    one = await stage.delegation()
    path = f"{DELEGATIONS}/{one}/allow"
    await stage.send(stage.keys["api"].secret, "POST", path, {"remember": True})
    consents = await stage.store.delegations.consents(TENANT, PERSON)
    return "a consent is remembered" if consents else await stage.moved(one)


@delegated("taken from the person's browser after they allowed it")
async def take(stage: Stage) -> str:
    one = await stage.delegation(status="allowed")
    path = f"{DELEGATIONS}/{one}/take"
    await stage.send(stage.keys["api"].secret, "POST", path, {"taker": "browser-1"})
    return await stage.moved(one, "allowed")


@delegated("carried out by the program itself")
async def carry_out(stage: Stage) -> str:
    one = await stage.delegation(status="taken", taker="browser-1")
    body = PATIENTS.body(query=PRESS, delegationId=one)
    await stage.send(stage.keys["api"].secret, "POST", INTERACT, body)
    found = await stage.store.delegations.find(TENANT, one)
    return "a task of the program carries it out" if found and found.task_id else ""


@delegated("ended for the person's browser")
async def fail(stage: Stage) -> str:
    one = await stage.delegation(status="taken", taker="browser-1")
    path = f"{DELEGATIONS}/{one}/failed"
    await stage.send(stage.keys["api"].secret, "POST", path, {"reason": "no"})
    return await stage.moved(one, "taken")


@delegated("allowed by the browser of a colleague")
async def colleague(stage: Stage) -> str:
    one = await stage.delegation()
    held = await stage.held("browser", user="ben")
    await stage.send(held.secret, "POST", f"{DELEGATIONS}/{one}/allow", {})
    return await stage.moved(one)


@delegated("allowed by the browser of a namesake in another tenant")
async def namesake(stage: Stage) -> str:
    one = await stage.delegation()
    held = await stage.held("browser", tenant="two")
    await stage.send(held.secret, "POST", f"{DELEGATIONS}/{one}/allow", {})
    return await stage.moved(one)


async def _consented(stage: Stage, client: Client) -> bool:
    return await stage.store.delegations.has_consent(TENANT, PERSON, client)


@delegated("the consent given to another key under the same name")
async def same_name(stage: Stage) -> str:
    other = await stage.held("mcp")
    path = f"{DELEGATIONS}/{await stage.delegation()}/allow"
    await stage.browser.post(path, json={"remember": True})
    spoofed = await _consented(stage, Client(key_id=other.key.key_id, name="Assistant"))
    for one in await stage.store.delegations.consents(TENANT, PERSON):
        await stage.store.delegations.withdraw(TENANT, PERSON, one.consent_id)
    return "the name alone was enough" if spoofed else ""


@delegated("goals of other assistants read by a program")
async def read_goals(stage: Stage) -> str:
    await stage.delegation()
    reply = await stage.send(stage.keys["api"].secret, "GET", DELEGATIONS)
    return "goals were read" if PRESS in reply.text else ""


@approved("answered by the browser of a colleague")
async def colleagues_yes(stage: Stage) -> str:
    asked = await stage.question()
    held = await stage.held("browser", user="ben")
    path = f"/api/hitl/{asked['hitlId']}/answer"
    await stage.send(held.secret, "POST", path, ANSWERS["yes"])
    return await stage.agreed(asked)


@approved("answered by a browser whose key was revoked")
async def revoked_browser(stage: Stage) -> str:
    asked = await stage.question()
    held = await stage.held("browser")
    await stage.store.keys.revoke(TENANT, held.key.key_id)
    path = f"/api/hitl/{asked['hitlId']}/answer"
    await stage.send(held.secret, "POST", path, ANSWERS["yes"])
    return await stage.agreed(asked)


@approved("answered by a browser whose key has expired")
async def expired_browser(stage: Stage) -> str:
    asked = await stage.question()
    who = Principal(tenant=TENANT, user=PERSON, scopes=("browser",))
    ended = datetime.now(UTC) - timedelta(seconds=1)
    _, secret = await stage.store.keys.create(who, expires_at=ended)
    path = f"/api/hitl/{asked['hitlId']}/answer"
    await stage.send(secret, "POST", path, ANSWERS["yes"])
    return await stage.agreed(asked)


@approved("answered many times at once")
async def race(stage: Stage) -> str:
    asked = await stage.question()
    path, secret = f"/api/hitl/{asked['hitlId']}/answer", stage.keys["api"].secret
    tries = (stage.send(secret, "POST", path, ANSWERS["yes"]) for _ in range(10 * stage.rounds))
    statuses = await at_once(*tries)
    return "one came through" if 200 in statuses else await stage.agreed(asked)


@approved("answered through the chat")
async def through_chat(stage: Stage) -> str:
    asked = await stage.question()
    body = {
        "thread_id": asked["taskId"],
        "hitl_id": asked["hitlId"],
        "resume_value": {"type": "yes_no", "value": "yes"},
    }
    await stage.send(stage.keys["api"].secret, "POST", "/api/chat/resume", body)
    return await stage.agreed(asked)


async def _as_program(stage: Stage, **more: Any) -> str:
    """The result when a program continues the task of the person's browser."""
    asked = await stage.question(anew=True)
    reply = await stage.send(
        stage.keys["api"].secret, "POST", INTERACT, PATIENTS.body(taskId=asked["taskId"], **more)
    )
    went_on = reply.status_code == 200
    return f"it went on: {reply.json()['type']}" if went_on else await stage.agreed(asked)


@approved("the goal of the person's task replaced")
async def other_goal(stage: Stage) -> str:
    return await _as_program(stage, query="Click Home")


@approved("the person's task looked at as if from their browser")
async def other_page(stage: Stage) -> str:
    return await _as_program(stage)


@approved("a task handed back for the person")
async def hand_back(stage: Stage) -> str:
    return await _as_program(stage, handBack={"acts": []})


@approved("a task continued as if the person had done the step")
async def continue_from(stage: Stage) -> str:
    asked = await stage.question(anew=True)
    await stage.browser.post(f"/api/task/{asked['taskId']}/cancel")
    body = PATIENTS.body(continueFrom=asked["taskId"])
    reply = await stage.send(stage.keys["api"].secret, "POST", INTERACT, body)
    return "it went on" if reply.status_code == 200 else ""


@approved("an answer repeated under the request id of the browser")
async def repeated(stage: Stage) -> str:
    asked = await stage.question()
    said = {"hitlId": asked["hitlId"], **ANSWERS["yes"]}
    body = PATIENTS.body(taskId=asked["taskId"], requestId=str(uuid4()), hitlResponse=said)
    for _ in range(2):
        await stage.send(stage.keys["api"].secret, "POST", INTERACT, body)
    return await stage.agreed(asked)


@approved("two keys in one request, the browser's guessed")
async def two_keys(stage: Stage) -> str:
    asked = await stage.question()
    path = f"/api/hitl/{asked['hitlId']}/answer"
    headers = [
        ("Authorization", f"Bearer {stage.keys['api'].secret}"),
        ("Authorization", f"Bearer {stage.keys['browser'].key.key_id}"),
    ]
    async with stage.client(stage.keys["api"].secret) as client:
        request = client.build_request("POST", path, json=ANSWERS["yes"])
        request.headers = type(request.headers)([*request.headers.multi_items(), *headers])
        await client.send(request)
    return await stage.agreed(asked)
