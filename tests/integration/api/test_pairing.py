"""Pairing over real HTTP and the real store, and by the command beside a running server."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from pymongo import MongoClient

from app.settings import EXTENSION_ORIGIN, Settings
from tests.contract.store.test_people import expected_proof
from tests.integration.cli.test_commands import within

CLAIM = "/api/pairing/claim"
PROOFS = "/api/pairing/proofs"


@pytest.fixture
async def browser(base_url: str) -> AsyncIterator[httpx.AsyncClient]:
    """Who has no key yet."""
    headers = {"Origin": EXTENSION_ORIGIN}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=20) as made:
        yield made


@pytest.fixture
def rows(settings: Settings, store_uri: str) -> Any:
    with MongoClient(store_uri) as client:
        yield client[settings.mongodb_database]["pairings"]


async def code_of(client: httpx.AsyncClient) -> str:
    reply = await client.post("/api/pairing")
    assert reply.status_code == 200
    left = datetime.fromisoformat(reply.json()["expiresAt"]) - datetime.now(UTC)
    assert timedelta(minutes=1) < left <= timedelta(minutes=2)
    return str(reply.json()["code"])


async def test_code_becomes_a_key_of_the_same_user(client, browser, rows) -> None:
    code = await code_of(client)
    kept = str(list(rows.find()))
    assert code not in kept
    assert code.replace("-", "") not in kept

    reply = await browser.post(CLAIM, json={"code": f" {code.lower()} "})
    assert reply.status_code == 200
    assert reply.headers["access-control-allow-origin"] == EXTENSION_ORIGIN
    paired = reply.json()
    assert (paired["tenantId"], paired["userId"]) == ("one", "ann")
    headers = {"Authorization": f"Bearer {paired['apiKey']}"}
    assert (await browser.get("/api/sessions", headers=headers)).status_code == 200


async def test_browser_can_verify_its_code_first(client, browser) -> None:
    code = await code_of(client)
    nonce = secrets.token_hex(32)
    reply = await browser.get(PROOFS, params={"nonce": nonce})
    assert reply.status_code == 200
    assert reply.headers["access-control-allow-origin"] == EXTENSION_ORIGIN
    assert reply.headers["cache-control"] == "no-store"
    own = str(browser.base_url).rstrip("/")
    assert reply.json() == {"proofs": [expected_proof(code, nonce, own)]}


async def test_relaying_server_has_no_proof_for_its_address(client, browser) -> None:
    code = await code_of(client)
    nonce = secrets.token_hex(32)
    elsewhere = {"Host": "localhost:9999"}  # as the one between would have it
    reply = await browser.get(PROOFS, params={"nonce": nonce}, headers=elsewhere)
    assert expected_proof(code, nonce, "http://localhost:9999") not in reply.json()["proofs"]


async def test_a_nonce_is_random_hex(browser) -> None:
    for nonce in ("", "ab", "x" * 64, "a" * 200, "a" * 63 + "\n"):
        assert (await browser.get(PROOFS, params={"nonce": nonce})).status_code == 422, nonce


async def test_concurrent_claims_get_one_key(client, browser) -> None:
    code = await code_of(client)
    replies = await asyncio.gather(*(browser.post(CLAIM, json={"code": code}) for _ in range(5)))
    assert sorted(reply.status_code for reply in replies) == [200, 404, 404, 404, 404]


async def test_expired_code_is_rejected(client, browser, rows) -> None:
    code = await code_of(client)
    rows.update_many({}, {"$set": {"expiresAt": datetime.now(UTC)}})
    reply = await browser.post(CLAIM, json={"code": code})
    assert (reply.status_code, reply.json()["code"]) == (404, "NOT_FOUND")


async def test_five_wrong_codes_block_the_address(client, browser) -> None:
    code = await code_of(client)
    wrong = await asyncio.gather(
        *(browser.post(CLAIM, json={"code": f"ABCD-EFG{n}"}) for n in range(2, 8))
    )
    assert sorted(reply.status_code for reply in wrong) == [404] * 5 + [429]
    reply = await browser.post(CLAIM, json={"code": code})
    assert (reply.status_code, reply.json()["code"]) == (429, "RATE_LIMITED")
    assert 0 < int(reply.headers["retry-after"]) <= 600


NONSENSE = [
    (b"", 422),
    (b"{}", 422),
    (b'{"code": 7}', 422),
    (b'{"code": "%s"}' % (b"A" * 65), 422),
    (b'{"code": "\xc3\x84\xc3\x96\xc3\x9cDEFGH"}', 404),
    (b'{"code": ""}', 404),
    (b" " * (2 * 1024 * 1024 + 1), 413),
]


async def test_rejects_malformed_claims(browser) -> None:
    headers = {"Content-Type": "application/json"}
    for body, status in NONSENSE:
        reply = await browser.post(CLAIM, content=body, headers=headers)
        assert reply.status_code == status, body[:80]


async def test_creating_a_code_needs_a_key(browser) -> None:
    assert (await browser.post("/api/pairing")).status_code == 401


async def test_command_prints_the_code(
    browser, settings: Settings, store_uri: str, tmp_path: Path
) -> None:
    place = {
        "TABWRIGHT_MONGODB_URI": store_uri,
        "TABWRIGHT_MONGODB_DATABASE": settings.mongodb_database,
    }
    arguments = ("pair", "--tenant", "acme", "--user", "eve", "--server")
    refused = await asyncio.to_thread(
        within, *arguments, "http://10.0.0.7:9000", data=tmp_path, **place
    )
    assert refused.returncode == 1
    assert "Plain http:// is only allowed for this machine" in refused.stderr
    made = await asyncio.to_thread(within, *arguments, "10.0.0.7:9000/", data=tmp_path, **place)
    assert made.returncode == 0, made.stderr
    address, _, code = made.stdout.splitlines()[-1].rpartition("/")
    assert address == "https://10.0.0.7:9000"
    paired = (await browser.post(CLAIM, json={"code": code})).json()
    assert (paired["tenantId"], paired["userId"]) == ("acme", "eve")
