"""A random mix of paid calls through the real SDKs: two model vendors and a search, with every outcome."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from pydantic import BaseModel, SecretStr

from app.domain.metrics.usage import UsageHook
from app.errors import TabwrightError
from app.llm.port import ModelRequest, Tier
from app.llm.providers.gemini import GeminiTransport
from app.llm.providers.guarded_model import GuardedModel
from app.llm.providers.guards import CallGuards, CircuitBreaker
from app.llm.providers.openai_compatible import OpenAITransport
from app.search.choice import open_search
from app.search.query import Search
from app.settings import Settings
from tests.fakes.calls import Call
from tests.fakes.gemini import FakeGemini
from tests.fakes.openai_api import FakeOpenAI
from tests.fakes.scripted import Scripted
from tests.fakes.steps import blocked, cut, half, never, rate_limit, status, thinking
from tests.fakes.tavily import FakeTavily, found

PURPOSES = ("opening", "acting", "judging", "criticising", "correcting", "answering", "weighing")
GEMINI: dict[Tier, str] = {"strong": "gemini-3.8-flash", "fast": "gemini-3.5-flash-lite"}
OPENAI: dict[Tier, str] = {"strong": "gpt-5.4", "fast": "gpt-5.4-mini"}
UNPRICED: dict[Tier, str] = {"strong": "gemini-9-unheard-of", "fast": "gemini-9-unheard-of"}
SHORT_S, LONG_S = 0.5, 30.0
CACHED = "You judge with care. " * 1_200  # long enough for either vendor's cache

GOOD = {"verdict": "yes", "note": "It is so, as the page shows."}
# The percentage of calls with each outcome, and the row's word for it.
ENDS = {"ok": 70, "thought": 8, "unusable": 7, "busy": 4, "limited": 3, "refused": 3, "cut": 3}
OUTCOMES = {"thought": "ok", "limited": "busy", "cut": "failed"}
PAGE = ("Hours", "https://www.acme.com/hours", "Open until 17:30.")


class Verdict(BaseModel):
    """A reply schema."""

    verdict: Literal["yes", "no"]
    note: str = ""


@dataclass
class Fakes:
    """The vendors, answering at random; `ends` counts how each call was made to end, in the row's terms."""

    gemini: FakeGemini = field(default_factory=FakeGemini)
    openai: FakeOpenAI = field(default_factory=FakeOpenAI)
    tavily: FakeTavily = field(default_factory=FakeTavily)
    ends: Counter[str] = field(default_factory=Counter)
    seed: int = 7
    well: bool = False  # from now on every call succeeds

    @property
    def every(self) -> tuple[Scripted, ...]:
        return (self.gemini, self.openai, self.tavily)

    @property
    def calls(self) -> list[Call]:
        """Every request received."""
        return [call for fake in self.every for call in fake.calls]

    @contextmanager
    def served(self) -> Iterator["Fakes"]:
        """Serve each fake on its own address."""
        for place, fake in enumerate(self.every):
            lot = random.Random(self.seed + place)
            fake.always(partial(self._model if fake is not self.tavily else self._search, lot))
        with self.gemini.served(), self.openai.served(), self.tavily.served():
            yield self

    def _end(self, lot: random.Random) -> str:
        ends = {"ok": 1} if self.well else ENDS
        end: str = lot.choices(list(ends), list(ends.values()))[0]
        self.ends[OUTCOMES.get(end, end)] += 1
        return end

    def _model(self, lot: random.Random, call: Call) -> Any:
        if "never" in call.prompt:
            self.ends["timeout"] += 1
            return never()
        match self._end(lot):
            case "thought":
                return thinking(lot.randint(20, 400), GOOD)
            case "unusable":
                return lot.choice([half(GOOD), "It is so.", {"verdict": "perhaps"}])
            case "busy":
                return status(lot.choice([500, 503, 529]))
            case "limited":
                return rate_limit(0)
            case "refused":
                return blocked()
            case "cut":
                return cut(GOOD)
        return GOOD

    def _search(self, lot: random.Random, call: Call) -> Any:
        match self._end(lot):
            case "unusable":
                return {"results": "none"}
            case "busy":
                return status(500)
            case "limited":
                return rate_limit(9)
            case "cut":
                return cut(found(PAGE))
            case "refused":
                self.ends["refused"] -= 1
                self.ends["rejected"] += 1
                return status(432)
        return found(PAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The real adapters, pointed at the fakes."""

    models: tuple[GuardedModel, ...]
    search: Search

    async def ask(self, lot: random.Random) -> None:
        """Ask one question or search; it may take several calls and may fail."""
        with suppress(TabwrightError):
            if lot.random() < 0.2:
                await self.search.find(f"opening hours {lot.random()}")
                return
            slow = lot.random() < 0.01
            model = lot.choices(self.models, (60, 36, 4))[0]
            await model.ask(question(lot, never=slow))


def question(lot: random.Random, *, never: bool = False) -> ModelRequest[Verdict]:
    """A random question."""
    return ModelRequest(
        purpose=lot.choice(PURPOSES),
        system=CACHED if lot.random() < 0.1 else "You judge.",
        prompt=f"{'never ' if never else ''}Is it so? {lot.random()}",
        reply=Verdict,
        tier=lot.choice(["fast", "strong"]),
        timeout_s=SHORT_S if never else LONG_S,
    )


@asynccontextmanager
async def desk_of(fakes: Fakes, hook: UsageHook) -> AsyncIterator[Desk]:
    """The adapters as in production, without retry delays or circuit breakers."""
    guards = partial(
        CallGuards, first_pause_s=0.001, breaker=partial(CircuitBreaker, opens_after=1_000_000)
    )
    gemini = await asyncio.to_thread(GeminiTransport, "key", fakes.gemini.url)
    openai = OpenAITransport("key", fakes.openai.base_url)
    settings = Settings(
        _env_file=None, tavily_api_key=SecretStr("key"), tavily_base_url=fakes.tavily.url
    )
    asked = ((gemini, GEMINI), (openai, OPENAI), (gemini, UNPRICED))
    models = tuple(GuardedModel(at, names, hook, guards()) for at, names in asked)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(gemini.close)
        stack.push_async_callback(openai.close)
        search = await stack.enter_async_context(open_search(settings, hook))
        yield Desk(models=models, search=search)
