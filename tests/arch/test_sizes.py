"""Code layout: sizes of modules, functions and folders, and names of modules.

Each rule has a limit and a count of exceptions that may only shrink: lower the number here when it does.
"""

import ast
import statistics
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.arch.sources import files, lines, name, nodes, python_modules

PRODUCT = ("app", "knowledge")
LONGEST_MODULE = 500  # lines
LONGEST_SCRIPT = 400  # lines of a file of the extension
LONGEST_FUNCTION = 80  # lines, decorators and docstring included
MOST_MODULES = 15  # in a folder, without `__init__.py`

# Allowed exceptions.
LONG_MODULES = 0
LONG_SCRIPTS = 0
LONG_FUNCTIONS = 0
FULL_FOLDERS = 0
MISNAMED_MODULES = 0

# Nouns that look like gerunds or participles.
NOUNS = frozenset({
    "embedding", "feed", "grounding", "heading", "need", "pricing", "routing", "seed", "setting", "speed",
    "string", "thing",
})  # fmt: skip
IRREGULAR_PARTICIPLES = frozenset({
    "begun", "borne", "bought", "brought", "built", "chosen", "cut", "done", "drawn", "driven",
    "fallen", "felt", "found", "frozen", "given", "gone", "grown", "heard", "held", "hidden",
    "kept", "known", "laid", "learned", "learnt", "left", "lent", "lost", "made", "meant", "met",
    "paid", "put", "said", "seen", "sent", "set", "shown", "sold", "spent", "spoken", "stood",
    "struck", "sworn", "taken", "taught", "thought", "thrown", "told", "torn", "understood",
    "unheard", "unknown", "unmade", "unsaid", "unseen", "untold", "won", "worn", "woven", "written",
})  # fmt: skip


def is_verb_form(module: str) -> bool:
    """Whether the last word of a module's name is a gerund or a participle."""
    word = module.lower().rpartition("_")[2]
    if word in NOUNS or (len(word) < 4 and word not in IRREGULAR_PARTICIPLES):
        return False
    return word.endswith(("ing", "ed")) or word in IRREGULAR_PARTICIPLES


@cache
def modules() -> dict[str, Path]:
    return dict(python_modules(*PRODUCT))


@cache
def functions() -> list[tuple[int, str]]:
    """(lines, path:line name) of each function of the product, including nested ones."""
    return [
        (1 + (node.end_lineno or 0) - first_line(node), f"{name(path)}:{node.lineno} {node.name}")
        for path in modules().values()
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


def sizes(paths: list[Path]) -> list[tuple[int, str]]:
    """(lines, path), longest first."""
    return sorted(((len(lines(path)), name(path)) for path in paths), reverse=True)


def assert_at_most(allowed: int, found: list[str], rule: str) -> None:
    assert len(found) <= allowed, "\n".join([f"{rule}; {len(found)}, allowed {allowed}:", *found])


def test_modules_are_of_one_concept() -> None:
    over = [
        f"{size} {path}" for size, path in sizes(list(modules().values())) if size > LONGEST_MODULE
    ]
    assert_at_most(LONG_MODULES, over, f"modules over {LONGEST_MODULE} lines")


def test_scripts_of_the_extension_are_of_one_concept() -> None:
    scripts = [path for path in files("*.js") if name(path).startswith("extension/")]
    over = [f"{size} {path}" for size, path in sizes(scripts) if size > LONGEST_SCRIPT]
    assert_at_most(LONG_SCRIPTS, over, f"files over {LONGEST_SCRIPT} lines")


def test_functions_are_short() -> None:
    over = [f"{size} {where}" for size, where in sorted(functions()) if size > LONGEST_FUNCTION]
    assert_at_most(LONG_FUNCTIONS, over, f"functions over {LONGEST_FUNCTION} lines")


def test_folders_are_rooms() -> None:
    held = Counter(name(path.parent) for path in modules().values() if path.stem != "__init__")
    over = [f"{count} {folder}" for folder, count in held.most_common() if count > MOST_MODULES]
    assert_at_most(FULL_FOLDERS, over, f"folders of more than {MOST_MODULES} modules")


def test_modules_are_named_by_nouns() -> None:
    wrong = sorted({
        name(path if path.stem != "__init__" else path.parent)
        for path in modules().values()
        if is_verb_form(path.stem if path.stem != "__init__" else path.parent.name)
        and path.parent.name != "nodes"  # graph nodes, whose names are part of the status events
    })  # fmt: skip
    assert_at_most(MISNAMED_MODULES, wrong, "modules named by a gerund or a participle")


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("asking", True), ("unsaid", True), ("cut", True), ("page_shown", True), ("watched", True),
        ("answer", False), ("embedding", False), ("known_sites", False), ("bed", False), ("seed", False),
    ],
)  # fmt: skip
def test_the_rule_of_names(module: str, expected: bool) -> None:
    assert is_verb_form(module) is expected


def test_sizes_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        sys.stdout.write(
            f"\nmodules: {summary([size for size, _ in sizes(list(modules().values()))])}"
        )
        sys.stdout.write(f"\nfunctions: {summary([size for size, _ in functions()])}\n")


def summary(counts: list[int]) -> str:
    median = statistics.median(counts)
    return f"{len(counts)}, lines {sum(counts):,}, median {median:.0f}, longest {max(counts)}"
