"""When two addresses are the same page, and when two pages are of the same site; pure."""

from functools import lru_cache
from urllib.parse import unquote_plus, urljoin

import httpx

from app.errors import AddressRefused
from app.net.guard import LONGEST, NOT_AN_ADDRESS, PORTS, parsed
from app.text import patterns

# Parameters that say where a visitor came from, or which visit this is, and never which page is meant.
# Google's and Matomo's campaigns, the click ids of advertisers and mailers, and session ids in links.
_TRACKING = patterns.compile(
    r"utm_.*|mtm_.*|pk_(campaign|kwd|source|medium)|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|ttclid"
    r"|twclid|igshid|li_fat_id|mc_(cid|eid)|_ga|_gl|_hs(enc|mi)|vero_id|oly_(anon|enc)_id"
    r"|phpsessid|jsessionid|sessionid|aspsessionid.*",
    patterns.IGNORECASE,
)
_SESSION_IN_PATH = patterns.compile(r";(jsessionid|phpsessid|sid)=[^/;]*", patterns.IGNORECASE)
_INDEX = patterns.compile(r"(?<=/)(index|default)\.(html?|php|aspx?|jsp)$", patterns.IGNORECASE)
_UNRESERVED = patterns.compile(r"%([0-9A-Fa-f]{2})")
_SIMPLE = patterns.compile(
    r"https?://(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*(?:/[A-Za-z0-9_~-][A-Za-z0-9_~.-]*)*/?"
)
_REMEMBERED = 20_000  # addresses; the links of a site's menu are on each of its pages
LAST_PORT = 65_535
_SHORT = 250  # characters; longer addresses are not remembered, so that they cannot fill the memory
_PLAIN = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def normal(url: str) -> str:
    """The address as it is fetched and kept: host in lower case, without the scheme's own port, fragment,
    tracking parameters and session ids, escapes spelled one way. Raises `AddressRefused` for what is no
    address of a page.
    """
    text = url.strip()
    return _remembered(text) if len(text) < _SHORT else _normal(text)


def _normal(url: str) -> str:
    if len(url) <= LONGEST and _SIMPLE.fullmatch(url):  # as most are; the guard looks at it anyway
        return url if url.count("/") > 2 else f"{url}/"
    read = parsed(url)
    if (read.port or 0) > LAST_PORT:
        raise AddressRefused(NOT_AN_ADDRESS)
    path, _, query = read.raw_path.decode("ascii").partition("?")
    path = _SESSION_IN_PATH.sub("", _spelled(path)) or "/"
    kept = "&".join(part for part in _spelled(query).split("&") if part and not _tracks(part))
    return f"{read.scheme}://{_authority(read)}{path}{'?' + kept if kept else ''}"


@lru_cache(maxsize=_REMEMBERED)
def _remembered(url: str) -> str:
    return _normal(url)


def joined(base: str, link: str) -> str | None:
    """The address that a link on the page at `base` leads to; None where it leads to no page."""
    try:
        return normal(urljoin(base, link.strip().replace(" ", "%20")))
    except (AddressRefused, httpx.InvalidURL, ValueError):
        return None


def key(url: str) -> str:
    """One spelling for what most often is the same page, of an address that is `normal`: parameters in
    order, no trailing `index.html`. It need not itself be an address that answers.
    """
    place, _, query = url.partition("?")
    scheme, _, rest = place.partition("://")
    authority, _, path = rest.partition("/")
    path = _INDEX.sub("", f"/{path}")
    ordered = "&".join(sorted(query.split("&"))) if query else ""
    return f"{scheme}://{authority}{path}{'?' + ordered if ordered else ''}"


def site(url: str) -> str:
    """The site of an address: its host without a leading `www.`, with a port that is not the scheme's own.
    The scheme does not matter.
    """
    return url.partition("://")[2].partition("/")[0].partition("?")[0].removeprefix("www.")


def origin(url: str) -> str:
    """Scheme, host and port, which is what a robots.txt is for (RFC 9309)."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0].partition('?')[0]}"


def _authority(read: httpx.URL) -> str:
    host = read.raw_host.decode("ascii").lower()
    host = f"[{host}]" if ":" in host else host
    own = read.port is None or read.port == PORTS[read.scheme]
    return host if own else f"{host}:{read.port}"


def _tracks(part: str) -> bool:
    return _TRACKING.fullmatch(unquote_plus(part.partition("=")[0])) is not None


def _spelled(text: str) -> str:
    """Escapes of letters that need none undone, the others in upper case (RFC 3986, 6.2.2)."""

    def one(found: patterns.Match) -> str:
        letter = chr(int(found[1], 16))
        return letter if letter in _PLAIN else found[0].upper()

    return _UNRESERVED.sub(one, text)
