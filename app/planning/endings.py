"""What a model may tell the person at the end: no success that nothing shows, and no way to anywhere.

A model that was taken in by a page says that all is done where nothing was, and sends the person to an
address of the page's choosing. Its words are what the person goes by, so both are checked here.
"""

from app.domain.plan import Outcome
from app.domain.reasoner import Situation
from app.text import patterns
from app.text.lexicon import pattern, words
from app.text.vocabulary import stems

LEFT_OUT = "[an address that was left out]"
_LINK_PATTERN = patterns.compile(
    r"(?:https?|ftp|hxxps?)\s?:\s?//\S+|www\.\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?<![\w@.-])(?:[a-z0-9-]{2,}\.)+(?:com|net|org|io|info|biz|app|dev|xyz|ru|cn|co|me|site|online|top"
    r"|shop|link|click|live|example)\b(?:/\S*)?",
    patterns.IGNORECASE,
)
_WANTS_ADDRESS = pattern(stems("addresses.wanted"))


def told(message: str, situation: Situation) -> Outcome:
    """The end of a run in a model's words, where they may be said."""
    return Outcome(status="completed", message=shown(message, situation))


def shown(message: str, situation: Situation) -> str:
    """The message without addresses that the person did not speak of and did not ask for.

    Kept are those of the site that is open, of the team's documents, and of what a search cited.
    """
    told = situation.told
    if _WANTS_ADDRESS.search(words(told)):
        return message
    known = situation.background
    sources = [told, _host(situation.page.url)]
    sources += [one.url or "" for one in known.knowledge]
    sources += [one.text for one in known.knowledge]
    sources += [one.url for search in known.searches for one in search.results]
    allowed = "\n".join(sources).casefold()
    return _LINK_PATTERN.sub(
        lambda found: found[0] if _site(found[0]) in allowed else LEFT_OUT, message
    )


def _site(address: str) -> str:
    """The host of an address, or the whole of one of mail."""
    bare = patterns.sub(r"^\w+\s?:\s?//", "", address.casefold()).rstrip(".,;:!?)\"'")
    return (
        bare
        if "@" in bare.split("/")[0]
        else patterns.split(r"[/?#]", bare)[0].removeprefix("www.")
    )


def _host(url: str) -> str:
    return patterns.sub(r"^\w+://|[/?#].*$", "", url)
