"""The project files that the checks read."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SKIPPED = {".venv", ".venv-lock", "node_modules", ".git", ".data", "out", ".hypothesis"}


@cache
def files(*patterns: str) -> list[Path]:
    """Tracked and new files; without git, everything that is not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    found = [ROOT / name for name in listed.stdout.splitlines()] or list(ROOT.rglob("*"))
    return sorted(
        path
        for path in found
        if path.is_file()
        and not SKIPPED & set(path.relative_to(ROOT).parts)
        and any(path.match(pattern) for pattern in patterns)
    )


def name(path: Path) -> str:
    """The path relative to the project's root."""
    return path.relative_to(ROOT).as_posix()


def lines(path: Path) -> list[str]:
    """The file's lines."""
    return path.read_text("utf-8").splitlines()


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All nodes of a module's syntax tree, the module first."""
    return list(ast.walk(ast.parse(path.read_text("utf-8"))))


def python_modules(*packages: str) -> Iterator[tuple[str, Path]]:
    """(dotted name, path) of each module in these packages."""
    for path in files("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[0] in packages:
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path
