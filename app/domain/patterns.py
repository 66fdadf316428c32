"""Expressions that are compiled when they are first used: not every process that starts asks for them."""

import re
from functools import cached_property
from typing import Any, cast


class _Late:
    """Stands for the compiled expression; what is asked of it once is answered by that one from then on."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever an expression has
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found


def late(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, which takes up to 50 ms for a large expression, but not before it is needed.

    One that is wrong is told of late, too: each is used in a test.
    """
    return cast(re.Pattern[str], _Late(pattern, flags))
