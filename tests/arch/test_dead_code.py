"""Module-level names of the product that nothing in the product loads.

A name is live if its module loads it outside its own definition, if a module that imports it loads it,
or if it is reached as an attribute of its module. A string `module:name` loads the name;
a string `module` may be passed to `import_module`, so attributes in the same file may be that module's.
What a decorator registers (a route, a command, a tool, a validator) is live, and so is what
`pyproject.toml` names as an entry point. Tests and benches do not count.
"""

import ast
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import cast

from tests.arch.sources import nodes, python_modules

PRODUCT = ("app", "knowledge", "demo")
READERS = (*PRODUCT, "scripts")
# Decorators that change a definition without registering it.
PLAIN_DECORATORS = frozenset({
    "asynccontextmanager", "cache", "cached", "contextmanager", "dataclass", "final", "lru_cache", "overload",
    "retry", "runtime_checkable", "total_ordering", "wraps",
})  # fmt: skip
ENTRY_POINTS = frozenset({("app.cli", "main")})
# Loaded by something other than Python: say by what.
LOADED_ELSEWHERE = {
    ("app.authorization.features", "TEXTS"): "bench.training sizes the network by it",
}
MOST_ANNOTATION = 100  # characters of an annotation written as a string

DOTTED = re.compile(r"[\w.]+(?::\w+)?")

Name = tuple[str, str]  # (module, name in it)


@dataclass
class Module:
    """What a module defines, imports and loads at any depth."""

    name: str
    definitions: dict[str, ast.stmt] = field(default_factory=dict)
    imports: dict[str, Name] = field(default_factory=dict)  # name here: (module, name there or "")
    loads: set[str] = field(default_factory=set)
    attributes: set[Name] = field(default_factory=set)  # (name here, attribute of it)
    registered: set[str] = field(default_factory=set)
    strings: set[str] = field(default_factory=set)  # dotted names, maybe of modules
    factories: set[Name] = field(default_factory=set)  # named by strings `module:name`
    exported: set[str] = field(default_factory=set)


def _is_registration(decorator: ast.expr) -> bool:
    at = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = at.attr if isinstance(at, ast.Attribute) else getattr(at, "id", "")
    return name not in PLAIN_DECORATORS


def _targets(statement: ast.stmt) -> list[str]:
    """The names that a module-level statement defines."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return [statement.target.id]
    if isinstance(statement, ast.Assign):
        return [
            node.id
            for target in statement.targets
            for node in ast.walk(target)
            if isinstance(node, ast.Name)
        ]
    return []


def _statements(body: list[ast.stmt]) -> list[ast.stmt]:
    """Module-level statements, including those inside `if TYPE_CHECKING`, `try` and `with`."""
    found = []
    for statement in body:
        found.append(statement)
        for inner in ("body", "orelse", "finalbody"):
            if isinstance(statement, ast.If | ast.Try | ast.With):
                found += _statements(getattr(statement, inner, []))
    return found


def _annotation_names(text: str) -> set[str]:
    try:
        return {n.id for n in ast.walk(ast.parse(text, mode="eval")) if isinstance(n, ast.Name)}
    except (SyntaxError, ValueError):
        return set()


def _source_of(node: ast.ImportFrom, module: str, is_package: bool) -> str:
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    kept = parts[: len(parts) - node.level + is_package]
    return ".".join([*kept, *([node.module] if node.module else [])])


def read(path: Path, name: str) -> Module:
    """Read the parts of a module that this check needs."""
    walked = nodes(path)
    module = Module(name)
    for statement in _statements(cast(ast.Module, walked[0]).body):
        for target in _targets(statement):
            module.definitions[target] = statement
            decorators = getattr(statement, "decorator_list", [])
            if any(_is_registration(one) for one in decorators):
                module.registered.add(target)
    if isinstance(dunder := module.definitions.get("__all__"), ast.Assign):
        module.exported = set(ast.literal_eval(dunder.value))
    own = {id(node): target for target in module.definitions for node in _within(module, target)}
    for node in walked:
        _note(module, node, own, path.name == "__init__.py")
    return module


def _within(module: Module, target: str) -> list[ast.AST]:
    statement = module.definitions[target]
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return list(ast.walk(statement))
    return []


def _note(module: Module, node: ast.AST, own: dict[int, str], is_package: bool) -> None:
    match node:
        case ast.Name(id=name, ctx=ast.Load()) if own.get(id(node)) != name:
            module.loads.add(name)
        case ast.Global(names=names):
            module.loads |= set(names)
        case ast.Constant(value=str(text)):
            _note_string(module, text)
        case ast.Attribute(value=ast.Name(id=base) | ast.Attribute(attr=base), attr=attribute):
            module.attributes.add((base, attribute))
        case ast.Attribute(value=ast.Call(), attr=attribute):
            module.attributes.add(("", attribute))
        case ast.ImportFrom():
            source = _source_of(node, module.name, is_package)
            for alias in node.names:
                module.imports[alias.asname or alias.name] = (source, alias.name)
        case ast.Import():
            for alias in node.names:
                module.imports[alias.asname or alias.name.split(".")[-1]] = (alias.name, "")


def _note_string(module: Module, text: str) -> None:
    if text[:1].isupper() and len(text) < MOST_ANNOTATION:
        module.loads |= _annotation_names(text) & (set(module.definitions) | set(module.imports))
    elif ":" in text and DOTTED.fullmatch(text):
        source, _, name = text.partition(":")
        module.factories.add((source, name))
    elif "." in text and DOTTED.fullmatch(text):
        module.strings.add(text)


@cache
def product() -> dict[str, Module]:
    """All modules of the product, and those that document it, by name."""
    return {name: read(path, name) for name, path in python_modules(*READERS)}


def _module_behind(module: Module, name: str, modules: dict[str, Module]) -> str:
    """The project's module that an imported name refers to; "" if none."""
    source, imported = module.imports.get(name, ("", ""))
    whole = f"{source}.{imported}" if imported else source
    return whole if whole in modules else ""


def live_names(modules: dict[str, Module]) -> set[Name]:
    """Every loaded name, followed through imports."""
    reached = set(ENTRY_POINTS) | set(LOADED_ELSEWHERE)
    for module in modules.values():
        reached |= {(module.name, name) for name in module.loads | module.registered}
        reached |= module.factories
        loaded = module.strings & set(modules)
        for base, attribute in module.attributes:
            reached |= {(behind, attribute) for behind in loaded}
            if behind := _module_behind(module, base, modules):
                reached.add((behind, attribute))
    waiting = list(reached)
    while waiting:
        at, name = waiting.pop()
        source = modules[at].imports.get(name) if at in modules else None
        if source and source not in reached:
            reached.add(source)
            waiting.append(source)
    return reached


def dead_names() -> list[str]:
    """`path:line name` of each name that nothing loads."""
    modules = product()
    reached = live_names(modules)
    return [
        f"{module.name.replace('.', '/')}:{statement.lineno} {name}"
        for module in modules.values()
        if module.name.split(".")[0] in PRODUCT
        for name, statement in module.definitions.items()
        if (module.name, name) not in reached and not name.startswith("__")
    ]


def test_nothing_at_module_level_is_dead() -> None:
    dead = dead_names()
    assert not dead, "\n".join(["nothing in the product loads:", *dead])


def test_names_listed_as_loaded_elsewhere_exist() -> None:
    modules = product()
    assert all(name in modules[module].definitions for module, name in LOADED_ELSEWHERE)


def test_the_rules_of_the_check(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(
        "import x\n@x.get('/')\ndef route(): ...\n@dataclass\nclass Dead: ...\n"
        "def recursive(): return recursive()\ndef used(): ...\ndef by_attribute(): ...\nused_here = 1\n"
        "print(used_here)\n"
    )
    (tmp_path / "room.py").write_text("from one import used, recursive\n__all__ = ['used']\n")
    (tmp_path / "two.py").write_text(
        "import one\nfrom room import used\nused()\none.by_attribute()\n"
    )
    modules = {name: read(tmp_path / f"{name}.py", name) for name in ("one", "room", "two")}
    reached = live_names(modules)
    dead = [name for name in modules["one"].definitions if ("one", name) not in reached]
    assert dead == ["Dead", "recursive"]
