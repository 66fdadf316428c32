"""What the guard allows: by syntax, name, port and allow-list."""

import pytest

from app.errors import AddressRefused, FetchFailed
from app.net.guard import LONGEST, Guard
from app.net.policy import Allowed, Policy

PUBLIC = "93.184.216.34"


class Names:
    """A name server of two columns that counts."""

    def __init__(self, **known: list[str]) -> None:
        self.known = {name.replace("_", "."): found for name, found in known.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        if host not in self.known:
            raise OSError("no such name")
        return self.known[host]


NAMES = {
    "site_example": [PUBLIC, "2606:2800:220:1::1"], "mixed_example": [PUBLIC, "10.0.0.7"],
    "wiki_corp": ["10.2.0.7"], "meta_example": ["169.254.169.254"], "wiki": [PUBLIC],
    "metadata_google_internal": ["169.254.169.254"], "xn--bcher-kva_example": [PUBLIC],
    "rebound_example": ["127.0.0.1"], "odd_example": ["nonsense"], "none_example": [],
}  # fmt: skip


def guard(*allowed: str) -> Guard:
    return Guard(Policy.of(allowed), Names(**NAMES))


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("HTTP://Site.Example", "http://site.example/"),
        ("https://site.example.:443/a b".replace(" ", "%20"), "https://site.example/a%20b"),
        ("http://site.example:8080/a?b=c#d", "http://site.example:8080/a?b=c"),
        ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
        ("http://93.184.216.34/", "http://93.184.216.34/"),
        ("http://[2606:2800:220:1::1]:8080/", "http://[2606:2800:220:1::1]:8080/"),
    ],
)
async def test_normalizes_a_plain_address(given: str, meant: str) -> None:
    assert (await guard().check(given)).url == meant


@pytest.mark.parametrize(
    "url",
    [
        "", "site.example", "//site.example/", "ftp://site.example/", "file:///etc/passwd",
        "gopher://site.example/", "javascript:alert(1)", "http:/site.example", "http:///site.example",
        "http://:80/", "http://user@site.example/", "http://user:pass@site.example/", "http://@site.example",
        "http://site.example\\@wiki.corp/", "http:\\\\site.example", "http://site.example/\r\nHost: x",
        "http://site.example/\x00", "http://site .example", " http://site.example", "http://site.example\t",
        "http://site..example", "http://site.example..", "http://-site.example", "http://sit%65.example",
        "http://site.example:0x50/", "http://site.example:80:80/", "http://[::1", "http://[v1.a]/",
        "http://site\u2024example\u200b/", "http://site.example\u2044x@y/", f"http://{'a' * 64}.example/",
        f"http://site.example/{'a' * LONGEST}", "http://\ud800.example/", "http://site.example/\ud800",
    ],
)  # fmt: skip
async def test_rejects_ambiguous_urls(url: str) -> None:
    with pytest.raises(AddressRefused):
        await guard().check(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "http://printer.local/",
        "http://metadata.google.internal/", "http://metadata/", "http://wiki/", "http://wiki.corp/",
        "http://mixed.example/", "http://meta.example/", "http://rebound.example/", "http://odd.example/",
        "http://site.example:22/", "http://site.example:0/", "http://site.example:6379/",
        "http://[fe80::1%25eth0]/", "http://[fd12::1]/",
    ],
)  # fmt: skip
async def test_rejects_what_is_not_on_the_public_web(url: str) -> None:
    with pytest.raises(AddressRefused) as refused:
        await guard().check(url)
    assert not any(part in refused.value.detail for part in ("10.", "127.", "169.", "wiki"))


@pytest.mark.parametrize("url", ["http://unknown.example/", "http://none.example/"])
async def test_reports_an_unknown_name(url: str) -> None:
    with pytest.raises(FetchFailed):
        await guard().check(url)


async def test_resolves_a_name_once_and_pins_all_addresses() -> None:
    names = Names(**NAMES)
    pinned = await Guard(Policy(), names).check("https://site.example/")
    assert [str(address) for address in pinned.addresses] == NAMES["site_example"]
    assert names.asked == ["site.example"]


@pytest.mark.parametrize(
    ("allowed", "url"),
    [
        ("wiki.corp", "https://wiki.corp/"), ("*.corp", "http://wiki.corp/"), ("WIKI.corp.", "http://wiki.corp/"),
        ("10.2.0.0/16", "http://wiki.corp:8080/"), ("10.2.0.7", "http://10.2.0.7/"), ("wiki", "http://wiki/"),
        ("wiki.corp:8090", "http://wiki.corp:8090/"), ("10.2.0.7:99", "http://wiki.corp:99/"),
        ("[fd12::1]:99", "http://[fd12::1]:99/"), ("fd12::/16", "http://[fd12::1]/"),
        ("site.example:8000", "http://site.example:8000/"),
    ],
)  # fmt: skip
async def test_operator_may_allow_a_host_or_a_network(allowed: str, url: str) -> None:
    assert (await guard(allowed).check(url)).url == url


@pytest.mark.parametrize(
    ("allowed", "url"),
    [
        ("wiki.corp", "http://other.wiki.corp/"), ("*.corp", "http://wikicorp/"), ("wiki.corp", "http://10.2.0.7/"),
        ("wiki.corp:8090", "http://wiki.corp/"), ("wiki.corp", "http://wiki.corp:8090/"),
        ("10.2.0.0/16", "http://mixed.example/"), ("10.2.0.0/16", "http://[::ffff:10.2.0.7]/"),
        ("0.0.0.0/0", "http://169.254.169.254/"), ("meta.example", "http://meta.example/"),
        ("*.google.internal", "http://metadata.google.internal/"), ("::/0", "http://[fd00:ec2::254]/"),
    ],
)  # fmt: skip
async def test_allows_only_what_is_listed_and_no_metadata_service(allowed: str, url: str) -> None:
    with pytest.raises((AddressRefused, FetchFailed)):
        await guard(allowed).check(url)


@pytest.mark.parametrize(
    "entry", ["", "http://wiki.corp", "wiki.corp/a", "10.2.0.0/99", "a b", "10.2.0.1/16", "*"]
)
def test_rejects_an_invalid_entry(entry: str) -> None:
    with pytest.raises(ValueError, match="not a host or a network"):
        Allowed.of(entry)
