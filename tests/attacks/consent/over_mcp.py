"""Attacks on consent over MCP: forms, answers by programs, and the state that a call leaves with its client."""

import asyncio
import base64
import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.server.request_state import (
    AESGCMRequestStateCodec,
    _principal_claim,
    _request_identity,
)
from mcp_types import ElicitResult

from app.domain.access import Scope
from tests.attacks.consent.stage import (
    PATIENTS,
    PRESS,
    Attack,
    HeldKey,
    Stage,
    family,
)
from tests.integration.desk import INTERACT
from tests.integration.mcp.desk import INFO, MODES

ATTACKS: list[Attack] = []
spoken, stated = family("mcp", ATTACKS), family("request_state", ATTACKS)
MODERN = "2026-07-28"
SERVER, TOOL = "/mcp/tabwright", "answer_question"
YES = {"question": {"action": "accept", "content": {"answer": True}}}
REFUSED = 400
HANG_S = 60.0  # only ends a hang: a call whose answer was accepted waits for the task


@asynccontextmanager
async def assistant(
    stage: Stage, held: HeldKey, mode: str, forms: Any = None
) -> AsyncIterator[Client]:
    """A client with this key; `forms` answers the forms it is asked to show."""
    headers = {"Authorization": f"Bearer {held.secret}"}
    async with httpx2.AsyncClient(headers=headers, timeout=20) as http:
        transport = streamable_http_client(f"{stage.url}{SERVER}", http_client=http)
        made = Client(transport, mode=mode, client_info=INFO, elicitation_callback=forms)
        async with made as client:
            yield client


async def _tried(client: Client, tool: str, **given: Any) -> None:
    """Call a tool, and abandon a call that waits."""
    try:
        async with asyncio.timeout(HANG_S):
            await client.call_tool(tool, given)
    except (TimeoutError, MCPError):
        return


def each_answer() -> None:
    """Answer yes through the tool for clients without forms."""

    def add(scope: Scope, mode: str, said: object) -> None:
        @spoken(f"answer_question with {said!r}, {mode}, by a key with scope {scope}")
        async def answer(stage: Stage) -> str:
            asked = await stage.question()
            async with assistant(stage, stage.keys[scope], mode) as client:
                await _tried(client, TOOL, task_id=asked["taskId"], answer=said)
            return await stage.agreed(asked)

    for mode in MODES:
        add("mcp", mode, True)
    for said in ("yes", "Yes, please", ["yes"], "approve"):
        add("mcp", "auto", said)
    add("operator", "auto", True)
    add("admin", "auto", True)


each_answer()


@spoken("answer_question with a key that is an admin's and a browser's")
async def bootstrap(stage: Stage) -> str:
    asked = await stage.question()
    async with assistant(stage, await stage.held("admin", "browser"), "auto") as client:
        await _tried(client, TOOL, task_id=asked["taskId"], answer=True)
    return await stage.agreed(asked)


@spoken("the browser's own key used by an assistant")
async def browsers_key(stage: Stage) -> str:
    headers = {"Accept": "application/json, text/event-stream"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {}}
    key = stage.keys["browser"].secret
    reply = await stage.send(key, "POST", SERVER, body, headers=headers)
    return "it was let in" if reply.status_code != 403 else ""


def each_form() -> None:
    """A client that accepts every form without showing it."""

    def add(mode: str) -> None:
        @spoken(f"a form that the assistant fills in itself, {mode}")
        async def fill_in(stage: Stage) -> str:
            shown: list[Any] = []

            async def yes(context: object, params: Any) -> ElicitResult:
                shown.append(params)
                return ElicitResult(action="accept", content={"answer": True})

            async with assistant(stage, stage.keys["mcp"], mode, yes) as client:
                heard = asyncio.Event()

                async def told(step: float, total: float | None, message: str | None) -> None:
                    if "user to answer" in (message or ""):
                        heard.set()

                running = asyncio.create_task(
                    client.call_tool("run_task", {"goal": PRESS}, progress_callback=told)
                )
                one = await _asked_for(stage)
                path = f"/api/delegations/{one}"
                await stage.browser.post(f"{path}/allow", json={})
                await stage.browser.post(f"{path}/take", json={"taker": "browser-1"})
                body = PATIENTS.body(query=PRESS, delegationId=one)
                asked = (await stage.browser.post(INTERACT, json=body)).json()
                async with asyncio.timeout(HANG_S):
                    await heard.wait()
                harm = await stage.agreed(asked)
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
            await stage.browser.post(f"/api/task/{asked['taskId']}/cancel")
            return harm or ("a form was shown" if shown else "")

    for mode in MODES:
        add(mode)


each_form()


async def _asked_for(stage: Stage) -> str:
    """The delegation that an assistant has just requested."""
    async with asyncio.timeout(HANG_S):
        while True:
            listed = (await stage.browser.get("/api/delegations")).json()["delegations"]
            for one in listed:
                if one["client"]["name"] == INFO.name and one["status"] == "waiting":
                    return str(one["delegationId"])
            await asyncio.sleep(0.02)


def _meta() -> dict[str, Any]:
    about = {"name": INFO.name, "version": INFO.version}
    return {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": about,
        "io.modelcontextprotocol/clientCapabilities": {},  # so that no call waits for a form
    }


async def resume(
    stage: Stage, asked: dict[str, Any], state: str, *, held: HeldKey | None = None, **more: Any
) -> int:
    """Continue a call of the newer protocol from a state; `REFUSED` if it was rejected."""
    arguments = {"task_id": asked["taskId"], "answer": True} | more
    params = {"name": TOOL, "arguments": arguments, "_meta": _meta()}
    params |= {"requestState": state, "inputResponses": YES}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": MODERN}
    headers |= {"Mcp-Method": "tools/call", "Mcp-Name": TOOL}
    secret = (held or stage.keys["mcp"]).secret
    reply = await stage.send(secret, "POST", SERVER, body, headers=headers)
    return 200 if reply.status_code == 200 and '"error"' not in reply.text else REFUSED


def round_of(asked: dict[str, Any]) -> str:
    """The state that the server itself would leave, unencrypted."""
    return json.dumps({"task_id": asked["taskId"], "asked": asked["hitlId"], "tries": 1})


def envelope(asked: dict[str, Any], **more: Any) -> bytes:
    """The same inside the claims that the protocol's SDK adds."""
    now = time.time()
    claims = {"v": 1, "iat": now, "exp": now + 600, "m": "tools/call", "t": TOOL, "a": ""}
    return json.dumps(claims | {"s": round_of(asked), "aud": "tabwright"} | more).encode()


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


FORGED: dict[str, Any] = {
    "in the clear": round_of,
    "as its base64": lambda asked: base64.urlsafe_b64encode(round_of(asked).encode()).decode(),
    "with the claims in the clear": lambda asked: envelope(asked).decode(),
    "with the claims as base64": lambda asked: _encoded(envelope(asked)),
    "with a version and no seal": lambda asked: "v1." + _encoded(envelope(asked)),
    "sealed with a key of one's own": lambda asked: AESGCMRequestStateCodec([os.urandom(32)]).seal(
        envelope(asked)
    ),
    "sealed with an empty key": lambda asked: AESGCMRequestStateCodec([bytes(32)]).seal(
        envelope(asked)
    ),
    "of random bytes": lambda asked: "v1." + _encoded(os.urandom(200)),
    "of a megabyte": lambda asked: "v1." + "A" * 1_000_000,
    "that is empty": lambda asked: "",
}


def each_forgery() -> None:
    """States that the server never made."""

    def add(title: str, make: Any) -> None:
        @stated(f"a state {title}")
        async def forge(stage: Stage) -> str:
            asked = await stage.question()
            status = await resume(stage, asked, make(asked))
            return "it was believed" if status != REFUSED else await stage.agreed(asked)

    for title, make in FORGED.items():
        add(title, make)


each_forgery()


async def sealed(
    stage: Stage, asked: dict[str, Any], by: HeldKey | None = None, **more: Any
) -> str:
    """A state sealed with the server's own key, for this question and the key `by`."""
    who = (by or stage.keys["mcp"]).key
    arguments = {"task_id": asked["taskId"], "answer": True}
    target, digest = _request_identity("tools/call", {"name": TOOL, "arguments": arguments})
    holder = _principal_claim(f"{who.tenant}/{who.user}/{who.key_id}")
    claims = {"t": target, "a": digest, "p": holder} | more
    codec = AESGCMRequestStateCodec([await stage.store.secrets.get("mcp.request_state")])
    return codec.seal(envelope(asked, **claims))


async def is_believed(stage: Stage) -> bool:
    """Whether a genuine state is accepted; otherwise these attacks prove nothing."""
    asked = await stage.question()
    return await resume(stage, asked, await sealed(stage, asked)) != REFUSED


@stated("a true state for an act that needs consent")
async def genuine(stage: Stage) -> str:
    asked = await stage.question()
    await resume(stage, asked, await sealed(stage, asked))
    return await stage.agreed(asked)


def each_misuse() -> None:
    """States with the server's genuine seal, used for another purpose."""

    def add(title: str, **claims: Any) -> None:
        @stated(f"a state that is {title}")
        async def misuse(stage: Stage) -> str:
            asked = await stage.question()
            state = await sealed(stage, asked, **claims)
            status = await resume(stage, asked, state)
            return "it was believed" if status != REFUSED else ""

    add("of no key", p=None)
    add("of an expired call", exp=time.time() - 1)
    add("of a call in the future", iat=time.time() + 3_600)
    add("of another tool", t="run_task")
    add("of another server", aud="capture")
    add("of another call's arguments", a="")
    add("without an end", exp=float("nan"))


each_misuse()


@stated("a state that is of another key of the same person")
async def of_another_key(stage: Stage) -> str:
    asked = await stage.question()
    state = await sealed(stage, asked, by=stage.keys["api"])
    return "it was believed" if await resume(stage, asked, state) != REFUSED else ""


@stated("a state with one changed character")
async def changed(stage: Stage) -> str:
    asked = await stage.question()
    state = await sealed(stage, asked)
    other = state[:40] + ("A" if state[40] != "A" else "B") + state[41:]
    return "it was believed" if await resume(stage, asked, other) != REFUSED else ""
