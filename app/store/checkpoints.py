"""LangGraph's checkpoints, in the same database."""

import copy
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import cache
from typing import Any, cast

import ormsgpack
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
)
from langgraph.checkpoint.mongodb import MongoDBSaver
from langgraph.checkpoint.serde.jsonplus import EXT_PYDANTIC_V2, JsonPlusSerializer
from pydantic import BaseModel
from pymongo import MongoClient, UpdateOne

import app.domain
from app.store.batch import Rows, current
from app.store.mongo.indexes import CHECKPOINT_TTL_S
from app.store.mongo.rows import Row, translate_errors
from app.text import patterns

SAVED, WRITTEN = "checkpoints", "checkpoint_writes"

RENAMED = {
    "Answered": "GivenAnswer",
    "Beside": "ComparedSection",
    "Check": "StepCheck",
    "Chosen": "ChosenOption",
    "Contested": "ContestedClaim",
    "Deed": "ActionRecord",
    "Examination": "EffectReview",
    "Failure": "IngestFailure",
    "Found": "FoundPassage",
    "Judged": "OperatorJudgement",
    "Lift": "BudgetIncrease",
    "Opinion": "ModelOpinion",
    "Parameter": "RecipeParameter",
    "PersonAct": "UserAction",
    "Placed": "ChunkPlacement",
    "Refinement": "Decision",
    "Remembered": "MemoryLine",
    "Report": "ClientReport",
    "Resolved": "Retrieval",
    "Score": "PredictionScore",
    "Side": "ComparedLine",
    "Spending": "TaskBudget",
    "Spent": "UsageTotals",
    "Standing": "BudgetStatus",
    "Titled": "DocumentTitle",
    "Told": "ChangeNote",
    "Turned": "ChatTurn",
    "Words": "TextRun",
}
"""Current domain classes by the names in older checkpoints.

Modules need no table, since class names are unique in the domain. Renamed fields have a validation alias in
their class.
"""

RENAMED_KEYS = {
    "analyses": "analysis_count",
    "asked": "question_count",
    "before": "page_before",
    "began": "goal_request_id",
    "deeds": "action_records",
    "doubted": "needs_critique",
    "judged": "unverified_chain",
    "refusals": "refusal_count",
    "refused": "refusal_reason",
    "shown_before": "page_before_effect",
    "since": "subtask_start",
    "sub_task_completed": "subtask_completed",
    "uses": "skill_uses",
}
"""Current keys of the agent's state by the names in older checkpoints."""

_CLASS_PATH = patterns.compile(r"(?s)(app\.domain\.[a-z_.]+)(?:[\xa1-\xbf]|\xd9.)([A-Za-z0-9_]+)")
"""A module and a class, each a MessagePack string, in bytes decoded as Latin-1."""


class Checkpoints(MongoDBSaver):
    """The stock saver with driver errors translated.

    A request's checkpoints are held back and written under the lease together with everything else the
    request writes: see `app.store.batch`.
    """

    def __init__(
        self, client: MongoClient[Row], database: str, allowed: Iterable[type] = ()
    ) -> None:
        """`allowed` classes may be loaded besides those of the domain. Our table has the indexes."""
        BaseCheckpointSaver.__init__(self, serde=CheckpointSerializer(allowed))
        self.client = client
        self.db = client[database]
        self.checkpoint_collection = self.db[SAVED]
        self.writes_collection = self.db[WRITTEN]
        self.ttl = CHECKPOINT_TTL_S

    @translate_errors
    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The thread's newest checkpoint, or the one named; see `RequestCache`."""
        cache, thread = current.get(), config["configurable"]["thread_id"]
        if cache is None or get_checkpoint_id(config):
            return _with_current_keys(await super().aget_tuple(config))
        if thread not in cache.read:
            cache.read[thread] = _with_current_keys(await super().aget_tuple(config))
        return cache.read[thread]

    @translate_errors
    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        cache = current.get()
        if cache is None:
            return await super().aput(config, checkpoint, metadata, new_versions)
        cache.making.append(
            lambda: self._rows(lambda saver: saver.put(config, checkpoint, metadata, new_versions))
        )
        configurable = config["configurable"]
        thread = {key: configurable[key] for key in ("thread_id", "checkpoint_ns")}
        saved: RunnableConfig = {"configurable": {**thread, "checkpoint_id": checkpoint["id"]}}
        parent: RunnableConfig | None = None
        if parent_id := configurable.get("checkpoint_id"):
            parent = {"configurable": {**thread, "checkpoint_id": parent_id}}
        saved_tuple = CheckpointTuple(saved, checkpoint, metadata, parent, [])
        cache.read[thread["thread_id"]] = saved_tuple
        return saved

    @translate_errors
    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Save a node's writes that precede its checkpoint; the driver rejects empty ones."""
        if not writes:
            return
        cache = current.get()
        if cache is None:
            await super().aput_writes(config, writes, task_id, task_path)
            return
        cache.making.append(
            lambda: self._rows(lambda saver: saver.put_writes(config, writes, task_id, task_path))
        )
        thread, checkpoint_id = (
            config["configurable"][key] for key in ("thread_id", "checkpoint_id")
        )
        cached = cache.read.get(thread)
        if cached is None or cached.config["configurable"]["checkpoint_id"] != checkpoint_id:
            cache.read.pop(thread, None)
            return
        replaced = {(task_id, channel) for channel, _ in writes}
        others = [one for one in cached.pending_writes or () if one[:2] not in replaced]
        added = [(task_id, channel, value) for channel, value in writes]
        cache.read[thread] = cached._replace(pending_writes=[*others, *added])

    @translate_errors
    async def adelete_thread(self, thread_id: str) -> None:
        await super().adelete_thread(thread_id)

    def _rows(self, save: Callable[[MongoDBSaver], object]) -> Rows:
        written: list[tuple[str, Any]] = []
        recorder = copy.copy(self)
        recorder.checkpoint_collection = cast("Any", _RecordingCollection(SAVED, written))
        recorder.writes_collection = cast("Any", _RecordingCollection(WRITTEN, written))
        save(recorder)
        return written


def _with_current_keys(saved: CheckpointTuple | None) -> CheckpointTuple | None:
    """Rename the keys of an agent's state that an older version saved."""
    if saved is None or "goal" not in saved.checkpoint["channel_values"]:  # a conversation's
        return saved
    checkpoint = saved.checkpoint.copy()
    for part in ("channel_values", "channel_versions"):
        values: dict[str, Any] = checkpoint[part]
        checkpoint[part] = {RENAMED_KEYS.get(key, key): value for key, value in values.items()}
    pending = [
        (task, RENAMED_KEYS.get(key, key), value) for task, key, value in saved.pending_writes or ()
    ]
    return saved._replace(checkpoint=checkpoint, pending_writes=pending)


class _RecordingCollection:
    """A collection that records its writes instead of sending them."""

    def __init__(self, name: str, written: list[tuple[str, Any]]) -> None:
        self._name = name
        self._written = written

    def update_one(self, key: dict[str, Any], change: dict[str, Any], *, upsert: bool) -> None:
        self._written.append((self._name, UpdateOne(key, change, upsert=upsert)))

    def bulk_write(self, writes: Sequence[UpdateOne]) -> None:
        self._written.extend((self._name, write) for write in writes)


class CheckpointSerializer(JsonPlusSerializer):
    """LangGraph's serializer, restricted to known classes.

    Classes that have moved or been renamed since a checkpoint was written are resolved.
    """

    def __init__(self, allowed: Iterable[type] = ()) -> None:
        """`allowed` classes may be loaded from a checkpoint besides those of the domain."""
        classes = [(one.__module__, one.__qualname__) for one in (*domain_classes(), *allowed)]
        super().__init__(allowed_msgpack_modules=classes)

    def loads_typed(self, data: tuple[str, bytes]) -> object:
        kind, packed = data
        if kind == "msgpack":
            paths: set[tuple[str, str]] = set(_CLASS_PATH.findall(packed.decode("latin-1")))
            if any(_current_path(*path) != path for path in paths):
                packed = _pack(_unpack(packed))
        return super().loads_typed((kind, packed))


def domain_classes() -> list[type]:
    """All value classes of the domain. No other class of ours may be loaded from a checkpoint."""
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


@cache
def _modules() -> dict[str, str]:
    return {kind.__name__: kind.__module__ for kind in domain_classes()}


def _current_path(module: str, name: str) -> tuple[str, str]:
    name = RENAMED.get(name, name)
    return _modules().get(name, module), name


def _upgrade(code: int, data: bytes) -> ormsgpack.Ext:
    value = _unpack(data)
    if code == EXT_PYDANTIC_V2:
        module, name, *rest = cast("list[Any]", value)
        if module.startswith("app.domain."):
            value = [*_current_path(module, name), *rest]
    return ormsgpack.Ext(code, _pack(value))


def _unpack(data: bytes) -> object:
    return ormsgpack.unpackb(data, ext_hook=_upgrade, option=ormsgpack.OPT_NON_STR_KEYS)


def _pack(value: object) -> bytes:
    return ormsgpack.packb(value, option=ormsgpack.OPT_NON_STR_KEYS)
