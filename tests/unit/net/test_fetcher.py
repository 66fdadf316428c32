"""Fetching from real servers: connections, redirects and limits."""

import asyncio
import gzip
import zlib
from pathlib import Path

import pytest

from app.errors import AddressRefused, FetchFailed
from app.net.fetcher import MOST_HOPS, Fetcher, Limits
from app.net.guard import Guard
from app.net.policy import Policy
from tests.unit.net.sites import PUBLIC, Answer, Elsewhere, Names, Site, certified, ok, to

HERE = "127.0.0.1"


def fetcher(site: Site, **names: list[list[str]]) -> Fetcher:
    """Of a public web with this one site."""
    known = Names(**({"site_example": [[PUBLIC]]} | names))
    return Fetcher(Guard(Policy(), known), network=Elsewhere({PUBLIC: site.port}))


def allowing(*allowed: str) -> Fetcher:
    """Of the real network, where an operator allowed something."""
    return Fetcher(Guard(Policy.of(allowed)))


async def test_connects_to_the_checked_address() -> None:
    async with Site(index=ok("Grüße".encode(), etag="a")).served() as site:
        found = await fetcher(site).fetch("http://SITE.example./?q=1#part")
    assert (found.status, found.body.decode(), found.kind) == (200, "Grüße", "text/html")
    assert (found.url, found.headers["etag"]) == ("http://site.example/?q=1", "a")
    assert "\r\nHost: site.example\r\n" in site.requests[0]
    assert not any(
        word in site.requests[0].lower() for word in ("cookie", "authorization", "referer")
    )


async def test_ignores_dns_changes_after_the_check() -> None:
    async with (
        Site(index=ok(b"secret")).served() as inner,
        Site(index=ok(b"page")).served() as site,
    ):
        names = Names(rebound_example=[[PUBLIC], [HERE]])
        network = Elsewhere({PUBLIC: site.port, HERE: inner.port})
        one = Fetcher(Guard(Policy(), names), network=network)
        assert (await one.fetch("http://rebound.example/")).body == b"page"
        with pytest.raises(AddressRefused):
            await one.fetch("http://rebound.example/")
        assert network.asked == [(PUBLIC, 80)]
        assert inner.requests == []


@pytest.mark.parametrize(
    "inward",
    [
        "http://127.0.0.1:{port}/", "//127.0.0.1:{port}/", "http://localhost:{port}/", "http://[::1]:{port}/",
        "http://2130706433:{port}/", "http://rebound.example/", "http://site.example@127.0.0.1:{port}/",
        "http://site.example\\@127.0.0.1:{port}/", "http://[::ffff:127.0.0.1]:{port}/", "file:///etc/passwd",
        "http://169.254.169.254/latest/meta-data/", "http://site.example:{port}/", "http://127.1:{port}/",
    ],
)  # fmt: skip
async def test_rejects_redirects_to_internal_addresses(inward: str) -> None:
    async with Site(index=ok(b"secret")).served() as inner:
        start = to(inward.format(port=inner.port))
        async with Site(index=start).served() as site:
            # The first name answers differently when asked again, which each hop does.
            one = fetcher(site, rebound_example=[[HERE]])
            with pytest.raises(AddressRefused) as refused:
                await one.fetch("http://site.example/")
        assert inner.requests == []
        assert str(inner.port) not in refused.value.detail


async def test_follows_a_limited_number_of_redirects() -> None:
    hops = {f"a{n}": to(f"/a{n + 1}", 301 + n % 2) for n in range(MOST_HOPS)}
    async with Site(**hops, **{f"a{MOST_HOPS}": ok(b"there"), "loop": to("loop")}).served() as site:
        one = fetcher(site)
        found = await one.fetch("http://site.example/a0")
        assert (found.body, found.url) == (b"there", f"http://site.example/a{MOST_HOPS}")
        with pytest.raises(FetchFailed):
            await one.fetch("http://site.example/loop")
    assert site.paths.count("/loop") == MOST_HOPS + 1


async def test_carries_no_state_to_another_site() -> None:
    plain = ok(b"other", set_cookie="a=b")
    onward = to("http://other.example/")
    async with Site(index=plain).served() as other, Site(index=onward).served() as site:
        known = Names(site_example=[[PUBLIC]], other_example=[["1.1.1.1"]])
        network = Elsewhere({PUBLIC: site.port, "1.1.1.1": other.port})
        one = Fetcher(Guard(Policy(), known), network=network)
        found = await one.fetch("http://site.example/?token=x")
    assert found.body == b"other"
    assert "token" not in other.requests[0]


async def test_verifies_the_certificate_by_name(tmp_path: Path) -> None:
    server, client = certified(tmp_path, "site.example")
    named: list[str | None] = []
    server.sni_callback = lambda _socket, name, _context: named.append(name)
    async with Site(index=ok(b"safe"), open=to("http://site.example/")).served(server) as site:
        known = Names(site_example=[[PUBLIC]], other_example=[[PUBLIC]])
        network = Elsewhere({PUBLIC: site.port})
        one = Fetcher(Guard(Policy(), known), network=network, trust=client)
        assert (await one.fetch("https://site.example/")).body == b"safe"
        with pytest.raises(AddressRefused, match="https to http"):
            await one.fetch("https://site.example/open")
        with pytest.raises(FetchFailed):  # of another name, at the same address
            await one.fetch("https://other.example/")
        with pytest.raises(FetchFailed):  # signed by nobody this machine knows
            await Fetcher(Guard(Policy(), known), network=network).fetch("https://site.example/")
    assert named[0] == "site.example"


async def test_tries_the_next_address() -> None:
    async with Site(index=ok(b"page")).served() as site:
        one = fetcher(site, site_example=[["1.1.1.1", PUBLIC]])
        assert (await one.fetch("http://site.example/")).body == b"page"
        with pytest.raises(FetchFailed):
            await fetcher(site, site_example=[["1.1.1.1"]]).fetch("http://site.example/")


async def test_fetches_only_what_an_operator_allowed() -> None:
    async with Site(index=ok(b"wiki")).served() as other, Site(index=ok(b"wiki")).served() as site:
        site.answers["/on"] = to(f"http://127.0.0.1:{other.port}/")
        one = allowing(f"127.0.0.1:{site.port}")
        assert (await one.fetch(f"http://127.0.0.1:{site.port}/")).body == b"wiki"
        with pytest.raises(AddressRefused):
            await one.fetch(f"http://127.0.0.1:{site.port}/on")
    assert other.requests == []


async def test_ignores_proxies_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    async with (
        Site(index=ok(b"proxied")).served() as proxy,
        Site(index=ok(b"page")).served() as site,
    ):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        one = allowing(f"127.0.0.1:{site.port}")
        assert (await one.fetch(f"http://127.0.0.1:{site.port}/")).body == b"page"
    assert proxy.requests == []


def _deflated(body: bytes) -> bytes:
    squeeze = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return squeeze.compress(body) + squeeze.flush()


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(b"a page")),
        ("gzip", gzip.compress(b"a ") + gzip.compress(b"page")),
        ("deflate", zlib.compress(b"a page")),
        ("deflate", _deflated(b"a page")),
        ("identity", b"a page"),
    ],
    ids=["gzip", "gzip in two", "deflate", "bare deflate", "identity"],  # gzip holds the time
)
async def test_decompresses_pages(encoding: str, packed: bytes) -> None:
    async with Site(index=ok(packed, content_encoding=encoding)).served() as site:
        assert (await fetcher(site).fetch("http://site.example/")).body == b"a page"


BOMB = gzip.compress(gzip.compress(bytes(30_000_000)))  # 100 bytes that are 30 MB, twice packed


async def _endless(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        writer.write(b"x" * 60_000)
        await writer.drain()


async def _dripping(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9999\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.01)


async def _silent(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(30)


async def _endless_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"X-A: " + b"x" * 1_000 + b"\r\n")
        await writer.drain()


@pytest.mark.parametrize(
    "answer",
    [
        ok(gzip.compress(bytes(30_000_000)), content_encoding="gzip"),
        ok(gzip.decompress(BOMB), content_encoding="gzip"),
        ok(zlib.compress(bytes(30_000_000)), content_encoding="deflate"),
        ok(gzip.compress(b"") * 60_000, content_encoding="gzip"),
        ok(b"x" * 1_000_001),
        _endless,
        _endless_headers,
        _dripping,
        _silent,
        b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99999999999999999999\r\n\r\n",
        ok(gzip.compress(b"a page")[:-9], content_encoding="gzip"),
        ok(b"no gzip", content_encoding="gzip"),
        ok(b"x", content_encoding="br"),
        ok(b"x", content_encoding="gzip, gzip"),
        ok(b"x", kind="application/zip"),
        b"not http at all\r\n\r\n",
        b"",
    ],
    ids=range(18),
)
async def test_oversized_slow_and_broken_responses_fail_alike(answer: Answer) -> None:
    limits = Limits(read_s=0.3, total_s=0.6, max_bytes=1_000_000, kinds=("text/",))
    async with Site(index=answer).served() as site:
        with pytest.raises(FetchFailed):
            await fetcher(site).fetch("http://site.example/", limits)
