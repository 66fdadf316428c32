"""Concurrent crawls in one process are independent."""

import asyncio

from tests.unit.knowledge.crawl.crawl_site import Frontiers, Kept, Pages, crawled


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


async def test_idle_workers_go_on_when_a_slow_page_brings_new_links():
    names = [f"p{number}" for number in range(8)]
    links = "".join(f'<a href="/{name}">one</a>' for name in names)
    pages = Pages({"/": links, **{f"/{name}": f"Page {name}." for name in names}})
    sink, together, most = Kept(), 0, 0
    kept = sink.store_page

    async def slow(page):
        nonlocal together, most
        together += 1
        most = max(most, together)
        await asyncio.sleep(0.02)
        together -= 1
        await kept(page)

    sink.store_page = slow
    async with pages.served():
        await crawled(pages.url, sink, strategy="spider")
    assert most == 4
    assert len(sink.pages) == 9
