"""The docstring of each group of the agent's state names the modules that write its keys."""

import ast
import re
from collections import defaultdict
from pathlib import Path

from app.agent import state
from tests.arch.sources import nodes, python_modules

GROUPS = [group for name, group in vars(state).items() if name.endswith("Keys")]
KEYS = frozenset(state.AgentState.__annotations__)
OUTSIDE = {"state", "initial_state", "background", "resume", "service", "events"}  # of the graph
WRITTEN_BY = re.compile(r"Written by ([^.]*)\.")


def written_keys(path: Path) -> set[str]:
    """The keys in a module's patches: in dict literals, in `Patch(...)`, and assigned."""
    updates = {
        id(keyword.value)
        for node in nodes(path)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "update"  # of a model's fields
    }
    found: set[object] = set()
    for node in nodes(path):
        match node:
            case ast.Dict(keys=keys) if id(node) not in updates:
                found |= {key.value for key in keys if isinstance(key, ast.Constant)}
            case ast.Call(func=ast.Name(id="Patch"), keywords=keywords):
                found |= {keyword.arg for keyword in keywords}
            case ast.Subscript(slice=ast.Constant(value=key), ctx=ast.Store()):
                found.add(key)
    return {str(key) for key in found} & KEYS


def test_each_group_of_keys_names_its_writers() -> None:
    writers: dict[str, set[str]] = defaultdict(set)
    for module, path in python_modules("app"):
        room, _, name = module.rpartition(".")
        if room in ("app.agent", "app.agent.nodes") and name not in OUTSIDE:
            for key in written_keys(path):
                writers[key].add(name)
    for group in GROUPS:
        said = WRITTEN_BY.search(" ".join((group.__doc__ or "").split()))
        named = set(re.findall(r"`(\w+)`", said[1])) if said else set()
        assert named == set().union(*(writers[key] for key in group.__annotations__)), (
            group.__name__
        )


def test_each_key_is_in_one_group() -> None:
    grouped = [key for group in GROUPS for key in group.__annotations__]
    assert sorted(grouped) == sorted(KEYS)
