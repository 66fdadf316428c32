"""No block of six or more equal lines occurs twice in the product.

Lines are compared without indentation. Blank lines, comments, docstrings, imports,
signatures (an implementation repeats its port's) and lines of only brackets or dots are ignored.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from tests.arch.sources import files, lines, name, nodes

PRODUCT = ("app/", "knowledge/", "extension/")
BLOCK = 6  # lines
BRACKETS = re.compile(r"[\s()\[\]{},;.]*")
SCRIPT_COMMENT = re.compile(r"^\s*(?://|/\*|\*)")
SCRIPT_IMPORT = re.compile(r"^\s*(?:import\b|export \*|export \{)")

Line = tuple[int, str]  # (number, text)
Place = tuple[str, int]  # (path, index among the code lines)


def python_code(path: Path) -> list[Line]:
    """The code lines of a Python module."""
    left_out: set[int] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import | ast.ImportFrom) or _is_docstring(node):
            left_out |= set(range(node.lineno, (node.end_lineno or 0) + 1))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            left_out |= set(range(node.lineno, max(node.body[0].lineno, node.lineno + 1)))
    return [
        (number, line.strip())
        for number, line in enumerate(lines(path), 1)
        if number not in left_out and not line.lstrip().startswith("#")
    ]


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def script_code(path: Path) -> list[Line]:
    """The code lines of a script."""
    return [
        (number, line.strip())
        for number, line in enumerate(lines(path), 1)
        if not SCRIPT_COMMENT.match(line) and not SCRIPT_IMPORT.match(line)
    ]


def code_lines(path: Path) -> list[Line]:
    read = python_code if path.suffix == ".py" else script_code
    return [one for one in read(path) if not BRACKETS.fullmatch(one[1])]


def equal_blocks(code: dict[str, list[Line]]) -> list[str]:
    """`path:line = path:line (lines)` of each longest repeated block."""
    places: dict[tuple[str, ...], list[Place]] = defaultdict(list)
    for path, found in code.items():
        texts = [text for _, text in found]
        for index in range(len(texts) - BLOCK + 1):
            places[tuple(texts[index : index + BLOCK])].append((path, index))
    pairs = {
        pair for standing in places.values() for pair in pairwise(standing) if not _overlap(*pair)
    }
    starts = sorted(pair for pair in pairs if _before(pair) not in pairs)
    return [_described(code, pair, pairs) for pair in starts]


def _overlap(one: Place, other: Place) -> bool:
    return one[0] == other[0] and abs(one[1] - other[1]) < BLOCK


def _before(pair: tuple[Place, Place]) -> tuple[Place, Place]:
    (one, first), (other, second) = pair
    return (one, first - 1), (other, second - 1)


def _described(
    code: dict[str, list[Line]], pair: tuple[Place, Place], pairs: set[tuple[Place, Place]]
) -> str:
    (one, first), (other, second) = pair
    more = 0
    while ((one, first + more + 1), (other, second + more + 1)) in pairs:
        more += 1
    return f"{one}:{code[one][first][0]} = {other}:{code[other][second][0]} ({BLOCK + more} lines)"


def _product() -> Iterator[Path]:
    for path in files("*.py", "*.js"):
        if name(path).startswith(PRODUCT) and "/test/" not in name(path):
            yield path


def test_no_block_is_duplicated() -> None:
    found = equal_blocks({name(path): code_lines(path) for path in _product()})
    assert not found, "\n".join(found)


def test_the_rules_of_the_check(tmp_path: Path) -> None:
    block = "".join(f"    a{n} = {n}\n" for n in range(7))
    texts = {
        "one": f'"""One."""\nimport x\n\ndef f():\n    """F."""\n{block}',
        "other": f"import x\n\n# why\nclass A:\n    def g():\n{block.replace('    ', '        ')}",
        "short": "def h():\n" + "".join(f"    a{n} = {n}\n" for n in range(2, 7)),
    }
    for path, text in texts.items():
        (tmp_path / f"{path}.py").write_text(text)
    code = {path: code_lines(tmp_path / f"{path}.py") for path in texts}
    assert equal_blocks(code) == ["one:6 = other:6 (7 lines)"]
