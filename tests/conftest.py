"""One server for the whole run, one database for each test.

The server is that of TABWRIGHT_MONGODB_URI when set, else the one this machine provides. When none
can be started the tests fail: they are never skipped.
"""

import secrets
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr
from pymongo import MongoClient

from app.settings import Settings
from app.store.embedded import held
from app.store.open import Opened, open_all, open_store
from app.store.port import Store


@pytest.fixture(scope="session")
def store_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that answers, for as long as the tests run."""
    settings = Settings(_env_file=None, data_dir=tmp_path_factory.mktemp("store"))
    with held(settings) as uri:
        yield uri


@pytest.fixture
def settings(store_uri: str, tmp_path: Path) -> Iterator[Settings]:
    """Settings that name the shared server and a database of this test's own."""
    name = f"test_{secrets.token_hex(6)}"
    yield Settings(
        _env_file=None,
        mongodb_uri=SecretStr(store_uri),
        mongodb_database=name,
        data_dir=tmp_path,
        api_key=None,
        llm="rules",
    )
    client: MongoClient[dict[str, object]] = MongoClient(store_uri)
    client.drop_database(name)
    client.close()


@pytest.fixture
async def store(settings: Settings) -> AsyncIterator[Store]:
    """The repositories on an empty database."""
    async with open_store(settings) as opened:
        yield opened


@pytest.fixture
async def opened(settings: Settings) -> AsyncIterator[Opened]:
    """Repositories and checkpointer on an empty database."""
    async with open_all(settings) as everything:
        yield everything
