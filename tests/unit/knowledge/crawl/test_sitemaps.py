"""Crawling by sitemap: where it is found, which entries count, and how much is read."""

import gzip
from datetime import UTC, datetime

import pytest

from knowledge.crawl import sitemaps
from knowledge.crawl.port import KnownPage, Politeness
from tests.unit.knowledge.crawl.crawl_site import Kept, Pages, crawled, fetcher, html, status, text
from tests.unit.net.sites import ok, to

SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(*entries):
    inside = "".join(f"<url><loc>{place}</loc>{more}</url>" for place, more in entries)
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {SPACE}>{inside}</urlset>'.encode()


def listed(*places):
    return urlset(*((place, "") for place in places))


def index(*places):
    inside = "".join(f"<sitemap><loc>{place}</loc></sitemap>" for place in places)
    return f"<sitemapindex {SPACE}>{inside}</sitemapindex>".encode()


def xml(body):
    return ok(body, "application/xml")


async def mapped(pages, sink, path="", **asked):
    async with pages.served():
        return await crawled(pages.url + path, sink, strategy="sitemap", **asked)


def articles(*names):
    return {f"/{name}": html(f"Page {name}.") for name in names}


async def test_a_sitemap_is_found_by_robots_txt_and_its_indexes_packed_files_and_lists_are_read():
    pages = Pages({
        "/robots.txt": text("Sitemap: /maps/all.xml\nUser-agent: *\nDisallow: /no"),
        "/maps/all.xml": xml(index("/maps/1.xml.gz", "/maps/2.txt", "/maps/all.xml")),
        "/maps/1.xml.gz": ok(gzip.compress(listed("/a", "/b", "/a#x", "/no")), "application/gzip"),
        "/maps/2.txt": ok(b"\xef\xbb\xbf\nno address\n/relative\n%s", "text/plain"),
        **articles("a", "b", "c"),
    })  # fmt: skip
    sink = Kept()
    async with pages.served():
        pages.answers["/maps/2.txt"] = text(f"{pages.url}b\r\n{pages.url}c\nnothing\n")
        summary = await crawled(pages.url, sink, strategy="sitemap")
    assert sorted(sink.paths) == ["/a", "/b", "/c"]
    assert pages.asked("/maps/all.xml") == 1
    assert summary.notes == ("1 URL skipped: disallowed by robots.txt.",)


@pytest.mark.parametrize("path", ["sitemap.xml", "", "deep/page.html"])
async def test_a_sitemap_may_be_named_or_is_looked_for_in_its_usual_place(path):
    pages = Pages({"/sitemap.xml": xml(listed("/a")), **articles("a")})
    sink = Kept()
    await mapped(pages, sink, path)
    assert sink.paths == ["/a"]


@pytest.mark.parametrize(
    "answer", [status(404), html("Our new page!"), xml(b"<rss></rss>"), xml(b"")]
)
async def test_a_site_without_a_sitemap_says_so(answer):
    sink = Kept()
    summary = await mapped(Pages({"/sitemap.xml": answer}), sink)
    assert sink.codes == {"/": "SITEMAP_NOT_FOUND"}
    assert summary.found == 0


async def test_of_another_site_only_a_sitemap_is_read_and_only_if_robots_txt_names_it():
    other = Pages({})
    async with other.served():
        pages = Pages(articles("a", "b"))
        async with pages.served():
            other.answers["/named.xml"] = xml(listed(f"{pages.url}a", f"{other.url}theirs"))
            other.answers["/unnamed.xml"] = xml(listed(f"{pages.url}b"))
            pages.answers["/robots.txt"] = text(f"Sitemap: {other.url}named.xml\nSitemap: /own.xml")
            third = "http://third.example/sitemap.xml"
            pages.answers["/own.xml"] = xml(index(third, "http://10.0.0.1/sitemap.xml"))
            by = fetcher(f"127.0.0.1:{pages.port}", f"127.0.0.1:{other.port}")
            sink = Kept()
            summary = await crawled(pages.url, sink, strategy="sitemap", by=by)
    assert sink.paths == ["/a"]
    assert other.asked("/theirs") == 0
    assert "A sitemap on another site was not read." in summary.notes


@pytest.mark.parametrize(
    "place", ["http://10.0.0.1/s.xml", "http://169.254.169.254/", "file:///etc/passwd"]
)
async def test_a_sitemap_at_a_private_address_is_not_fetched(place):
    sink = Kept()
    await mapped(Pages({"/robots.txt": text(f"Sitemap: {place}"), "/sitemap.xml": to(place)}), sink)
    assert sink.codes == {"/": "SITEMAP_NOT_FOUND"}


async def test_a_page_that_has_not_changed_since_it_was_read_is_not_asked_for():
    dates = {
        "/old": "2026-11-01",
        "/new": "2026-11-20T10:00:00+01:00",
        "/same-day": "2026-11-10",
        "/odd": "soon",
    }
    pages = Pages(
        {
            "/sitemap.xml": xml(
                urlset(*((path, f"<lastmod>{date}</lastmod>") for path, date in dates.items()))
            ),
            **articles("old", "new", "same-day", "odd"),
        }
    )
    sink = Kept()
    async with pages.served():
        read_at = datetime(2026, 11, 10, 12, tzinfo=UTC)
        sink.read = {pages.url + path[1:]: KnownPage(read_at=read_at) for path in dates}
        summary = await crawled(pages.url, sink, strategy="sitemap")
    assert sorted(sink.paths) == ["/new", "/odd", "/same-day"]
    assert sink.same == [pages.url + "old"]
    assert pages.asked("/old") == 0
    assert summary.done == 4


async def test_ten_million_addresses_are_read_as_far_as_they_are_wanted():
    sent = 0

    async def endless(writer):
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<urlset>")
        for start in range(0, 10_000_000, 1_000):
            page = (
                b"<url><loc>/p%d</loc></url>" % number for number in range(start, start + 1_000)
            )
            writer.write(b"".join(page))
            await writer.drain()
            sent = start

    pages = Pages({"/sitemap.xml": endless})
    pages.answers |= {f"/p{number}": html("Text.") for number in range(40)}
    sink = Kept()
    summary = await mapped(pages, sink, max_pages=10)
    assert len(sink.pages) == 10
    assert summary.found == 40
    assert sent < 200_000
    assert "The sitemap lists more pages than the limit allows." in summary.notes


@pytest.mark.parametrize(
    "bomb",
    [
        gzip.compress(b"<urlset>" + b" " * 50_000_000),
        gzip.compress(b"<urlset><url><loc>" + b"a" * 50_000_000),
        b"<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>"
        + b"".join(
            b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10 if n else b"&a;" * 10)
            for n in range(9)
        )
        + b"]><urlset><url><loc>/&a8;</loc></url></urlset>",
        b"<!DOCTYPE x [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><urlset><url><loc>/&f;</loc></url></urlset>",
        b"<urlset>" * 100_000,
        b"\x1f\x8b" + b"broken" * 100,
    ],
)
async def test_a_sitemap_made_to_do_harm_does_none(bomb):
    sink = Kept()
    pages = Pages({"/sitemap.xml": xml(bomb), **articles("a")})
    await mapped(
        pages, sink, politeness=Politeness(max_sitemap_bytes=5_000_000, page_timeout_s=2.0)
    )
    assert sink.pages == []
    assert all("passwd" not in path and "root" not in path for path in pages.paths)


async def test_of_a_broken_sitemap_what_can_be_read_is_read():
    body = b"<urlset><url><loc>/a?x=1&y=2</loc></url><url><loc>/b</loc></url><url><loc>/c"
    pages = Pages({"/sitemap.xml": xml(body), **articles("a", "b", "c")})
    sink = Kept()
    await mapped(pages, sink)
    assert "/b" in sink.paths  # pages are fetched side by side
    assert "/c" not in sink.paths


async def test_a_chain_of_indexes_ends(monkeypatch):
    monkeypatch.setattr(sitemaps, "MAX_SITEMAPS", 20)
    step = iter(range(100_000))

    async def onward(writer):
        writer.write(xml(index(*(f"/sitemap{next(step)}.xml" for _ in range(50)))))
        await writer.drain()

    pages = Pages({})
    pages.answers = type("Endless", (dict,), {"__missing__": lambda self, path: onward})(
        {"/robots.txt": status(404), "/sitemap.xml": onward}
    )
    sink = Kept()
    summary = await mapped(pages, sink)
    assert len(pages.requests) <= 22
    assert "Only the first 20 sitemaps were read." in summary.notes
