"""Each test of the model port runs with each adapter, and with answers whole and piece by piece."""

from collections.abc import AsyncIterator

import pytest

from tests.contract.llm.model_questions import Desk, desk_of


@pytest.fixture(params=["gemini", "openai", "gemini streamed", "openai streamed"])
async def desk(request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    provider, _, streamed = request.param.partition(" ")
    async with desk_of(provider, streamed=bool(streamed)) as opened:
        yield opened
