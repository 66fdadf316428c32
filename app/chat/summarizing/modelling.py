"""A summary that a model words: in one call, or part by part and then merged."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from app.chat.summarizing.checking import lines_of, merged_lines
from app.chat.summarizing.drafting import Drafted, Line, extracted, fitted
from app.chat.summarizing.length import Length
from app.chat.summarizing.packing import Excerpt, packed
from app.chat.summarizing.requests import claims_of, of_claims, of_passages
from app.chat.summarizing.sources import Source
from app.chat.summarizing.units import units_of
from app.errors import BudgetReached, ModelFailed
from app.llm.port import Model, ModelRequest

Answer = TypeVar("Answer", bound=BaseModel)

AT_ONCE = 4  # calls
LEAST_OF_PART = 4  # claims about one part: the merging call has some to choose from
MOST_OF_PART = 40
MOST_TIMES = 2  # what was asked of a part: what a model says beyond it is thinned out
OVER = 1.5  # times the claims that are needed are made of the parts together
TOO_FEW = (
    "Much of what the model wrote does not stand in the documents, so the summary is taken from them word "
    "for word."
)


@dataclass(frozen=True, slots=True)
class Modelled:
    """What a model made of each document; None where it is to be done without."""

    drafted: list[Drafted] | None = None
    dropped: int = 0
    notices: tuple[str, ...] = ()


async def modelled(
    model: Model | None,
    asked: str,
    sources: Sequence[Source],
    lengths: Sequence[Length | None],
    focus: str,
) -> Modelled:
    """The summary as a model words it, as far as the documents hold it; a model that fails, or whose claims
    mostly do not hold, is done without.
    """
    there = [at for at, one in enumerate(lengths) if one is not None and sources[at].passages]
    if model is None or not there:
        return Modelled()
    wanted = {number: one for number, at in enumerate(there) if (one := lengths[at]) is not None}
    work = _Work(model, asked, [sources[at] for at in there], wanted, focus)
    lines = await work.done()
    if not lines or len(lines) < work.dropped:
        why = work.notices or ([TOO_FEW] if work.dropped else [])
        return Modelled(None, work.dropped, tuple(dict.fromkeys(why)))
    made = dict(zip(there, await asyncio.to_thread(work.drafted, lines), strict=True))
    drafted = [made.get(at, Drafted(())) for at in range(len(sources))]
    return Modelled(drafted, work.dropped, tuple(dict.fromkeys(work.notices)))


class _Work:
    """One summary on its way. `dropped` counts the sentences that no passage holds."""

    def __init__(
        self,
        model: Model,
        asked: str,
        sources: Sequence[Source],
        lengths: Mapping[int, Length],
        focus: str,
    ) -> None:
        self.model, self.asked, self.focus = model, asked, focus
        self.sources, self.lengths = sources, lengths
        self.known = {one.ref: one for source in sources for one in source.passages}
        self.source_of = {
            one.ref: number for number, source in enumerate(sources) for one in source.passages
        }
        self.dropped = 0
        self.notices: list[str] = []

    async def done(self) -> list[Line]:
        """All that was said and holds; none where no call came to anything."""
        parts = await asyncio.to_thread(packed, self.sources)
        if len(parts) <= 1:
            return await self._part(parts[0], self.lengths) or [] if parts else []
        lengths = self._of_parts(len(parts))
        slots = asyncio.Semaphore(AT_ONCE)

        async def one(part: list[Excerpt]) -> list[Line] | None:
            async with slots:
                return await self._part(part, lengths)

        made = await asyncio.gather(*map(one, parts))
        if all(lines is None for lines in made):
            return []
        every = [
            line
            for part, lines in zip(parts, made, strict=True)
            for line in (self._without(part, lengths) if lines is None else lines)
        ]
        return await self._merged(every)

    async def _part(
        self, part: Sequence[Excerpt], lengths: Mapping[int, Length]
    ) -> list[Line] | None:
        """What holds of a part; None where the model could not be asked."""
        there = {number: lengths[number] for number in sorted({one.source for one in part})}
        reply = await self._asked(of_passages(self.asked, part, self.sources, there))
        if reply is None:
            return None
        lines, dropped = await asyncio.to_thread(lines_of, reply, self.known)
        self.dropped += dropped
        return _evenly(lines, MOST_TIMES * sum(claims_of(one) for one in there.values()))

    async def _merged(self, every: Sequence[Line]) -> list[Line]:
        """The claims about all parts as one summary; all of them, to be chosen from, where that fails."""
        claims = {f"M{number}": line for number, line in enumerate(every, 1)}
        if len(claims) <= sum(claims_of(one) for one in self.lengths.values()):
            return list(every)
        reply = await self._asked(
            of_claims(self.asked, claims, self.source_of, self.sources, self.lengths)
        )
        if reply is None:
            return list(every)
        lines, dropped = await asyncio.to_thread(merged_lines, reply, claims, self.known)
        self.dropped += dropped
        return lines or list(every)

    async def _asked(self, request: ModelRequest[Answer]) -> Answer | None:
        try:
            return await self.model.ask(request)
        except (ModelFailed, BudgetReached) as error:
            self.notices.append(f"The model could not be asked: {error.title}.")
            return None

    def _of_parts(self, parts: int) -> dict[int, Length]:
        """How much is asked of each part: together more than is needed, so that there is a choice."""
        made: dict[int, Length] = {}
        for number, length in self.lengths.items():
            most = max(LEAST_OF_PART, round(claims_of(length) * OVER / parts))
            made[number] = Length(shape=length.shape, sentences=min(most, MOST_OF_PART))
        return made

    def _without(self, part: Sequence[Excerpt], lengths: Mapping[int, Length]) -> list[Line]:
        """The part's best sentences, word for word."""
        made: list[Line] = []
        for number in sorted({one.source for one in part}):
            units = units_of([one.evidence for one in part if one.source == number])
            title = self.sources[number].document.title
            made += extracted(units, lengths[number], title=title, focus=self.focus).lines
        return made

    def drafted(self, lines: Sequence[Line]) -> list[Drafted]:
        """The sentences of each document in the length that was asked for; of one that has none its own."""
        made: list[Drafted] = []
        for number, source in enumerate(self.sources):
            own = [one for one in lines if self.source_of[one.claim.cites[0].ref] == number]
            length, title = self.lengths[number], source.document.title
            made.append(
                fitted(own, self.known, source, length, self.focus)
                if own
                else extracted(units_of(source.passages), length, title=title, focus=self.focus)
            )
        return made


def _evenly(lines: list[Line], most: int) -> list[Line]:
    if len(lines) <= most:
        return lines
    return [lines[at * len(lines) // most] for at in range(most)]
