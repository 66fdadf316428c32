"""Checks whether a source names an address, or the address is on the current site."""

from collections.abc import Iterable
from urllib.parse import parse_qsl, unquote, urlsplit

from app.provenance.sources import Source
from app.provenance.tokens import Scan, bare_address, fold, scan_text
from app.provenance.value_match import Scanned
from app.text import patterns
from app.text.vocabulary import vocabulary

_COMMON_ENDINGS = frozenset({"com", "org", "net", "edu", "gov", "int"})
# Words before a site to visit; any other word of a goal may be someone's domain.
_GOING = vocabulary("addresses.going")
_SECOND_LEVEL = 3  # letters of "co", "com", "ac" before a country code
_MOST_WORDS = 4  # letters of a site's name


def find_named_address(url: str, scans: Scanned) -> tuple[Source, str] | None:
    """Return the source that names the address: completely, or its site and every word of its path."""
    if (found := find_whole_address(url, scans)) is not None:
        return found
    host = _host(url)
    if not host or not _way(url) <= fold_scans(text for _, text in scans):
        return None
    named = ((source, _names_host(host, text)) for source, text in scans)
    return next(((source, said) for source, said in named if said is not None), None)


def find_whole_address(url: str, scans: Scanned) -> tuple[Source, str] | None:
    """Return the source that contains the complete address."""
    bare = f"u:{bare_address(url)}"
    for source, text in scans:
        for at, token in enumerate(text.tokens):
            if bare in token.keys:
                return source, text.excerpt(at, at)
    return None


def mentions_host(hosts: Iterable[str], text: str) -> bool:
    """Whether the text names one of the hosts: "example.org", or "Example" for "example.com"."""
    read = scan_text(text)
    return any(_names_host(host.removeprefix("www."), read) is not None for host in hosts)


def is_same_site(url: str, current: str, known: frozenset[str]) -> bool:
    """Whether the address is on the current host with a path of known words."""
    return bool(_host(url)) and _host(url) == _host(current) and _way(url) <= known | _way(current)


def may_mention_address(url: str, text: str) -> bool:
    """Whether the text has the site or a word of the path and is worth scanning."""
    site = (_host(url) or url.casefold()).partition(".")[0].replace("-", "")
    folded = fold(text)
    return site in patterns.sub(r"[\W_]", "", folded) or any(one in folded for one in _way(url))


def fold_scans(scans: Iterable[Scan]) -> frozenset[str]:
    """Return the folded words and numbers of texts."""
    return frozenset(text.word(at) for text in scans for at in range(len(text.tokens)))


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _way(url: str) -> frozenset[str]:
    """Return the words of the path, query values and fragment."""
    parts = urlsplit(url)
    said = " ".join((parts.path, *(value for _, value in parse_qsl(parts.query)), parts.fragment))
    return frozenset(patterns.findall(r"[^\W_]+", fold(unquote(said))))


def _names_host(host: str, text: Scan) -> str | None:
    """Return the text that names the host: "example.org", or "Example" for "www.example.com"."""
    for at, token in enumerate(text.tokens):
        rest = patterns.match(r"(?:[.-][\w-]+)*", text.text[token.end :])
        written = text.text[token.start : token.end + (rest.end() if rest else 0)]
        address = text.excerpt(at, at)
        if fold(written).removeprefix("www.") == host:
            return written
        if token.kind == "url" and _host(f"//{bare_address(address)}") == host:
            return address
    *site, ending = host.split(".")
    if len(site) > 1 and len(ending) == 2 and len(site[-1]) <= _SECOND_LEVEL:
        site.pop()
    if len(site) != 1 or not (ending in _COMMON_ENDINGS or len(ending) == 2):
        return None
    for first in range(len(text.tokens)):
        if first and text.word(first - 1) not in _GOING:
            continue
        joined = ""
        for last in range(first, min(first + _MOST_WORDS, len(text.tokens))):
            joined += patterns.sub(r"\W", "", text.word(last))
            if joined == site[0].replace("-", ""):
                return text.excerpt(first, last)
    return None
