"""A person with a browser, keys for programs, and actions that wait for the person's consent."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx

from app.domain.access import ApiKey, Principal, Scope
from app.domain.task import Client, Delegation
from app.settings import Settings
from app.store.open import open_store
from app.store.repositories import Store
from tests.integration.desk import INTERACT, Screen, node

TENANT, PERSON = "one", "ann"
PROGRAMS: tuple[Scope, ...] = ("mcp", "api", "operator", "admin")
PATIENTS = Screen(
    nodes=(
        node(1, "link", "Home"),
        node(2, "btn", "Delete", g="row: Jas Patel, 1990"),
        node(3, "btn", "Delete", g="row: Ann Lee, 1972"),
    )
)
PRESS = "Delete the patient Jas Patel"
AT_ONCE = (
    20  # connections: below the server's limit per address, which is below the requests of a race
)
DELEGATIONS = "/api/delegations"


@dataclass(frozen=True)
class HeldKey:
    """A key and its secret."""

    key: ApiKey
    secret: str


@dataclass
class Stage:
    """A server and its store. `keys` belong to the person's programs, by scope."""

    url: str
    store: Store
    browser: httpx.AsyncClient
    keys: dict[Scope, HeldKey]
    rounds: int = 1
    _asked: dict[str, Any] | None = field(default=None)
    _delegated: str = ""

    @asynccontextmanager
    async def client(self, secret: str) -> AsyncIterator[httpx.AsyncClient]:
        """A client with this key."""
        headers = {"Authorization": f"Bearer {secret}"}
        async with httpx.AsyncClient(base_url=self.url, headers=headers, timeout=20) as made:
            yield made

    async def send(
        self, secret: str, verb: str, path: str, body: Any = None, **more: Any
    ) -> httpx.Response:
        """Send one request with this key over the shared connections."""
        headers = {**more.pop("headers", {}), "Authorization": f"Bearer {secret}"}
        return await self.browser.request(verb, path, json=body, headers=headers, **more)

    async def held(self, *scopes: Scope, user: str = PERSON, tenant: str = TENANT) -> HeldKey:
        """A new key."""
        who = Principal(tenant=tenant, user=user, scopes=scopes)
        return HeldKey(*await self.store.keys.create(who))

    async def question(self, *, anew: bool = False) -> dict[str, Any]:
        """A pending question to the person's browser before it deletes a patient."""
        if not anew and self._asked is not None and await self._waits(self._asked):
            return self._asked
        reply = await self.browser.post(INTERACT, json=PATIENTS.body(query=PRESS))
        assert reply.json()["kind"] == "approval", reply.text
        self._asked = dict(reply.json())
        return self._asked

    async def _waits(self, asked: dict[str, Any]) -> bool:
        row = await self.store.hitl.get(TENANT, asked["hitlId"])
        return row.status_at(datetime.now(UTC)) == "pending"

    async def agreed(self, asked: dict[str, Any]) -> str:
        """The harm if the question was agreed to."""
        row = await self.store.hitl.get(TENANT, asked["hitlId"])
        decision = row.result.decision if row.result is not None else ""
        return "the act was approved" if decision == "approved" else ""

    async def delegation(self, **more: Any) -> str:
        """A task requested by an assistant that waits for the person."""
        if self._delegated and not more and not await self.moved(self._delegated):
            return self._delegated
        now = datetime.now(UTC).replace(microsecond=0)
        made = Delegation(
            delegation_id=str(uuid4()),
            tenant=TENANT,
            user=PERSON,
            client=Client(key_id=self.keys["mcp"].key.key_id, name="Assistant"),
            goal=PRESS,
            created_at=now,
            updated_at=now,
            expires_at=now + timedelta(minutes=10),
        ).model_copy(update=more)
        await self.store.delegations.add(made)
        if not more:
            self._delegated = made.delegation_id
        return made.delegation_id

    async def moved(self, delegation_id: str, frm: str = "waiting") -> str:
        """The harm if the delegation changed."""
        found = await self.store.delegations.find(TENANT, delegation_id)
        assert found is not None
        return "" if found.status == frm else f"the delegation is {found.status}"


Play = Callable[[Stage], Awaitable[str]]


@dataclass(frozen=True)
class Attack:
    """`play` returns the harm done, "" for none."""

    family: str
    name: str
    play: Play


def family(name: str, attacks: list[Attack]) -> Callable[[str], Callable[[Play], Play]]:
    """A decorator that adds an attack to this family."""

    def named(title: str) -> Callable[[Play], Play]:
        def add(play: Play) -> Play:
            attacks.append(Attack(name, title, play))
            return play

        return add

    return named


@asynccontextmanager
async def open_stage(settings: Settings, url: str, *, rounds: int = 1) -> AsyncIterator[Stage]:
    """A stage on a server that runs with these settings."""
    async with open_store(settings) as store:
        held = {}
        for scope in (*PROGRAMS, "browser"):
            who = Principal(tenant=TENANT, user=PERSON, scopes=(scope,))
            held[scope] = HeldKey(*await store.keys.create(who))
        headers = {"Authorization": f"Bearer {held['browser'].secret}"}
        limits = httpx.Limits(max_connections=AT_ONCE)
        async with httpx.AsyncClient(
            base_url=url, headers=headers, timeout=60, limits=limits
        ) as browser:
            yield Stage(url, store, browser, held, rounds)


async def at_once(*tries: Awaitable[httpx.Response]) -> list[int]:
    """The statuses of requests sent concurrently."""
    return [one.status_code for one in await asyncio.gather(*tries)]
