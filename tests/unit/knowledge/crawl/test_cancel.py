"""crawlee as a guest: it leaves a server's signals, files, log and globals alone."""

import asyncio
import logging
import signal
import subprocess
import sys

import pytest
from crawlee import Request, service_locator
from crawlee.http_clients import ImpitHttpClient

from app.errors import AddressRefused
from app.net.fetcher import Limits
from knowledge.crawl.client import GuardedClient
from tests.unit.knowledge.crawl.crawl_site import Frontiers, Kept, Pages, crawled, fetcher


async def test_nothing_of_the_server_is_touched(tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ImpitHttpClient, "__init__", lambda *_, **__: pytest.fail("not guarded"))
    taken = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, lambda: None)
    ours = signal.getsignal(signal.SIGINT)
    root = logging.getLogger()
    handlers = list(root.handlers)
    pages = Pages({"/": '<a href="/gone">one</a>'})
    with caplog.at_level(logging.DEBUG):
        async with pages.served():
            await crawled(pages.url, Kept(), strategy="spider")
    assert signal.getsignal(signal.SIGINT) is ours
    asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
    assert signal.getsignal(signal.SIGTERM) is taken[1]
    assert list(tmp_path.iterdir()) == []
    assert root.handlers == handlers
    assert [record for record in caplog.records if record.name.startswith("crawlee")] == []
    assert service_locator._storage_client is None
    assert service_locator._event_manager is None


async def test_two_crawls_at_once_know_nothing_of_each_other():
    sites = [Pages({"/": '<a href="/a">one</a>', "/a": f"Site {number}."}) for number in range(3)]
    sinks = [Kept() for _ in sites]

    async def one(pages, sink):
        async with pages.served():
            await crawled(pages.url, sink, frontiers=Frontiers(), strategy="spider")

    await asyncio.gather(*(one(*pair) for pair in zip(sites, sinks, strict=True)))
    for number, sink in enumerate(sinks):
        assert sink.paths == ["/", "/a"]
        assert f"Site {number}.".encode() in sink.pages[1].body


async def test_whichever_way_crawlee_asks_it_is_guarded():
    pages = Pages({"/": "Text."})
    async with pages.served():
        client = GuardedClient(fetcher(f"127.0.0.1:{pages.port}"), Limits())
        result = await client.crawl(Request.from_url(pages.url))
        assert b"Text." in await result.http_response.read()
        async with client.stream(pages.url) as answer:
            assert b"Text." in b"".join([piece async for piece in answer.read_stream()])
        for refused in ("http://127.0.0.1:1/", "http://10.0.0.1/"):
            with pytest.raises(AddressRefused):
                await client.crawl(Request.from_url(refused))
            with pytest.raises(AddressRefused):
                async with client.stream(refused):
                    pass


def test_crawlee_is_not_loaded_with_the_server():
    code = "import sys, knowledge.composition; print('crawlee' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
