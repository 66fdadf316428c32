"""Which sites a run may use: where it began, what the person named, and what the tenant allows."""

from collections.abc import Iterable

from app.domain.access import Policy, site_matches, site_of
from app.domain.action import Action
from app.domain.background import Background
from app.domain.hitl import Approval
from app.domain.reasoner import Situation
from app.provenance import mentions_host
from app.search.site import suffix_length

ABOUT_SITES = frozenset({"outside", "new_site"})
_GOES = frozenset({"navigate", "openTab"})


def organisation(site: str) -> str:
    """The organisation of a site: `clinic.example` for `accounts.clinic.example:8443`.

    Numeric addresses and names without a dot stand for themselves, port included.
    """
    labels = site.partition(":")[0].split(".")
    if len(labels) < 2 or site.startswith("[") or labels[-1].isdigit():
        return site
    taken = suffix_length(labels)
    return ".".join(labels[-taken - 1 :])


def is_alike(site: str, others: Iterable[str]) -> bool:
    """Whether the site is one of the others, or of the same organisation."""
    known = [other for other in others if other]
    if site in known:
        return True
    own = organisation(site)
    return any(own == organisation(other) for other in known)


def destination_site(action: Action) -> str | None:
    """The site that the action's address leads to; None without an address."""
    return site_of(str(action.args["url"])) if action.name in _GOES else None


def is_allowed(site: str, situation: Situation, policy: Policy) -> bool:
    """Whether the run may open the site unasked: the person began or acted there, named it or agreed to
    it, or the tenant lists it.
    """
    background = situation.background
    if not site or not background.sites:
        return True
    theirs = (site_of(one.url) for one in background.acts)
    if is_alike(site, (background.sites[0], *theirs, *agreed_sites(background))):
        return True
    return site_matches(site, policy.action_domains, below=True) or _is_named(site, situation.told)


def is_known(site: str, situation: Situation, policy: Policy) -> bool:
    """Whether the run may act on the site unasked: it may open it, or earlier tasks acted there."""
    return is_alike(site, situation.background.sites) or is_allowed(site, situation, policy)


def is_listed(site: str, situation: Situation, policy: Policy) -> bool:
    """Whether the tenant allows the site: no list exists, it is listed, or the person agreed to it."""
    if not policy.action_domains or not site:
        return True
    if site_matches(site, policy.action_domains, below=True):
        return True
    return is_alike(site, agreed_sites(situation.background))


def agreed_sites(background: Background) -> tuple[str, ...]:
    """The sites that the person agreed to in this run."""
    return tuple(one.site for one in background.approved if one.site)


def is_about_site(asked: Approval) -> bool:
    """Whether the question is about the site."""
    return not ABOUT_SITES.isdisjoint(asked.effects)


def _is_named(site: str, told: str) -> bool:
    """Whether the words name it, or its parent domain at the same organisation."""
    own, host = organisation(site), site.partition(":")[0]
    above = host.removesuffix(own).rstrip(".").split(".") if host.endswith(own) else []
    names = [".".join((*above[at:], own)) for at in range(len(above)) if above[at]]
    return mentions_host((own.partition(":")[0], host, *names), told)
