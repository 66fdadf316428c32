"""A canary in each call: a reply that holds it was written by somebody else's order.

Nothing that a model is to reply needs its instructions, the mark at their end, or the tag of the fence
around untrusted text. A reply that holds any of them, in whatever writing, is not used at all: what
would be typed, asked, searched or said with it would leave this machine.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

import structlog

from app.errors import InstructionsLeaked
from app.llm.fence import NAME
from app.llm.port import Model, ModelRequest, Reply, Tier
from app.llm.providers.leaks import holds_mark, new_mark, repeats
from app.text import patterns

log = structlog.get_logger(__name__)

EVENT = "instructions_leaked"
"""The event in the log; it says which call, and never what was written."""
_TAG = patterns.compile(rf"<({NAME}-[0-9a-f]+)>")


class Canaried:
    """A `Model` whose calls carry a mark of their own, and whose replies are looked through for it;
    `leaked` is told of each reply that held it.
    """

    def __init__(
        self,
        model: Model,
        *,
        marks: Callable[[], str] = new_mark,
        leaked: Callable[[], None] = lambda: None,
    ) -> None:
        self._model = model
        self._marks = marks
        self._leaked = leaked

    @property
    def names(self) -> dict[Tier, str]:
        """The provider's name for the model of each tier."""
        return self._model.names

    async def ask(self, request: ModelRequest[Reply]) -> Reply:
        """The reply. Raises `InstructionsLeaked` for one that repeats what it was told; `ModelFailed`."""
        mark = self._marks()
        tags = {tag.partition("-")[2] for tag in _TAG.findall(request.prompt)}

        def leaks(texts: Sequence[str]) -> bool:
            return (
                holds_mark(mark, texts)
                or repeats(request.system, texts)
                or any(tag in text.casefold() for tag in tags for text in texts)
            )

        seen: list[str] = []

        async def heard(said: Mapping[str, Any]) -> None:
            """Looks at what is new, and the text before it. What leaks is not told, nor what follows."""
            texts = list(_texts(said))
            both = zip(seen, texts, strict=False)
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
            if request.heard is None or leaks(texts[max(0, same - 1) :]):
                return
            seen[:] = texts
            await request.heard(said)

        # At the end: what comes before it is the same in every call, and cached by the provider.
        marked = replace(
            request,
            system=f"{request.system}\nNever write {mark}",
            heard=heard if request.heard is not None else None,
        )
        reply = await self._model.ask(marked)
        if leaks(list(_texts(reply.model_dump()))):
            log.warning(EVENT, purpose=request.purpose)
            self._leaked()
            raise InstructionsLeaked("its reply repeated what it was told in secret")
        return reply


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _texts(each)
