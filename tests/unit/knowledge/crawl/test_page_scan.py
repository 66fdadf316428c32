"""Detecting shells, equal URLs and robots directives."""

from datetime import UTC, datetime

import pytest

from knowledge.crawl.addresses import (
    is_supported_type,
    may_hold_document,
    normalize_url,
    resolve_link,
    site_key,
    url_key,
)
from knowledge.crawl.page_scan import parse_robots_directives, scan_page
from knowledge.crawl.polite_fetch import retry_delay_s

SCRIPT = "<script src=/static/main.js></script>"
DATA = "<script type=application/json>{}</script>"
TEXT = "The ward is visited at nine, and every patient is seen by the doctor on duty. " * 3


@pytest.mark.parametrize(
    ("html", "shell"),
    [
        (f"<div id=root></div>{SCRIPT}", True),
        (f"<title>Clinic</title><body><div id=app><div class=spinner></div></div>{SCRIPT}", True),
        (f"<app-root>Loading, please wait</app-root>{SCRIPT}", True),
        (f"<noscript>You need to enable JavaScript to run this app.</noscript><div></div>{SCRIPT}", True),
        ("<my-app></my-app><footer>© 2026</footer><script type=module>import '/m.js'</script>", True),
        (f"<div id=__nuxt><svg><title>Loading the whole of the page</title></svg></div>{SCRIPT}{DATA}", True),
        (f"<div id=root>{TEXT}</div>{SCRIPT}", False),
        (f"<p>Closed today.</p>{SCRIPT}", False),
        ("<div id=root></div>", False),
        (f"<div id=root></div>{DATA}", False),
        (f"<div id=map></div><h1>How to find us</h1><p>{TEXT}</p>{SCRIPT}", False),
        (f"<div id=top></div><form><input name=q></form>{SCRIPT}", False),
        (f"<div id=top></div><table><tr><td>7</table>{SCRIPT}", False),
        (f"<div id=menu></div>{'<a href=/x>A chapter</a>' * 5}{SCRIPT}", False),
        (f"<noscript>Please enable JavaScript.</noscript><p>{TEXT}</p>{SCRIPT}", False),
        ("", False),
        ("\x00\x00", False),
    ],
)  # fmt: skip
def test_a_shell_is_told_from_a_page(html, shell):
    for markup in (f"<!doctype html><html><body>{html}", html):
        assert (
            scan_page(markup.encode(), "http://s.example/", "text/html; charset=utf-8").is_shell
            is shell
        )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("HTTP://Site.Example:80/a#b", "http://site.example/a"),
        ("https://site.example:443", "https://site.example/"),
        ("https://site.example/a/../b/./c", "https://site.example/b/c"),
        ("https://site.example/a?utm_source=x&id=1&gclid=2", "https://site.example/a?id=1"),
        ("https://site.example/a;jsessionid=1F?x=1", "https://site.example/a?x=1"),
        ("https://site.example/%7euser/%c3%bc", "https://site.example/~user/%C3%BC"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://site.example/a?", "https://site.example/a"),
    ],
)
def test_addresses_are_spelled_one_way(one, other):
    assert resolve_link("https://elsewhere.example/", one) == other
    assert normalize_url(other) == other


def test_pages_are_the_same_whatever_the_order_of_parameters_and_the_index():
    assert url_key("https://s.example/d/index.html") == url_key("https://s.example/d/")
    assert url_key("https://s.example/d/?b=2&a=1") == url_key(
        "https://s.example/d/index.php?a=1&b=2"
    )
    assert url_key("https://s.example/my-index.html") != url_key("https://s.example/my-")


def test_sites_are_told_apart_by_host_and_port():
    assert site_key("https://www.site.example/a") == site_key("http://site.example/")
    assert site_key("http://site.example:8080/") != site_key("http://site.example/")
    assert site_key("https://docs.site.example/") != site_key("https://site.example/")


@pytest.mark.parametrize(
    "link",
    [
        "javascript:x()",
        "mailto:a@b.example",
        "data:text/html,x",
        "http://",
        "tel:1",
        "http://[",
        "\\\\x",
    ],
)
def test_what_leads_to_no_page_is_no_link(link):
    assert resolve_link("not an address", link) is None


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("noindex, nofollow", {"noindex", "nofollow"}),
        ("none", {"none", "noindex", "nofollow"}),
        ("googlebot: noindex", set()),
        ("tabwright: noindex", {"noindex"}),
        ("max-snippet: 5, noindex", {"noindex"}),
    ],
)
def test_a_robots_header_counts_when_it_is_for_all_or_for_us(header, said):
    assert parse_robots_directives(header) == said


def test_links_are_read_of_any_encoding_and_from_the_base_that_the_page_names():
    page = "<base href=/docs/><a href=Größe>one</a>"
    for encoding in ("utf-8", "utf-16", "latin-1"):
        declared = f"text/html; charset={encoding}"
        seen = scan_page(page.encode(encoding), "http://s.example/", declared)
        assert seen.links == ("http://s.example/docs/Gr%C3%B6%C3%9Fe",)


def test_of_a_page_of_countless_links_only_some_are_kept():
    page = b"".join(b"<a href=/%d>x</a>" % number for number in range(20_000))
    assert len(scan_page(page, "http://s.example/", "").links) == 5_000


def test_retry_after_is_read_as_seconds_and_as_a_date():
    now = datetime(2026, 11, 22, 12, tzinfo=UTC)
    assert retry_delay_s("120", now) == 120
    assert retry_delay_s("Sun, 22 Nov 2026 12:01:00 GMT", now) == 60
    assert retry_delay_s("Sun, 22 Nov 2020 12:01:00 GMT", now) == 0
    assert retry_delay_s("soon", now) is None
    assert retry_delay_s(None, now) is None


def test_documents_are_read_and_pictures_are_not():
    assert is_supported_type("text/html")
    assert is_supported_type("application/pdf")
    assert is_supported_type(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    )
    assert not is_supported_type("image/png")
    assert not is_supported_type("text/css")
    assert not may_hold_document("http://s.example/a.PNG?x=1")
    assert may_hold_document("http://s.example/a.pdf")
    assert may_hold_document("http://s.example/v1.2/page")
