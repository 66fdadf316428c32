"""No query of the store reads a whole collection: each one made by the port is explained."""

from collections.abc import Iterator
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from motor.motor_asyncio import AsyncIOMotorClient
from pymongo import MongoClient, monitoring

from app.settings import Settings
from app.store.checkpoints import Checkpoints
from app.store.disk_space import DiskSpace
from app.store.index_build import indexed
from app.store.mongo.indexes import INDEXES
from app.store.open import CLIENT_OPTIONS, open_store
from app.store.repositories import Store
from app.store.reviews.mongo import MongoReviews
from tests.integration.store.every_query import use_everything, use_reviews

NOT_OURS = {
    "checkpoints",
    "checkpoint_writes",
    "limit_counters",
    "limit_windows",
}  # written by libraries


class Filters(monitoring.CommandListener):
    """Notes each (collection, filter, sort) that goes over the wire."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, dict[str, Any], dict[str, int]]] = []

    def started(self, event: monitoring.CommandStartedEvent) -> None:
        command: Any = event.command
        name = event.command_name
        if name == "find":
            self._note(command[name], command["filter"], command.get("sort", {}))
        elif name == "findAndModify":
            self._note(command[name], command["query"], {})
        elif name in ("update", "delete"):
            for one in command[f"{name}s"]:
                self._note(command[name], one["q"], {})
        elif name == "aggregate":
            first, *others = command["pipeline"]
            assert not any("$lookup" in stage or "$match" in stage for stage in others)
            self._note(command[name], first["$match"], {})

    def _note(self, collection: str, wanted: Any, sort: Any) -> None:
        self.seen.append((collection, dict(wanted), dict(sort)))

    def succeeded(self, event: monitoring.CommandSucceededEvent) -> None:
        pass

    def failed(self, event: monitoring.CommandFailedEvent) -> None:
        pass


@pytest.fixture
def client(store_uri: str) -> Iterator[MongoClient[dict[str, Any]]]:
    plain: MongoClient[dict[str, Any]] = MongoClient(store_uri)
    yield plain
    plain.close()


def assert_indexed(database: Any, seen: list[tuple[str, dict[str, Any], dict[str, int]]]) -> None:
    assert seen
    for collection, wanted, sort in seen:
        plan = database[collection].find(wanted, sort=list(sort.items()) or None).explain()
        assert "COLLSCAN" not in str(plan["queryPlanner"]["winningPlan"]), (collection, wanted)


async def test_every_query_has_its_index_and_its_tenant(
    settings: Settings, store_uri: str, client: MongoClient[dict[str, Any]]
) -> None:
    filters = Filters()
    motor: Any = AsyncIOMotorClient(store_uri, event_listeners=[filters], **CLIENT_OPTIONS)
    database = motor[settings.mongodb_database]
    async with open_store(settings):  # the indexes
        await use_everything(Store(database, DiskSpace(Settings(_env_file=None))))
    await use_reviews(MongoReviews(database))
    motor.close()
    assert_indexed(client[settings.mongodb_database], filters.seen)
    assert {name for name, _, _ in filters.seen} == {
        index.collection for index in INDEXES if index.collection not in NOT_OURS
    }
    # A key's tenant is not known before it is found, nor whose the work is that a dead process left.
    of_nobody = {(name, *wanted) for name, wanted, _ in filters.seen if "tenantId" not in wanted}
    assert of_nobody == {
        ("api_keys", "hash"),
        ("api_keys", "keyId"),
        ("pairings", "hash"),
        ("pairings", "expiresAt"),
        ("server_secrets", "name"),
        ("knowledge_jobs", "due"),
        ("knowledge_locks", "expiresAt"),
        ("review_outbox", "createdAt"),
        ("reviews", "unread"),
    }


async def test_every_query_of_the_checkpointer_has_its_index(
    store: Store, settings: Settings, store_uri: str, client: MongoClient[dict[str, Any]]
) -> None:
    filters = Filters()
    own: MongoClient[dict[str, Any]] = MongoClient(store_uri, event_listeners=[filters])
    saver = Checkpoints(own, settings.mongodb_database)
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    config = saver.put(config, empty_checkpoint(), {"source": "loop", "step": 0, "parents": {}}, {})
    saver.put_writes(config, [("x", 1)], "task")
    assert saver.get_tuple(config) is not None
    assert saver.get_tuple({"configurable": {"thread_id": "t"}}) is not None
    saver.delete_thread("t")
    own.close()
    assert_indexed(client[settings.mongodb_database], filters.seen)


async def test_the_table_is_what_is_there_and_making_it_again_changes_nothing(
    store: Store, settings: Settings, client: MongoClient[dict[str, Any]], store_uri: str
) -> None:
    database = client[settings.mongodb_database]
    for index in INDEXES:
        there = database[index.collection].index_information().values()
        (found,) = [one for one in there if list(one["key"]) == list(index.fields)]
        assert bool(found.get("unique")) == index.unique
        assert found.get("expireAfterSeconds") == index.ttl_s
        no_tenants = index.collection == "server_secrets"
        first = ("tenantId", "hash", "thread_id")
        assert not index.unique or no_tenants or index.fields[0][0] in first
    before = {name: database[name].index_information() for name in database.list_collection_names()}
    motor: Any = AsyncIOMotorClient(store_uri)
    async with indexed(motor[settings.mongodb_database], store_uri, {}, wait_s=60):
        pass
    motor.close()
    assert before == {name: database[name].index_information() for name in before}
