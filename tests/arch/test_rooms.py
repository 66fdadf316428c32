"""Packages are entered through their `__init__`: the public names are in its `__all__`.

Decision 0074 explains why some packages are imported module by module.
"""

import ast
from pathlib import Path
from typing import cast

from tests.arch.sources import name, nodes, python_modules

PRODUCT = ("app", "knowledge")
BY_MODULE = frozenset({
    "app.domain", "app.net", "app.text",  # collections
    "app.llm", "app.observability", "app.search", "app.store",  # ports beside adapters
    "knowledge.extract", "knowledge.html",  # parts of the sandboxed reader
})  # fmt: skip


def rooms() -> dict[str, Path]:
    """The packages directly below the product's, by dotted name."""
    found = dict(python_modules(*PRODUCT))
    return {
        module: path
        for module, path in found.items()
        if module.count(".") == 1 and path.stem == "__init__"
    }


def imports(path: Path) -> list[tuple[int, str, list[str]]]:
    """(line, module, names) of each import by name, except those inside functions."""
    body = cast("ast.Module", nodes(path)[0]).body
    guarded = [node for block in body if isinstance(block, ast.If) for node in block.body]
    return [
        (node.lineno, node.module, [one.name for one in node.names])
        for node in (*body, *guarded)
        if isinstance(node, ast.ImportFrom) and node.module
    ]


def exported(path: Path) -> set[str]:
    """The names in a package's `__all__`."""
    return {
        str(one.value)
        for node in nodes(path)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        for one in ast.walk(node.value)
        if isinstance(one, ast.Constant)
    }


def test_packages_are_imported_through_their_init() -> None:
    closed = {room: exported(path) for room, path in rooms().items() if room not in BY_MODULE}
    wrong = []
    for module, path in python_modules(*PRODUCT):
        for line, source, names in imports(path):
            room = ".".join(source.split(".")[:2])
            if room not in closed or f"{module}.".startswith(f"{room}."):
                continue
            if source != room:
                wrong.append(f"{name(path)}:{line} imports from {source}, not from {room}")
            elif missing := set(names) - closed[room]:
                wrong.append(
                    f"{name(path)}:{line}: {room} does not export {', '.join(sorted(missing))}"
                )
    assert wrong == []
