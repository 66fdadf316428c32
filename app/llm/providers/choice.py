"""Chooses and opens the configured model."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from pydantic import SecretStr

from app.domain.metrics.usage import UsageGate, UsageHook, allow_all_calls
from app.errors import ModelMisconfigured, ModelUnavailable
from app.llm.port import Model, Tier
from app.llm.providers.canary import CanaryModel
from app.llm.providers.guarded_model import GuardedModel
from app.llm.providers.transport import CallFailed, Transport
from app.net.urls import is_http_url, without_credentials
from app.settings import Settings

NO_MODEL = "rules (no model is configured)"
REACH_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderChoice:
    """A provider and its connection settings; without a base URL, the vendor's own endpoint."""

    provider: Literal["gemini", "openai"]
    strong: str
    fast: str
    key: str | None = None
    base_url: str | None = None

    @property
    def names(self) -> dict[Tier, str]:
        return {"strong": self.strong, "fast": self.fast}


def choose_provider(settings: Settings) -> ProviderChoice | None:
    """Choose the provider from the settings; None means rules only.

    `auto` uses Gemini if it has a key, else a configured OpenAI-compatible endpoint. An OpenAI key
    alone does not select one, since many machines have one for other programs. Raises
    `ModelMisconfigured` if the named provider lacks a setting.
    """
    if settings.llm == "rules":
        return None
    if settings.llm == "gemini" or (settings.llm == "auto" and _secret(settings.gemini_api_key)):
        return _gemini(settings)
    named = settings.openai_base_url or (_secret(settings.openai_api_key) and settings.openai_model)
    if settings.llm == "openai" or named:
        return _openai(settings)
    return None


def accepts_recordings(settings: Settings) -> bool:
    choice = choose_provider(settings)
    return choice is not None and choice.provider == "gemini"


def describe_provider(settings: Settings) -> str:
    """Describe the provider in one line, without keys and passwords. Raises `ModelMisconfigured`."""
    choice = choose_provider(settings)
    if choice is None:
        return "rules alone, no model" if settings.llm == "rules" else NO_MODEL
    address = without_credentials(choice.base_url) if choice.base_url else "its default address"
    return f"{choice.provider}: {choice.strong}, fast {choice.fast}, at {address}"


@asynccontextmanager
async def open_model(
    settings: Settings,
    hook: UsageHook,
    gate: UsageGate = allow_all_calls,
    leaked: Callable[[], None] = lambda: None,
) -> AsyncIterator[Model | None]:
    """Open the configured model; None means rules only. `gate` is checked before each call; `leaked` is
    called for each reply that repeats its instructions. Raises `ModelMisconfigured`.
    """
    choice = choose_provider(settings)
    if choice is None:
        yield None
        return
    transport = await asyncio.to_thread(_transport, choice, warm=True)
    try:
        timeout_s = settings.model_timeout_s
        guarded = GuardedModel(transport, choice.names, hook, timeout_s=timeout_s, gate=gate)
        yield CanaryModel(guarded, leaked=leaked)
    finally:
        await transport.close()


async def check_models(settings: Settings, timeout_s: float = REACH_S) -> None:
    """Check that each configured model exists. Raises `ModelFailed`; costs no tokens."""
    choice = choose_provider(settings)
    if choice is None:
        return
    transport = _transport(choice)
    try:
        async with asyncio.timeout(timeout_s):
            for model in dict.fromkeys((choice.strong, choice.fast)):
                await transport.check_model(model, timeout_s)
    except TimeoutError as error:
        raise ModelUnavailable(f"no answer within {timeout_s:.0f} s") from error
    except CallFailed as failure:
        raise failure.error from failure.__cause__
    finally:
        await transport.close()


def _transport(choice: ProviderChoice, *, warm: bool = False) -> Transport:
    # Each SDK takes 0.7 s to import, so import only the one in use.
    if choice.provider == "gemini":
        from app.llm.providers.gemini import GeminiTransport, warm_up  # noqa: PLC0415

        if warm:
            warm_up()
        return GeminiTransport(choice.key or "", choice.base_url)
    from app.llm.providers.openai_compatible import OpenAITransport  # noqa: PLC0415

    return OpenAITransport(choice.key, choice.base_url)


def _gemini(settings: Settings) -> ProviderChoice:
    key = gemini_key(settings)
    if not key:
        raise ModelMisconfigured("TABWRIGHT_LLM is gemini, but GEMINI_API_KEY is not set")
    strong = settings.gemini_model.strip()
    if not strong:
        raise ModelMisconfigured("TABWRIGHT_GEMINI_MODEL is empty")
    return ProviderChoice(
        provider="gemini",
        strong=strong,
        fast=settings.gemini_fast_model.strip() or strong,
        key=key,
        base_url=gemini_address(settings),
    )


def gemini_key(settings: Settings) -> str:
    """The Gemini key, "" if unset. Raises `ModelMisconfigured`."""
    return _key("GEMINI_API_KEY", settings.gemini_api_key)


def gemini_address(settings: Settings) -> str | None:
    """The configured Gemini endpoint, None for the default. Raises `ModelMisconfigured`."""
    return _address("TABWRIGHT_GEMINI_BASE_URL", settings.gemini_base_url)


def _openai(settings: Settings) -> ProviderChoice:
    key = _key("OPENAI_API_KEY", settings.openai_api_key)
    base_url = _address("TABWRIGHT_OPENAI_BASE_URL", settings.openai_base_url)
    if not key and not base_url:
        raise ModelMisconfigured(
            "TABWRIGHT_LLM is openai, but neither TABWRIGHT_OPENAI_BASE_URL nor OPENAI_API_KEY is set"
        )
    strong = settings.openai_model.strip()
    if not strong:
        raise ModelMisconfigured("TABWRIGHT_OPENAI_MODEL is not set: name the model to ask")
    return ProviderChoice(
        provider="openai",
        strong=strong,
        fast=settings.openai_fast_model.strip() or strong,
        key=key or None,
        base_url=base_url,
    )


def _secret(value: SecretStr | None) -> str:
    return value.get_secret_value().strip() if value else ""


def _key(name: str, value: SecretStr | None) -> str:
    key = _secret(value)
    if not all("!" <= sign <= "~" for sign in key):
        raise ModelMisconfigured(f"{name} contains characters that no key has")
    return key


def _address(name: str, value: str | None) -> str | None:
    address = (value or "").strip()
    if not address:
        return None
    if not is_http_url(address):
        raise ModelMisconfigured(f"{name} is not an address like http://localhost:11434/v1")
    return address
