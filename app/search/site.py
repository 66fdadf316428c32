"""Finds the site that a page belongs to, to restrict a search to it."""

from ipaddress import ip_address
from urllib.parse import urlsplit

# Names outside the public web: RFC 2606, 6761, 6762, 7686, 8375, 9476 and common intranets.
PRIVATE = frozenset(
    {"local", "localhost", "localdomain", "internal", "intranet", "private", "lan", "home", "corp"}
    | {"test", "example", "invalid", "onion", "alt", "home.arpa"}
)
# Second-level labels that country registries sell names under, as in "co.uk".
SECOND_LEVEL = frozenset(
    {"ac", "co", "com", "edu", "gob", "gouv", "gov", "govt", "gv", "ltd", "me", "mil", "muni", "ne"}
    | {"net", "nhs", "nom", "or", "org", "plc", "police", "sch", "school"}
)
# Domains that give each customer a subdomain.
HOSTING = frozenset(
    {"github.io", "gitlab.io", "vercel.app", "netlify.app", "pages.dev", "workers.dev", "web.app"}
    | {"firebaseapp.com", "herokuapp.com", "onrender.com", "fly.dev", "azurewebsites.net"}
    | {"cloudfront.net", "amazonaws.com", "myshopify.com", "blogspot.com", "wordpress.com"}
    | {"appspot.com", "run.app", "ngrok.io", "ngrok.app", "ngrok-free.app", "trycloudflare.com"}
    | {"zendesk.com", "atlassian.net", "my.salesforce.com", "sharepoint.com"}
)


def site_of(url: str) -> str | None:
    """The page's registrable domain: "example.co.uk" for "https://app.example.co.uk/x".

    None if public search cannot know the site: an IP address, this machine, an intranet name, or a page
    that is not on the web.
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
    """The number of trailing labels that form a public suffix."""
    for length in (3, 2):
        if ".".join(labels[-length:]) in HOSTING:
            return length
    country = len(labels[-1]) == 2
    return 2 if country and len(labels) > 2 and labels[-2] in SECOND_LEVEL else 1
