"""Tokens as a vendor would bill them, by o200k_base."""

import warnings
from functools import cache
from importlib import import_module
from typing import Any


@cache
def _encoding() -> Any:
    """Loaded when it is first used: it takes half a second."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # how it opens its own vocabulary
        return import_module("bpe_openai").get_encoding("o200k_base")


def tokens_of(text: str) -> list[int]:
    return list(_encoding().encode_ordinary(text))


def count(text: str) -> int:
    return len(tokens_of(text))


def cut_to(text: str, limit: int) -> str:
    """The first `limit` tokens of a text, as a model that must stop there leaves it."""
    return str(_encoding().decode(tokens_of(text)[:limit]))


def shared_prefix(one: list[int], other: list[int]) -> int:
    """How many tokens two requests begin with in common."""
    for at, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return at
    return min(len(one), len(other))
