"""One server for the whole run, a database that is empty for each test, and no vendor's server within reach.

The server is that of TABWRIGHT_MONGODB_URI when set, else the one this machine provides. When none
can be started the tests fail: they are never skipped.
"""

import secrets
import ssl
from collections.abc import AsyncIterator, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import HealthCheck, settings
from pydantic import SecretStr
from pymongo import MongoClient
from pymongo.database import Database

from app.agent import context
from app.net import fetcher
from app.settings import Settings
from app.store import index_build
from app.store.mongo.indexes import Index
from app.store.mongo.rows import Database as MotorDatabase
from app.store.open import Opened, open_all, open_store
from app.store.repositories import Store
from app.store.server.embedded_server import hold_server
from knowledge import composition
from knowledge.retrieve import retriever
from knowledge.retrieve.index_loader import CacheLimits
from tests.fakes.gemini import FakeGemini
from tests.fakes.openai_api import FakeOpenAI
from tests.fakes.shared_readers import SharedReaderPool
from tests.fakes.tavily import FakeTavily
from tests.guard import loopback

# A machine that is busy with other tests is slow now and then, which says nothing of the code. The same
# code gets the same examples; `pytest --hypothesis-profile search` looks for new ones.
busy = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", busy)
settings.register_profile("repeat", busy, derandomize=True)
settings.load_profile("repeat")

configure_loggers = structlog.configure


def configure_uncached(**given: Any) -> None:
    """A logger that is kept from its first use on writes for all later tests to where that one wrote."""
    configure_loggers(**(given | {"cache_logger_on_first_use": False}))


structlog.configure = configure_uncached
# The default draws every local of every frame of a failed run: ten seconds each.
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        ),
    ]
)

# Reading the authorities takes 20 to 60 ms, and each client of a loopback would do it anew.
ssl.create_default_context = cache(ssl.create_default_context)  # type: ignore[assignment]
fetcher._trusted_authorities = cache(fetcher._trusted_authorities)

composition.WorkerPool = SharedReaderPool  # type: ignore[misc]

find_missing = index_build.find_missing
# A search waits for its index, and a task for documents, however busy the machine is.
retriever.LIMITS = CacheLimits(patience_s=60.0)
context.SEARCH_TIMEOUT_S = context.READ_TIMEOUT_S = 60.0

# Databases that are kept over tests, and whether their indexes are there.
indexed: dict[str, bool] = {}


async def find_missing_once(database: MotorDatabase) -> list[Index]:
    """A thousand tests open the database that is kept: asking for its indexes would be most of that."""
    if indexed.get(database.name):
        return []
    missing = await find_missing(database)
    if not missing and database.name in indexed:
        indexed[database.name] = True
    return missing


index_build.find_missing = find_missing_once

loopback.forget_keys()
loopback.prepare_children()
loopback.forbid()


@pytest.fixture(autouse=True)
def nothing_beyond_loopback() -> Iterator[None]:
    """Fails a test that tried, also where the error was caught."""
    before = len(loopback.attempts)
    yield
    tried = loopback.attempts[before:]
    assert not tried, f"this test tried to reach {', '.join(sorted(set(tried)))}"


@pytest.fixture
def gemini() -> Iterator[FakeGemini]:
    """A Gemini server to script; fails the test that asks it for more than its script holds."""
    with FakeGemini().served() as fake:
        yield fake


@pytest.fixture
def openai_api() -> Iterator[FakeOpenAI]:
    """An OpenAI server to script."""
    with FakeOpenAI().served() as fake:
        yield fake


@pytest.fixture
def tavily() -> Iterator[FakeTavily]:
    """A Tavily server to script."""
    with FakeTavily().served() as fake:
        yield fake


@pytest.fixture(scope="session")
def store_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that answers, for as long as the tests run."""
    settings = Settings(_env_file=None, data_dir=tmp_path_factory.mktemp("store"))
    with hold_server(settings) as uri:
        yield uri


@pytest.fixture(scope="session")
def database(store_uri: str) -> Iterator[Database[dict[str, Any]]]:
    """Kept over tests, emptied by each: its indexes take longer to make than most tests to run."""
    with MongoClient[dict[str, Any]](store_uri) as client:
        name = f"test_{secrets.token_hex(6)}"
        indexed[name] = False
        yield client[name]
        del indexed[name]
        client.drop_database(name)


def with_rows(database: Database[dict[str, Any]], names: list[str]) -> list[str]:
    """Those of the collections that hold any row, by one question instead of one for each."""
    asked = [[{"$limit": 1}, {"$project": {"_id": 0, "of": {"$literal": name}}}] for name in names]
    if not asked:
        return []
    others = [
        {"$unionWith": {"coll": name, "pipeline": part}}
        for name, part in zip(names[1:], asked[1:], strict=True)
    ]
    return [row["of"] for row in database[names[0]].aggregate([*asked[0], *others])]


@pytest.fixture
def settings(
    store_uri: str, database: Database[dict[str, Any]], tmp_path: Path
) -> Iterator[Settings]:
    """Settings that name the shared server and a database that holds no row."""
    yield Settings(
        _env_file=None,
        mongodb_uri=SecretStr(store_uri),
        mongodb_database=database.name,
        data_dir=tmp_path,
        api_key=None,
        llm="rules",
    )
    for name in with_rows(database, database.list_collection_names()):
        database[name].delete_many({})


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
