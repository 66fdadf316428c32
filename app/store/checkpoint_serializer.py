"""Serializes checkpoints, including domain classes of earlier versions."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterable
from enum import Enum
from functools import cache
from typing import Any, cast

import ormsgpack
from langgraph.checkpoint.serde.jsonplus import EXT_PYDANTIC_V2, JsonPlusSerializer
from pydantic import BaseModel

import app.domain
from app.text import patterns

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

_CLASS_PATH = patterns.compile(r"(?s)(app\.domain\.[a-z_.]+)(?:[\xa1-\xbf]|\xd9.)([A-Za-z0-9_]+)")
"""A module and a class, each a MessagePack string, in bytes decoded as Latin-1."""


class CheckpointSerializer(JsonPlusSerializer):
    """LangGraph's serializer, restricted to known classes.

    Classes that have moved or been renamed since a checkpoint was written are resolved.
    """

    def __init__(self, allowed: Iterable[type] = ()) -> None:
        """`allowed` classes may be loaded from a checkpoint besides those of the domain."""
        known = [(one.__module__, one.__qualname__) for one in (*domain_classes(), *allowed)]
        super().__init__(allowed_msgpack_modules=known)

    def loads_typed(self, data: tuple[str, bytes]) -> object:
        kind, packed = data
        if kind == "msgpack" and _is_outdated(packed):
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
    """Map each domain class name to its module."""
    return {kind.__name__: kind.__module__ for kind in domain_classes()}


def _is_outdated(packed: bytes) -> bool:
    paths: set[tuple[str, str]] = set(_CLASS_PATH.findall(packed.decode("latin-1")))
    return any(_current(*path) != path for path in paths)


def _current(module: str, name: str) -> tuple[str, str]:
    name = RENAMED.get(name, name)
    return _modules().get(name, module), name


def _upgrade(code: int, data: bytes) -> ormsgpack.Ext:
    value = _unpack(data)
    if code == EXT_PYDANTIC_V2:
        module, name, *rest = cast(list[Any], value)
        if module.startswith("app.domain."):
            value = [*_current(module, name), *rest]
    return ormsgpack.Ext(code, _pack(value))


def _unpack(data: bytes) -> object:
    return ormsgpack.unpackb(data, ext_hook=_upgrade, option=ormsgpack.OPT_NON_STR_KEYS)


def _pack(value: object) -> bytes:
    return ormsgpack.packb(value, option=ormsgpack.OPT_NON_STR_KEYS)
