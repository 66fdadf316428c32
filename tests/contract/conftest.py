"""Each test of the model port runs with each adapter."""

from collections.abc import AsyncIterator

import pytest

from tests.contract.asking import Desk, desk_of


@pytest.fixture(params=["gemini", "openai"])
async def desk(request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    async with desk_of(request.param) as opened:
        yield opened
