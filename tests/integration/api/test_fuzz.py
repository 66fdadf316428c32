"""A sample of `bench.fuzz`: no request may cause a server error."""

from collections.abc import Iterator

import httpx
import pytest
from pydantic import SecretStr

from bench.fuzz.bodies import mutate_bodies
from bench.fuzz.operations import fuzz, operations
from bench.fuzz.samples import real_bodies
from bench.fuzz.sender import send_all
from tests.integration.desk import KEY, threaded

HEADERS = {"Authorization": f"Bearer {KEY}"}
BODIES, EXAMPLES, SEED = 200, 2, 20261122


@pytest.fixture
def url(server_settings, monkeypatch) -> Iterator[str]:
    monkeypatch.setattr("app.net.guard._look_up", no_such_name)
    unbound = {
        f"rate_limit_{kind}": "100000/minute"
        for kind in ("reads", "writes", "admin", "exports", "ingests", "chats")
    }
    settings = server_settings.model_copy(update={"api_key": SecretStr(KEY), **unbound})
    with threaded(settings) as address:
        yield address


def no_such_name(host: str, port: int) -> list[str]:
    """What is to be read is made up, and is looked for nowhere."""
    raise OSError(f"{host} has no address")


async def test_random_bodies_are_not_server_errors(url):
    real = await real_bodies(url, KEY)
    tally = await send_all(url, KEY, mutate_bodies(real, BODIES, SEED))
    assert tally.wrong == []
    assert tally.sent == BODIES
    assert len(tally.statuses) >= 3, "they all came to the same: nothing was tried"


def test_generated_requests_are_not_server_errors(url):
    found = operations(url, HEADERS)
    for one in found:
        statuses = fuzz(one, HEADERS, EXAMPLES, SEED)
        assert statuses.total() > 0, one.label
        tried = one.path == "/api/pairing/claim"  # wrong codes are limited in any case
        assert tried or statuses[429] == 0, f"{one.label} only met a rate limit"
    assert httpx.get(f"{url}/readyz").status_code == 200
