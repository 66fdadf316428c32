"""The site that a page belongs to, as a search can be limited to it."""

from ipaddress import ip_address
from urllib.parse import urlsplit

# Names that are never on the public web: RFC 2606, 6761, 6762, 7686, 8375, 9476 and common intranets.
PRIVATE = frozenset(
    {"local", "localhost", "localdomain", "internal", "intranet", "private", "lan", "home", "corp"}
    | {"test", "example", "invalid", "onion", "alt", "home.arpa"}
)
# What country registries sell names under, as in "co.uk"; a label of the second level.
SECOND_LEVEL = frozenset(
    {"ac", "co", "com", "edu", "gob", "gouv", "gov", "govt", "gv", "ltd", "me", "mil", "muni", "ne"}
    | {"net", "nhs", "nom", "or", "org", "plc", "police", "sch", "school"}
)
# Where each customer has a name of its own one level further down.
HOSTING = frozenset(
    {"github.io", "gitlab.io", "vercel.app", "netlify.app", "pages.dev", "workers.dev", "web.app"}
    | {"firebaseapp.com", "herokuapp.com", "onrender.com", "fly.dev", "azurewebsites.net"}
    | {"cloudfront.net", "amazonaws.com", "myshopify.com", "blogspot.com", "wordpress.com"}
    | {"appspot.com", "run.app", "ngrok.io", "ngrok.app", "ngrok-free.app", "trycloudflare.com"}
    | {"zendesk.com", "atlassian.net", "my.salesforce.com", "sharepoint.com"}
)


def site_of(url: str) -> str | None:
    """The page's registrable domain: "example.co.uk" for "https://app.example.co.uk/x".

    None where a public search can know nothing of it: an address in numbers, this machine, a name
    of an intranet, or a page that is not of the web.
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return None
    labels = host.split(".")
    if parts.scheme not in {"http", "https"} or len(labels) < 2 or not all(labels):
        return None
    if _is_number(host) or PRIVATE & {labels[-1], ".".join(labels[-2:])}:
        return None
    taken = suffix_length(labels)
    return ".".join(labels[-taken - 1 :]) if len(labels) > taken else None


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return host.rpartition(".")[2].isdigit()
    return True


def suffix_length(labels: list[str]) -> int:
    """How many of the last labels anyone may take a name under."""
    for length in (3, 2):
        if ".".join(labels[-length:]) in HOSTING:
            return length
    country = len(labels[-1]) == 2
    return 2 if country and len(labels) > 2 and labels[-2] in SECOND_LEVEL else 1
