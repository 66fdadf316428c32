"""No test reaches a vendor's server, nor does a process that a test starts."""

import socket
import subprocess
import sys
from collections.abc import Iterator

import httpx
import httpx2
import openai
import pytest
from google import genai
from google.genai import types
from tavily import AsyncTavilyClient

from app.settings import Settings
from tests.guard import loopback
from tests.guard.loopback import BeyondLoopback


@pytest.fixture
def refused() -> Iterator[list[str]]:
    """What this test tried on purpose."""
    before = len(loopback.attempts)
    tried: list[str] = []
    yield tried
    tried += loopback.attempts[before:]
    del loopback.attempts[before:]


async def test_google_is_out_of_reach(refused):
    async with httpx2.AsyncClient() as http:
        client = genai.Client(
            api_key="key", http_options=types.HttpOptions(httpx_async_client=http)
        )
        with pytest.raises(BeyondLoopback, match=r"generativelanguage\.googleapis\.com"):
            await client.aio.models.generate_content(model="gemini-3-flash", contents="hello")
        client.close()


async def test_openai_is_out_of_reach(refused):
    async with openai.AsyncOpenAI(api_key="key", max_retries=0) as client:
        with pytest.raises(BeyondLoopback, match=r"api\.openai\.com"):
            await client.models.list()


async def test_tavily_is_out_of_reach(refused):
    async with AsyncTavilyClient("key") as client:
        with pytest.raises(BeyondLoopback, match=r"api\.tavily\.com"):
            await client.search("hours")


@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8::1"])
def test_nor_is_an_address_without_a_name(refused, address):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as made, pytest.raises(BeyondLoopback):
        made.connect((address, 443))


def test_what_was_tried_is_kept_also_where_the_error_is_caught(refused):
    before = len(loopback.attempts)
    with pytest.raises(BeyondLoopback):
        httpx.get("http://192.0.2.1/", trust_env=False)
    assert loopback.attempts[before:] == ["192.0.2.1"]
    del loopback.attempts[before:]


CHILD = """
import asyncio, socket, sys
from app.settings import Settings
settings = Settings()
assert settings.llm == "rules", settings.llm
assert not (settings.gemini_api_key or settings.tavily_api_key), "a key"
try:
    if sys.argv[1] == "uvloop":
        import uvloop
        uvloop.run(asyncio.wait_for(asyncio.open_connection("192.0.2.1", 443), 3))
    else:
        socket.create_connection(("generativelanguage.googleapis.com", 443), 3)
except Exception as error:
    print(type(error).__name__)
"""


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_a_process_that_a_test_starts_is_guarded_too(tmp_path, loop):
    (tmp_path / ".env").write_text(
        "GEMINI_API_KEY=real\nTAVILY_API_KEY=real\nTABWRIGHT_LLM=gemini\n"
    )
    command = [sys.executable, "-c", CHILD, loop]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    assert done.stdout.strip() == "BeyondLoopback"


def test_no_key_is_left_in_the_environment():
    settings = Settings(_env_file=None)
    assert (settings.llm, settings.gemini_api_key, settings.openai_api_key) == ("auto", None, None)
    assert (settings.tavily_api_key, settings.openai_base_url) == (None, None)
