"""Crawling a site: its documents, the skipped pages, and the cost of a second crawl."""

from app.domain.knowledge import IngestRequest, Job
from app.store.repositories import Store
from knowledge.service import Service
from tests.knowledge import ANN, ended, opened_knowledge
from tests.unit.knowledge.crawl.crawl_site import Pages, html, status, text
from tests.unit.net.sites import ok, to

LISTED = (
    "leave", "expenses", "gone", "app", "hidden", "inside", "round", "photo", "closed", "empty", "self",
)  # fmt: skip


def a_site() -> Pages:
    places = "".join(f"<url><loc>/{name}</loc></url>" for name in LISTED)
    tagged = {"ETag": '"1"'}
    return Pages({
        "/robots.txt": text("User-agent: *\nDisallow: /hidden\nSitemap: /all.xml"),
        "/all.xml": ok(
            b"<sitemapindex><sitemap><loc>/all.xml</loc></sitemap>"
            b"<sitemap><loc>/map.xml</loc></sitemap></sitemapindex>",
            "text/xml",
        ),
        "/map.xml": ok(f"<urlset>{places}</urlset>".encode(), "text/xml"),
        "/leave": html("<h1>Leave</h1><p>Parental leave is sixteen weeks at full pay.</p>", **tagged),
        "/expenses": html("<h1>Expenses</h1><p>Receipts go to the green box on Fridays.</p>"),
        "/gone": html("<h1>Parking</h1><p>The garage opens at seven in the morning.</p>"),
        "/app": html("<div id=root></div><script src=/app.js></script>"),
        "/inside": to("http://10.0.0.1/secret"),
        "/round": to("/round"),
        "/photo": ok(b"\x89PNG", "image/png"),
        "/closed": status(403),
        "/empty": ok(b"", "text/html"),
        "/self": text("Visitors sign in at the front desk of building four."),
    })  # fmt: skip


async def crawled(knowledge: Service, site: Pages) -> Job:
    request = IngestRequest(kind="link", url=site.url, strategy="sitemap", max_pages=50)
    return await ended(knowledge, ANN, await knowledge.submit(ANN, request))


async def test_a_site_comes_in_and_a_second_crawl_brings_only_what_changed(store: Store) -> None:
    site = a_site()
    async with site.served(), opened_knowledge(store, reaches=site.url) as knowledge:
        first = await crawled(knowledge, site)
        found = {one.url: one for one in await knowledge.documents("a")}
        site.answers["/leave"] = status(304)
        site.answers["/gone"] = status(404)
        second = await crawled(knowledge, site)
        left = {one.url: one for one in await knowledge.documents("a")}
    assert first.status == "completed"
    assert {one.source.removeprefix(site.url): one.code for one in first.errors} == {
        "app": "PAGE_NEEDS_BROWSER",
        "inside": "ADDRESS_REFUSED",
        "round": "FETCH_FAILED",
        "photo": "DOCUMENT_UNSUPPORTED",
        "closed": "PAGE_NOT_OPEN",
        "empty": "DOCUMENT_EMPTY",
    }
    names = {url.removeprefix(site.url) for url in found if url}
    assert names == {"leave", "expenses", "gone", "self"}
    assert site.asked("/hidden") == 0
    assert second.progress.unchanged == 3
    assert 'If-None-Match: "1"' in "".join(site.requests)
    assert {url.removeprefix(site.url) for url in left if url} == names - {"gone"}
    assert left[f"{site.url}leave"].revision == found[f"{site.url}leave"].revision
