"""Whether an address to go to was named, or leads to where the person is already."""

from collections.abc import Iterable, Sequence
from urllib.parse import parse_qsl, unquote, urlsplit

from app.engines.provenance import tokens
from app.engines.provenance.sources import Source
from app.engines.provenance.tokens import Scan, bare_address, fold
from app.text import patterns
from app.text.languages import vocabulary

_COMMON_ENDINGS = frozenset({"com", "org", "net", "edu", "gov", "int"})
# Before the name of a site that is gone to; any other word of a goal may be someone's domain.
_GOING = vocabulary("addresses.going")
_SECOND_LEVEL = 3  # letters of "co", "com", "ac" before a country's own ending


def named(url: str, scans: Sequence[tuple[Source, Scan]]) -> tuple[Source, str] | None:
    """The source that gives the address: whole, or its site and every word of the way on it."""
    if (found := whole(url, scans)) is not None:
        return found
    host = _host(url)
    if not host:
        return None
    for source, scan in scans:
        excerpt = _names_host(host, scan)
        if excerpt is not None and _way(url) <= _known(source.origin, scans):
            return source, excerpt
    return None


def whole(url: str, scans: Sequence[tuple[Source, Scan]]) -> tuple[Source, str] | None:
    """The source that gives the address as it stands."""
    bare = f"u:{bare_address(url)}"
    for source, scan in scans:
        for at, token in enumerate(scan.tokens):
            if bare in token.keys:
                return source, scan.excerpt(at, at)
    return None


def names_host(hosts: Iterable[str], text: str) -> bool:
    """Whether the text names one of the hosts: "example.org", or "Example" for "example.com"."""
    read = tokens.scan(text)
    return any(_names_host(host.removeprefix("www."), read) is not None for host in hosts)


def same_site(url: str, current: str, known: frozenset[str]) -> bool:
    """Whether it stays on the current page's host, on a way made of words that are known."""
    return bool(_host(url)) and _host(url) == _host(current) and _way(url) <= known | _way(current)


def hints_of(url: str) -> frozenset[str]:
    """What a text must hold any of, to say something of the address: its site or words of its way."""
    site, _, _ = (_host(url) or url.casefold()).partition(".")
    return _way(url) | {site.replace("-", "")}


def may_name(hints: frozenset[str], text: str) -> bool:
    """Whether a text is worth scanning for an address with these hints: a page has thousands."""
    folded = fold(text)
    squeezed = patterns.sub(r"[\W_]", "", folded)
    return any(hint in folded or hint in squeezed for hint in hints)


def words_of(scans: Sequence[tuple[Source, Scan]]) -> frozenset[str]:
    """The words and numbers of texts, folded."""
    return frozenset(scan.word(at) for _, scan in scans for at in range(len(scan.tokens)))


def _known(_: str, scans: Sequence[tuple[Source, Scan]]) -> frozenset[str]:
    return words_of(scans)


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _way(url: str) -> frozenset[str]:
    """The words of the path, the query's values and the fragment."""
    parts = urlsplit(url)
    said = " ".join((parts.path, *(value for _, value in parse_qsl(parts.query)), parts.fragment))
    return frozenset(patterns.findall(r"[^\W_]+", fold(unquote(said))))


def _names_host(host: str, scan: Scan) -> str | None:
    """The text that names the host: "example.org", or "Example" for "www.example.com"."""
    labels = host.split(".")
    ending = labels[-1]
    cut = 2 if len(labels) > 2 and len(ending) == 2 and len(labels[-2]) <= _SECOND_LEVEL else 1
    site = "".join(labels[:-cut])
    for at, token in enumerate(scan.tokens):
        written = fold(scan.text[token.start : token.end])
        follows = scan.text[token.end :]
        whole = patterns.match(r"(?:[.-][\w-]+)*", follows)
        if whole and (written + whole[0].casefold()).removeprefix("www.") == host:
            return scan.text[token.start : token.end + whole.end()]
        if token.kind == "url" and _host(f"//{bare_address(scan.excerpt(at, at))}") == host:
            return scan.excerpt(at, at)
    if len(labels) - cut != 1 or not (ending in _COMMON_ENDINGS or len(ending) == 2):
        return None
    for first in range(len(scan.tokens)):
        if first and scan.word(first - 1) not in _GOING:
            continue
        joined = ""
        for last in range(first, min(first + 4, len(scan.tokens))):
            joined += patterns.sub(r"\W", "", scan.word(last))
            if joined == site.replace("-", ""):
                return scan.excerpt(first, last)
    return None
