"""Crawling by links: which are followed, how deep, and how fast."""

import asyncio

import pytest

from knowledge.crawl.port import KnownPage, Politeness
from tests.unit.knowledge.crawl.crawl_site import (
    HASTY,
    Kept,
    Pages,
    crawled,
    fetcher,
    html,
    status,
    text,
)
from tests.unit.net.sites import ok, to


def links(*hrefs):
    return "".join(f'<a href="{href}">one</a>' for href in hrefs)


async def spidered(pages, sink, **asked):
    asked = {"max_pages": 50, "max_depth": 5} | asked
    async with pages.served():
        return await crawled(pages.url, sink, strategy="spider", **asked)


async def test_links_are_followed_as_far_as_asked():
    pages = Pages({"/": links("a"), "/a": links("b"), "/b": links("c"), "/c": "Too far."})
    sink = Kept()
    await spidered(pages, sink, max_depth=2)
    assert sink.paths == ["/", "/a", "/b"]


async def test_no_more_pages_are_read_than_asked_and_the_rest_is_counted():
    pages = Pages({"/": links(*(f"p{number}" for number in range(30)))})
    pages.answers |= {f"/p{number}": html("Text.") for number in range(30)}
    sink = Kept()
    summary = await spidered(pages, sink, max_pages=5)
    assert len(sink.pages) == 5
    assert len(pages.requests) == 6  # robots.txt among them
    assert summary.notes == ("26 URLs skipped: page limit reached.",)


async def test_a_page_is_read_once_however_it_is_linked():
    same = ("a", "a#part", "./x/../a", "a?utm_source=x&fbclid=1", "A/../a", "%61", "/a?")
    pages = Pages(
        {
            "/": links(*same, "d/", "d/index.html", "l?b=2&a=1", "l?a=1&b=2", "moved"),
            "/moved": to("/a"),
            "/a": "Page a.",
            "/d/": "Page d.",
            "/l": "Page l.",
        }
    )
    sink = Kept()
    await spidered(pages, sink)
    assert sorted(sink.paths) == ["/", "/a", "/d/", "/l?b=2&a=1"]


async def test_a_site_of_many_pages_is_read_whole_and_each_page_once():
    pages = Pages({"/": links(*(f"p{number}" for number in range(100)))})
    pages.answers |= {f"/p{number}": html(links("/p0", f"/p{number + 1}")) for number in range(100)}
    sink = Kept()
    await spidered(pages, sink, max_pages=200, politeness=HASTY)
    assert len(sink.paths) == 101
    assert len(set(pages.paths)) == len(pages.paths)


async def test_only_links_that_the_page_vouches_for_and_the_site_allows_are_followed():
    pages = Pages({
        "/": links("robots/a", "quiet", "closed", "file.pdf", "photo.jpg", "data.bin", "mailto:a@b.example")
        + "<a rel='nofollow noopener' href=bought>ad</a><a href='javascript:go()'>js</a>"
        + "<base href=/>",
        "/robots.txt": text("User-agent: *\nDisallow: /robots/"),
        "/robots/a": "Hidden.",
        "/quiet": "<meta name=robots content=noindex>" + links("behind"),
        "/behind": "Found behind a page that is not indexed.",
        "/closed": "<meta name=robots content=nofollow>" + links("beyond"),
        "/beyond": "Never reached.",
        "/bought": "Bought.",
        "/file.pdf": ok(b"%PDF-1.7", "application/pdf"),
        "/photo.jpg": ok(b"...", "image/jpeg"),
    })  # fmt: skip
    sink = Kept()
    summary = await spidered(pages, sink)
    assert sorted(sink.paths) == ["/", "/behind", "/closed", "/file.pdf"]
    assert set(summary.notes) == {
        "1 URL skipped: disallowed by robots.txt.",
        "1 URL skipped: marked noindex.",
    }
    assert sink.failures == []


async def test_other_sites_and_private_addresses_are_not_asked():
    other = Pages({"/": "Elsewhere."})
    async with other.served():
        pages = Pages({
            "/": links(other.url, "http://10.0.0.1/", "http://localhost/", "//evil.example/", "leaves"),
            "/leaves": to(other.url),
        })  # fmt: skip
        sink = Kept()
        async with pages.served():
            by = fetcher(f"127.0.0.1:{pages.port}", f"127.0.0.1:{other.port}")
            summary = await crawled(pages.url, sink, strategy="spider", by=by)
    assert sink.paths == ["/"]
    assert (
        other.asked("/") == 1
    )  # a redirect is seen only when it was followed; its page is not taken
    assert summary.notes == ("1 URL skipped: redirects to another site.",)


@pytest.mark.parametrize(
    "next_one",
    [
        lambda n: f"/calendar?month={n % 12 + 1}&year={2026 + n}",
        lambda n: f"/calendar/20{n % 70 + 20}/{n % 12 + 1:02}/{n % 28 + 1:02}",
        lambda n: f"/list?{'&'.join(f'f{i}=x' for i in range(n + 1))}",
        lambda n: "/" + "a/b/" * (n + 1),
        lambda n: "/" + "/".join(f"x{i}" for i in range(n)),
        lambda n: f"/s?q={'x' * (n % 90) * 100}",
    ],
)
async def test_an_endless_corner_does_not_take_the_whole_crawl(next_one):
    step = iter(range(1, 10_000))

    async def corner(writer):
        writer.write(html(links(*(next_one(next(step)) for _ in range(60)))))
        await writer.drain()

    pages = Pages({"/": links(next_one(0), "manual"), "/robots.txt": status(404)})
    pages.answers = type("Endless", (dict,), {"__missing__": lambda self, path: corner})(
        pages.answers
    )
    pages.answers["/manual"] = html(links(*(f"/manual/{number}" for number in range(60))))
    pages.answers |= {f"/manual/{number}": html("Text.") for number in range(60)}
    sink = Kept()
    await spidered(pages, sink, max_pages=110, max_depth=50)
    manual = [path for path in sink.paths if path.startswith("/manual/")]
    assert len(manual) == 60


async def test_the_delay_that_a_site_asks_for_lies_between_two_pages():
    pages = Pages(
        {
            "/robots.txt": text("User-agent: *\nCrawl-delay: 0.1"),
            "/": links("a", "b"),
            "/a": "Page a.",
            "/b": "Page b.",
        }
    )
    clock = asyncio.get_running_loop().time
    sink = Kept()
    begun = clock()
    summary = await spidered(pages, sink)
    assert sorted(sink.paths) == ["/", "/a", "/b"]
    assert clock() - begun >= 0.19  # two delays
    assert summary.notes == ()


async def test_a_delay_beyond_measure_is_cut_and_said():
    pages = Pages(
        {"/robots.txt": text("User-agent: *\nCrawl-delay: 86400"), "/": links("a"), "/a": "A."}
    )
    sink = Kept()
    summary = await spidered(pages, sink, politeness=Politeness(max_delay_s=0.05))
    assert sink.paths == ["/", "/a"]
    assert summary.notes == ("The site asks for 86400 seconds between pages; 0.05 were used.",)


async def test_a_site_that_stops_answering_is_given_up():
    pages = Pages({"/": links(*(f"p{number}" for number in range(60)))})
    pages.answers |= {f"/p{number}": status(500) for number in range(60)}
    sink = Kept()
    summary = await spidered(
        pages, sink, politeness=Politeness(max_attempts=1, max_unresponsive=5, concurrency=2)
    )
    assert sink.paths == ["/"]
    assert 5 <= len(sink.failures) <= 6
    assert "stopped responding" in summary.notes[0]


async def test_a_second_crawl_asks_again_for_links_and_only_whether_the_last_pages_changed():
    pages = Pages({"/": links("a"), "/a": status(304)})
    sink = Kept()
    async with pages.served():
        sink.read = {pages.url: KnownPage(etag='"1"'), f"{pages.url}a": KnownPage(etag='"2"')}
        await crawled(pages.url, sink, strategy="spider", max_depth=1)
    assert sink.paths == ["/"]
    assert sink.same == [f"{pages.url}a"]
