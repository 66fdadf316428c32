"""LangGraph's checkpoints, in the same database."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
)
from langgraph.checkpoint.mongodb import MongoDBSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import BaseModel
from pymongo import MongoClient

import app.domain
from app.store.indexes import CHECKPOINT_TTL_S
from app.store.mongo.failures import translated
from app.store.reading import current, turn_to_write


class Checkpoints(MongoDBSaver):
    """The stock saver, with driver errors in our words and no round trip for nothing to write."""

    @translated
    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The thread's newest checkpoint, or the one named; see `reading.read_once`."""
        use, thread = current.get(), config["configurable"]["thread_id"]
        if use is None or get_checkpoint_id(config):
            return await super().aget_tuple(config)
        if thread not in use.read:
            use.read[thread] = await super().aget_tuple(config)
        return use.read[thread]

    @translated
    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save one checkpoint."""
        _forget(config)
        async with turn_to_write():
            return await super().aput(config, checkpoint, metadata, new_versions)

    @translated
    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Save what a node wrote before its checkpoint; the driver refuses to write nothing."""
        _forget(config)
        if writes:
            async with turn_to_write():
                await super().aput_writes(config, writes, task_id, task_path)

    @translated
    async def adelete_thread(self, thread_id: str) -> None:
        """Forget a thread."""
        await super().adelete_thread(thread_id)


def _forget(config: RunnableConfig) -> None:
    use = current.get()
    if use is not None:
        use.read.pop(config["configurable"]["thread_id"], None)


def make_checkpoints(
    client: MongoClient[dict[str, Any]], database: str, allowed: Iterable[type] = ()
) -> Checkpoints:
    """The saver; blocks while it makes its indexes. `allowed` may come back beside the domain."""
    known = [(kind.__module__, kind.__qualname__) for kind in (*domain_classes(), *allowed)]
    return Checkpoints(
        client,
        db_name=database,
        checkpoint_collection_name="checkpoints",
        writes_collection_name="checkpoint_writes",
        ttl=CHECKPOINT_TTL_S,
        serde=JsonPlusSerializer(allowed_msgpack_modules=known),
    )


def domain_classes() -> list[type]:
    """Every value class of the domain: these, and nothing else of ours, a checkpoint may build."""
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(app.domain.__path__, "app.domain.")
    ]
    return [
        kind
        for module in modules
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if kind.__module__ == module.__name__ and issubclass(kind, BaseModel | Enum)
    ]
