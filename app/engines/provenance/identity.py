"""Which fields name a person, a record or an account: what stands there has a source, word for word."""

import tomllib
from functools import cache
from pathlib import Path

from app.domain.page import Node
from app.engines.redaction import SECRET_FIELD
from app.engines.risk.lexicon import pattern, words
from app.text import patterns

_TABLE = Path(__file__).parent / "identifying.toml"
_TYPES = frozenset({"email", "tel", "url", "password"})


def identifies(node: Node | None) -> bool:
    """Whether the field says who, where, how much or by which right, by its type or its name."""
    if node is None:
        return False
    name = f"{node.name} {node.hint}"
    is_named = _named().search(words(name)) is not None
    return node.input_type in _TYPES or is_named or SECRET_FIELD.search(name) is not None


@cache
def _named() -> patterns.Pattern:
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return pattern(" ".join(_stem(one) for line in table.values() for one in line.split()))


def _stem(written: str) -> str:
    """The stem as `words` writes it, so that an accent of the table is none."""
    return "+".join(words(written).split()) + ("$" if written.endswith("$") else "")
