"""A desk whose tenant has limits, and the people who work at it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from app.domain.access import ROLES, Principal, Role, Scope
from app.store.open import open_store
from tests.integration.desk import Desk, Screen, Served, Trip

# What one call of the fake takes at the price of gemini-3.8-flash until the end of 2026:
# 1,000 tokens in at 0.75 and 100 out at 3.75 for a million.
CALL_USD = (1_000 * 0.75 + 100 * 3.75) / 1_000_000


@asynccontextmanager
async def person(
    served: Served, tenant: str, user: str = "ann", role: Role = "user"
) -> AsyncIterator[Desk]:
    """Someone of this tenant at the module's server: a user in their browser, the others with a key."""
    async with open_store(served.settings) as store:
        scope: Scope = "browser" if role == "user" else ROLES[role]
        _, secret = await store.keys.create(Principal(tenant=tenant, user=user, scopes=(scope,)))
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=served.url, headers=headers, timeout=30) as client:
        yield Desk(client, served)


async def limit(desk: Desk, **limits: Any) -> dict[str, Any]:
    """Set the tenant's limits; needs an admin's desk."""
    reply = await desk.client.put("/api/budgets", json=limits)
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


async def choose(desk: Desk, trip: Trip, screen: Screen, option: str) -> Trip:
    """The person presses one of the options."""
    hitl = {"hitlId": trip.answer["hitlId"], "type": "action_choice", "value": option}
    return await desk.post(screen.body(taskId=trip.answer["taskId"], hitlResponse=hitl))
