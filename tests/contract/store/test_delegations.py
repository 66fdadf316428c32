"""Delegated tasks and consents in the store: by hand of whom, in which order, how often."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.domain.task import Client, Consent, Delegation
from app.errors import NotFound
from app.store.open import Opened
from app.store.repositories import Store

DESK = Client(key_id="k1", name="Desk helper", version="2")
NOW = datetime.now(UTC).replace(microsecond=0)


def delegation(delegation_id: str = "delegated-1", **more: Any) -> Delegation:
    given: dict[str, Any] = {"tenant": "one", "user": "ann", "client": DESK}
    given |= {"goal": "Add a new patient with name 'Jas'"}
    given |= {"created_at": NOW, "updated_at": NOW, "expires_at": NOW + timedelta(minutes=10)}
    return Delegation.model_validate(given | {"delegation_id": delegation_id} | more)


def consent_of(asked: Delegation, **more: Any) -> Consent:
    given = {"tenant": asked.tenant, "user": asked.user, "client": asked.client}
    return Consent.model_validate({"consent_id": "", "created_at": NOW} | given | more)


async def test_what_is_added_comes_back_whole(store: Store) -> None:
    recipe = {"recipeId": "r-1", "parameters": {"name": "Jas", "a.b": "$x"}}
    made = delegation(url="https://clinic.test/", recipe=recipe, note="n", taker="b", task_id="t")
    await store.delegations.add(made)
    assert await store.delegations.find("one", "delegated-1") == made
    assert await store.delegations.of_task("one", "t") == made
    assert await store.delegations.find("two", "delegated-1") is None
    assert await store.delegations.of_task("two", "t") is None


async def test_open_ones_are_the_users_oldest_first(store: Store) -> None:
    for at, status in enumerate(("taken", "waiting", "allowed", "ended", "refused", "expired")):
        made = NOW - timedelta(minutes=at)
        await store.delegations.add(delegation(str(at), status=status, created_at=made))
    await store.delegations.add(delegation("carls", user="carl"))
    await store.delegations.add(delegation("theirs", tenant="two"))
    found = await store.delegations.list_open("one", "ann", limit=5)
    assert [one.delegation_id for one in found] == ["2", "1", "0"]
    assert len(await store.delegations.list_open("one", "ann", limit=2)) == 2


async def test_one_of_many_that_take_it_at_once_has_it(store: Store, opened: Opened) -> None:
    await store.delegations.add(delegation(status="allowed"))

    async def take(taker: str) -> Delegation | None:
        return await opened.store.delegations.move(
            "one", "delegated-1", ("allowed",), "taken", now=NOW, taker=taker
        )

    taken = [one for one in await asyncio.gather(*(take(f"b{n}") for n in range(20))) if one]
    assert len(taken) == 1
    assert await store.delegations.find("one", "delegated-1") == taken[0]


async def test_a_status_moves_from_where_it_is_alone(store: Store) -> None:
    rows = store.delegations
    await rows.add(delegation())
    assert await rows.move("one", "delegated-1", ("allowed",), "taken", now=NOW) is None
    assert await rows.move("two", "delegated-1", ("waiting",), "allowed", now=NOW) is None
    assert await rows.move("one", "delegated-2", ("waiting",), "allowed", now=NOW) is None
    refused = await rows.move(
        "one", "delegated-1", ("waiting", "allowed"), "refused", now=NOW, note="$no"
    )
    assert refused is not None
    assert (refused.status, refused.note, refused.taker) == ("refused", "$no", "")
    assert await rows.move("one", "delegated-1", ("waiting",), "allowed", now=NOW) is None
    assert await rows.find("one", "delegated-1") == refused


async def test_what_has_expired_is_not_allowed_but_can_be_ended(store: Store) -> None:
    rows, late = store.delegations, NOW + timedelta(minutes=10)
    await rows.add(delegation())
    assert await rows.move("one", "delegated-1", ("waiting",), "allowed", now=late) is None
    over = await rows.move("one", "delegated-1", ("waiting",), "expired", now=late)
    assert over is not None
    assert over.status == "expired"


async def test_one_task_carries_it_out(store: Store) -> None:
    rows = store.delegations
    await rows.add(delegation(status="allowed"))
    assert not await rows.link("one", "delegated-1", "t1", now=NOW, goal="g")
    await rows.move("one", "delegated-1", ("allowed",), "taken", now=NOW, taker="b")
    assert not await rows.link("two", "delegated-1", "t1", now=NOW, goal="g")
    linked = await asyncio.gather(
        *(rows.link("one", "delegated-1", f"t{n}", now=NOW, goal="g") for n in range(8))
    )
    assert sum(linked) == 1
    task_id = f"t{linked.index(True)}"
    assert await rows.link("one", "delegated-1", task_id, now=NOW, goal="g")
    found = await rows.of_task("one", task_id)
    assert found is not None
    assert (found.task_id, found.taker) == (task_id, "b")


async def test_a_consent_is_one_per_key_and_name(store: Store) -> None:
    rows, asked = store.delegations, delegation()
    first = await rows.consent(consent_of(asked))
    again = await rows.consent(consent_of(asked, created_at=NOW + timedelta(minutes=1)))
    assert again == first
    newer = DESK.model_copy(update={"version": "3"})
    assert await rows.has_consent("one", "ann", newer)
    for stranger in (DESK.model_copy(update={"key_id": "k2"}), Client(key_id="k1", name="Other")):
        assert not await rows.has_consent("one", "ann", stranger)
    assert not await rows.has_consent("one", "carl", DESK)
    assert not await rows.has_consent("two", "ann", DESK)
    assert list(await rows.consents("one", "ann")) == [first]


async def test_a_consent_is_withdrawn_by_whose_it_is(store: Store) -> None:
    rows = store.delegations
    kept = await rows.consent(consent_of(delegation()))
    for tenant, user in (("one", "carl"), ("two", "ann")):
        with pytest.raises(NotFound):
            await rows.withdraw(tenant, user, kept.consent_id)
    await rows.withdraw("one", "ann", kept.consent_id)
    assert not await rows.has_consent("one", "ann", DESK)
    assert list(await rows.consents("one", "ann")) == []
