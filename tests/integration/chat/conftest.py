"""The desk of a module's conversations, at a server that the modules share."""

from collections.abc import Iterator

import pytest

from tests.integration.chat.chat_desk import ChatDesk, chat_desk
from tests.integration.desk import Served


@pytest.fixture(scope="module")
def chat(served: Served) -> Iterator[ChatDesk]:
    with chat_desk(served) as desk:
        yield desk


@pytest.fixture
def no_model(chat: ChatDesk) -> Iterator[None]:
    """No model answers; the fake checks afterwards that none was called without a script."""
    chat.model()
    yield
    chat.gemini.check()
