"""The subjects: every pattern, and every function that takes only texts."""

import gc
import importlib
import inspect
import pkgutil
import sys
import typing
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import app
import knowledge
from app.text import patterns
from bench.pumped.texts import UNITS, units_of

ROOMS = (app, knowledge)
ACTS = (
    "subprocess.", "os.system", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.kill",
    "socket.connect", "socket.getaddrinfo", "shutil.",
)  # fmt: skip
ACTING = ("app.cli", "app.server", "app.main", "app.store")  # these start processes or open files


class Subject(NamedTuple):
    """A function of a text, and the pieces from which its hostile texts are made."""

    kind: str  # pattern | function
    where: str
    run: Callable[[str], object]
    units: tuple[str, ...]


def load_modules() -> list[Any]:
    """Import all modules of the product."""
    found = []
    for room in ROOMS:
        for one in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            if not one.name.endswith("__main__"):
                found.append(importlib.import_module(one.name))
    return found


def all_patterns() -> Iterator[Subject]:
    """The patterns that exist once all modules are imported, including those in tables and tuples."""
    modules = load_modules()
    names = {
        id(value): f"{module.__name__}.{name}"
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, patterns.Pattern)
    }
    # By type(), since a dead weak proxy raises when asked for its class.
    gc.unfreeze()  # frozen objects are not listed
    for one in [found for found in gc.get_objects() if issubclass(type(found), patterns.Pattern)]:
        where = names.get(id(one), f"/{one.pattern[:60]}/")
        yield Subject(
            "pattern", where, _reader(one), (*UNITS[:6], *units_of(one.pattern, one.flags))
        )


def _reader(pattern: patterns.Pattern) -> Callable[[str], object]:
    def read(text: str) -> object:
        pattern.fullmatch(text)
        return sum(1 for _ in pattern.finditer(text))

    return read


def all_functions() -> Iterator[Subject]:
    """Functions whose required arguments are all texts."""
    seen = set()
    for module in load_modules():
        if module.__name__.startswith(ACTING):
            continue
        for name, function in vars(module).items():
            wanted = inspect.isfunction(function) or hasattr(function, "__wrapped__")
            if (
                not wanted
                or getattr(function, "__module__", "") != module.__name__
                or id(function) in seen
            ):
                continue
            seen.add(id(function))
            texts = _text_arguments(function)
            if texts and not inspect.iscoroutinefunction(function):
                yield Subject(
                    "function", f"{module.__name__}.{name}", _caller(function, texts), UNITS
                )


def _text_arguments(function: Callable[..., object]) -> list[str]:
    """The names of the required arguments; none if one of them is not a text."""
    try:
        hints = typing.get_type_hints(function)
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, NameError, ValueError, AttributeError):
        return []
    needed = [one for one in parameters if one.default is one.empty and one.kind not in (2, 4)]
    return [one.name for one in needed] if all(hints.get(one.name) is str for one in needed) else []


def _caller(function: Callable[..., object], texts: list[str]) -> Callable[[str], object]:
    def call(text: str) -> object:
        getattr(function, "cache_clear", lambda: None)()
        made = function(**dict.fromkeys(texts, text))
        return list(made) if inspect.isgenerator(made) else made

    return call


def forbid_acting() -> None:
    """Block writing, starting processes and connecting from now on: a function that tries is no text
    function.
    """

    def refuse(event: str, details: tuple[Any, ...]) -> None:
        writes = event == "open" and isinstance(details[1], str) and set(details[1]) & set("wax+")
        if writes or event.startswith(ACTS):
            raise PermissionError(event)

    sys.addaudithook(refuse)
