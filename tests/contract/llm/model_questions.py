"""A model of either vendor on its fake server, and the questions that tests ask it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel

from app.domain.metrics.usage import UsageHook
from app.llm.port import LOCAL, ModelRequest
from app.llm.providers.gemini import GeminiTransport
from app.llm.providers.guarded_model import GuardedModel
from app.llm.providers.guards import CallGuards
from app.llm.providers.openai_compatible import OpenAITransport
from app.llm.providers.transport import Transport
from tests.fakes.calls import Call
from tests.fakes.gemini import FakeGemini
from tests.fakes.hooks import Heard, unheard
from tests.fakes.openai_api import FakeOpenAI

JPEG = b"\xff\xd8\xff\xe0 a picture \xff\xd9"
KEY = "key-of-the-tests-1234567890"


class Verdict(BaseModel):
    """A reply."""

    verdict: Literal["yes", "no"]
    actions: tuple[str, ...] = ()
    note: str | None = None


def ask_for(**more: Any) -> ModelRequest[Verdict]:
    asked = {"purpose": "judging", "system": "You judge.", "prompt": "Is it so?", "timeout_s": 10.0}
    return ModelRequest(reply=Verdict, **{**asked, **more})


@dataclass
class Desk:
    """The fake, the model that asks it, and what the hook was told."""

    provider: str
    fake: FakeGemini | FakeOpenAI
    model: GuardedModel
    used: Heard = field(default_factory=Heard)
    key: str = KEY
    streamed: bool = False
    told: list[Mapping[str, Any]] = field(default_factory=list)

    async def ask(self, **more: Any) -> Verdict:
        return await self.model.ask(self.asking(**more))

    def asking(self, **more: Any) -> ModelRequest[Verdict]:
        """As `ask_for`; what comes of a streamed reply is `told`."""

        async def heard(said: Mapping[str, Any]) -> None:
            self.told.append(said)

        return ask_for(**({"on_partial": heard} if self.streamed else {}), **more)

    @property
    def billed(self) -> str:
        """Whom a usage record names: an endpoint on this machine is nobody's business."""
        return "gemini" if self.provider == "gemini" else LOCAL

    def room_of(self, call: Call) -> int:
        """The length it was allowed, in tokens."""
        limits = call.body.get("generationConfig", call.body)
        return limits.get("maxOutputTokens") or limits["max_tokens"]

    @asynccontextmanager
    async def elsewhere(self, url: str, hook: UsageHook = unheard) -> AsyncIterator[GuardedModel]:
        transport = transport_of(self.provider, url)
        yield model_on(transport, hook)
        await transport.close()


def transport_of(provider: str, url: str | None) -> Transport:
    return GeminiTransport(KEY, url) if provider == "gemini" else OpenAITransport(KEY, url)


def model_on(transport: Transport, used: UsageHook) -> GuardedModel:
    """Pauses between tries are short: what is waited for here is what a server asks for."""
    strong, fast = (
        ("gemini-3.8-flash", "gemini-3.5-flash-lite")
        if transport.provider == "gemini"
        else ("gpt-5.6", "gpt-5.6-mini")
    )
    names = {"strong": strong, "fast": fast}
    return GuardedModel(transport, names, used, CallGuards(first_pause_s=0.001))


@asynccontextmanager
async def desk_of(provider: str, *, streamed: bool = False) -> AsyncIterator[Desk]:
    fake = FakeGemini() if provider == "gemini" else FakeOpenAI()
    with fake.served():
        url = fake.url if provider == "gemini" else fake.base_url
        transport = transport_of(provider, url)
        used = Heard()
        yield Desk(provider, fake, model_on(transport, used), used, streamed=streamed)
        await transport.close()
