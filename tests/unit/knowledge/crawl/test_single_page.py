"""Crawling a single page: what is stored, and how failures are reported."""

import asyncio

import pytest

from knowledge.crawl.port import KnownPage, Politeness
from tests.unit.knowledge.crawl.crawl_site import Kept, Pages, crawled, fetcher, html, status, text
from tests.unit.net.sites import ok, to

QUICK = Politeness(
    read_timeout_s=0.3,
    page_timeout_s=0.6,
    first_backoff_s=0.01,
    max_backoff_s=0.5,
    max_page_bytes=20_000,
)


async def never(writer):
    await asyncio.sleep(30)


async def dripping(writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        writer.write(b"<p>")
        await writer.drain()
        await asyncio.sleep(0.05)


async def endless(writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        writer.write(b"<p>more</p>" * 1_000)
        await writer.drain()


async def test_a_page_is_handed_on_with_where_it_was_and_what_is_known_of_it():
    pages = Pages(
        {
            "/old": to("/new"),
            "/new": html("A page.", ETag='"7"', Last_Modified="Sun, 01 Nov 2026 10:00:00 GMT"),
        }
    )
    sink = Kept()
    async with pages.served():
        summary = await crawled(pages.url + "old?utm_source=mail#top", sink)
    [page] = sink.pages
    assert page.url == pages.url + "new"
    assert b"A page." in page.body
    assert (page.content_type, page.etag) == ("text/html; charset=utf-8", '"7"')
    assert page.last_modified == "Sun, 01 Nov 2026 10:00:00 GMT"
    assert summary.notes == ()
    assert sink.failures == []
    assert "Tabwright" in pages.requests[-1]


async def test_a_page_that_is_as_it_was_is_not_read_again():
    pages = Pages({"/": status(304)})
    async with pages.served():
        sink = Kept(read={pages.url: KnownPage(etag='"7"', last_modified="yesterday")})
        await crawled(pages.url, sink)
    assert sink.same == [pages.url]
    assert sink.pages == []
    assert 'If-None-Match: "7"' in pages.requests[-1]
    assert "If-Modified-Since: yesterday" in pages.requests[-1]


@pytest.mark.parametrize(
    ("answer", "code", "reason"),
    [
        (status(404), "PAGE_GONE", "no longer exists"),
        (status(410), "PAGE_GONE", "no longer exists"),
        (status(401), "PAGE_NOT_OPEN", "not publicly"),
        (status(418), "PAGE_NOT_ANSWERED", "418"),
        (status(500), "PAGE_NOT_ANSWERED", "500"),
        (status(503), "SITE_BUSY", "too busy"),
        (status(429, Retry_After="3600"), "SITE_BUSY", "3600 seconds"),
        (to("/"), "FETCH_FAILED", "redirects more than"),
        (to("http://10.0.0.1/"), "ADDRESS_REFUSED", "public web"),
        (to("http://169.254.169.254/latest/meta-data/"), "ADDRESS_REFUSED", "public web"),
        (to("file:///etc/passwd"), "ADDRESS_REFUSED", "address"),
        (never, "FETCH_FAILED", "too long"),
        (dripping, "FETCH_FAILED", "too long"),
        (endless, "FETCH_FAILED", "too large"),
        (ok(b"x", Content_Encoding="zstd"), "FETCH_FAILED", "decompressed"),
        (ok(b"GIF89a", "image/gif"), "DOCUMENT_UNSUPPORTED", "image/gif"),
        (html("<meta name=robots content=noindex>Secret."), "PAGE_NOT_INDEXED", "not to be"),
        (html("Secret.", X_Robots_Tag="otherbot: all, noindex"), None, ""),
        (html("Secret.", X_Robots_Tag="noindex, nofollow"), "PAGE_NOT_INDEXED", "not to be"),
        (
            html("<div id=app></div><script src=app.js></script>"),
            "PAGE_NEEDS_BROWSER",
            "capture it with the extension",
        ),
        (ok(b"\xff\xfe\x00broken \xe9\x80", "text/html; charset=nobodys"), None, ""),
        (ok(b"%PDF-1.7", "application/pdf"), None, ""),
        (ok(b"", "text/html"), None, ""),
    ],
)
async def test_what_cannot_be_had_says_why(answer, code, reason):
    pages = Pages({"/": answer})
    sink = Kept()
    async with pages.served():
        summary = await crawled(pages.url, sink, politeness=QUICK)
    assert sink.codes == ({"/": code} if code else {})
    assert [reason in one.reason for one in sink.failures] == [True] * len(sink.failures)
    assert len(sink.pages) == (code is None)
    assert summary.done == (code is None)


@pytest.mark.parametrize(
    ("robots", "allowed"),
    [
        (text("User-agent: *\nDisallow: /"), False),
        (text("User-agent: Tabwright\nDisallow: /page\n\nUser-agent: *\nAllow: /"), False),
        (text("User-agent: *\nDisallow: /\n\nUser-agent: Tabwright\nAllow: /"), True),
        (status(404), True),
        (status(500), False),
        (to("http://10.0.0.1/robots.txt"), True),  # as good as none, and never fetched
        (text("Disallow" * 200_000 + "\nUser-agent: *\nDisallow: /"), True),
        (html("This is no robots.txt"), True),
    ],
)
async def test_robots_txt_is_kept_to(robots, allowed):
    pages = Pages({"/robots.txt": robots, "/page": "Text."})
    sink = Kept()
    async with pages.served():
        await crawled(pages.url + "page", sink)
    assert sink.codes == ({} if allowed else {"/page": "ROBOTS_DISALLOWED"})
    assert pages.asked("/page") == allowed


async def test_a_site_that_is_busy_is_asked_again_when_it_wants():
    answers = [status(429, Retry_After="0"), status(503), html("At last.")]

    async def busy(writer):
        writer.write(answers.pop(0))
        await writer.drain()

    pages = Pages({"/": busy})
    sink = Kept()
    async with pages.served():
        await crawled(pages.url, sink)
    assert sink.paths == ["/"]


async def test_of_a_private_address_nothing_is_asked_and_that_is_said():
    sink = Kept()
    by = fetcher("127.0.0.1:1")
    await crawled("http://10.0.0.1:80/", sink, by=by)
    assert sink.codes == {"/": "ADDRESS_REFUSED"}


ONWARD = "<meta http-equiv=refresh content='0; url={}'>"


@pytest.mark.parametrize(
    ("inside", "read", "codes"),
    [
        (ONWARD.format("en/latest/"), ["/en/latest/"], {}),
        (ONWARD.format("no/"), [], {"/": "ROBOTS_DISALLOWED"}),
        (ONWARD.format("back"), [], {"/back": "FETCH_FAILED"}),
        (ONWARD.format("http://10.0.0.1/"), [], {"/": "ADDRESS_REFUSED"}),
        (ONWARD.format("/") + "It is drawn anew by itself.", ["/"], {}),
        (ONWARD.format("en/latest/").replace("0;", "300;") + "To be read first.", ["/"], {}),
    ],
)
async def test_a_page_that_leads_on_by_its_html_is_followed(inside, read, codes):
    pages = Pages(
        {
            "/robots.txt": text("User-agent: *\nDisallow: /no"),
            "/": inside,
            "/back": ONWARD.format("/"),
            "/en/latest/": "The manual.",
        }
    )
    sink = Kept()
    async with pages.served():
        await crawled(pages.url, sink)
    assert sink.paths == read
    assert sink.codes == codes
