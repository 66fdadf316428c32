"""Resuming an interrupted crawl of the same job."""

import asyncio

import pytest

from app.errors import StoreUnavailable, Unreadable
from tests.unit.knowledge.crawl.crawl_site import Frontiers, Kept, Pages, crawled, html
from tests.unit.net.sites import ok, to

NAMES = [f"p{number}" for number in range(20)]


def a_site():
    links = "".join(f'<a href="/{name}">one</a>' for name in (*NAMES, "moved"))
    pages = Pages({"/": links, "/moved": to("/last"), "/last": "The last page."})
    pages.answers |= {f"/{name}": html(f"Page {name}.") for name in NAMES}
    places = "".join(f"<url><loc>/{name}</loc></url>" for name in (*NAMES, "last", ""))
    pages.answers["/sitemap.xml"] = ok(f"<urlset>{places}</urlset>".encode(), "text/xml")
    return pages


ALL = sorted(["/", "/last", *(f"/{name}" for name in NAMES)])


class Breaking(Kept):
    """A sink that does not take the seventh page."""

    def __init__(self, error):
        super().__init__()
        self.errors = [error]

    async def store_page(self, page):
        if len(self.pages) >= 6 and self.errors:
            raise self.errors.pop()
        await super().store_page(page)


@pytest.mark.parametrize("strategy", ["spider", "sitemap"])
async def test_a_cancelled_crawl_is_resumed_and_no_page_is_stored_twice(strategy):
    pages, frontiers = a_site(), Frontiers()
    first, second, again = Kept(), Kept(), Kept()
    kept, enough = first.store_page, asyncio.Event()

    async def six_pages(page):
        if len(first.pages) >= 6:  # the sink is busy with a page when the crawl is cancelled
            enough.set()
            await asyncio.sleep(60)
        await kept(page)

    first.store_page = six_pages
    async with pages.served():
        crawling = asyncio.create_task(
            crawled(pages.url, first, frontiers=frontiers, strategy=strategy)
        )
        await enough.wait()
        crawling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await crawling
        ended = await crawled(pages.url, second, frontiers=frontiers, strategy=strategy)
        await crawled(pages.url, again, frontiers=frontiers, strategy=strategy)
    assert len(first.pages) == 6
    stored = sorted({*first.paths, *second.paths})
    assert stored == ALL
    assert pages.asked("/sitemap.xml") == (strategy == "sitemap")
    assert again.pages == []
    assert ended.done == len(ALL)


@pytest.mark.parametrize("error", [StoreUnavailable(), RuntimeError("a bug")])
async def test_what_breaks_the_sink_ends_the_crawl_and_loses_no_page(error):
    pages, frontiers = a_site(), Frontiers()
    first, second = Breaking(error), Kept()
    async with pages.served():
        with pytest.raises(type(error)):
            await crawled(pages.url, first, frontiers=frontiers, strategy="spider")
        await crawled(pages.url, second, frontiers=frontiers, strategy="spider")
    assert first.failures == []
    assert (
        sorted({*first.paths, *second.paths}) == ALL
    )  # one that was taken and not settled comes again
    assert len(second.paths) <= len(ALL) - 3


async def test_a_document_that_cannot_be_read_fails_alone():
    pages = a_site()
    sink = Breaking(Unreadable("It is encrypted", "DOCUMENT_ENCRYPTED"))
    async with pages.served():
        await crawled(pages.url, sink, strategy="spider")
    assert list(sink.codes.values()) == ["DOCUMENT_ENCRYPTED"]
    assert len(sink.pages) == len(ALL) - 1


async def test_a_crawl_whose_task_is_cancelled_ends_at_once():
    async def never(writer):
        asked.set()
        await asyncio.sleep(60)

    asked = asyncio.Event()
    pages, frontiers = Pages({"/": never}), Frontiers()
    async with pages.served():
        crawling = asyncio.create_task(crawled(pages.url, Kept(), frontiers=frontiers))
        await asked.wait()
        crawling.cancel()
        begun = asyncio.get_running_loop().time()
        with pytest.raises(asyncio.CancelledError):
            await crawling
        assert asyncio.get_running_loop().time() - begun < 30  # what hangs takes 60
        pages.answers["/"] = html("At last.")
        sink = Kept()
        await crawled(pages.url, sink, frontiers=frontiers)
    assert sink.paths == ["/"]


async def test_no_more_pages_are_held_than_are_worked_on():
    pages, sink = a_site(), Kept()
    held = most = 0
    takes = sink.store_page

    async def slow(page):
        nonlocal held, most
        held += 1
        most = max(most, held)
        await asyncio.sleep(0.01)
        held -= 1
        await takes(page)

    sink.store_page = slow
    async with pages.served():
        await crawled(pages.url, sink, strategy="spider")
    assert 1 < most <= 4
    assert sorted(sink.paths) == ALL
