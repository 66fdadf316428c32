"""The real SDKs, pointed at the fakes."""

from collections.abc import AsyncIterator

import httpx2
import openai
import pytest
from google import genai
from google.genai import types
from tavily import AsyncTavilyClient

from tests.fakes.gemini import FakeGemini
from tests.fakes.openai_api import FakeOpenAI
from tests.fakes.tavily import FakeTavily


@pytest.fixture
async def google(gemini: FakeGemini) -> AsyncIterator[genai.Client]:
    """Over httpx, as the app has it: by itself the SDK takes aiohttp where that is installed."""
    async with httpx2.AsyncClient() as http:
        options = types.HttpOptions(base_url=gemini.url, timeout=60_000, httpx_async_client=http)
        client = genai.Client(api_key="key", http_options=options)
        yield client
        client.close()


@pytest.fixture
async def chat(openai_api: FakeOpenAI) -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(
        api_key="key", base_url=openai_api.base_url, max_retries=0, timeout=60
    ) as client:
        yield client


@pytest.fixture
async def searcher(tavily: FakeTavily) -> AsyncIterator[AsyncTavilyClient]:
    async with AsyncTavilyClient("key", api_base_url=tavily.url) as client:
        yield client
