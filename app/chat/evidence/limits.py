"""How far what a sentence says goes: what it limits to some, makes an exception of, or says of all."""

from collections.abc import Iterator
from functools import lru_cache

from app.chat.evidence.polarity import polarity
from app.chat.evidence.wording import root, tells, word_set, words_of
from app.text import patterns

_REMEMBERED = 4_096  # texts
_LIMITED = patterns.compile(
    r"\b(?:only|exclusively|solely|nur|ausschliesslich|ausschließlich|seulement|uniquement|solamente|únicamente)\b",
    patterns.IGNORECASE,
)
_EXCEPTED = patterns.compile(
    r"\b(?:except(?:ing|ed)?|unless|excluding|excludes?|other than|apart from|but not|provided|exempt(?:ed)?"
    r"|as long as|außer|ausgenommen|sofern|sauf|excepté|salvo|excepto)\b",
    patterns.IGNORECASE,
)
_IF = patterns.compile(r"\b(?:if|wenn|falls)\b", patterns.IGNORECASE)
_NOT_A_LIMIT = patterns.compile(
    r"\b(?:not|if|read|nicht)\s+(?:only|nur)\b|\bprovided\s+(?:by|with|in|to|for|on|at)\b",
    patterns.IGNORECASE,
)
_ENDS = patterns.compile(r"[,;:.!?()\u2014]|\s-\s")
_WHOLLY = word_set(
    "always everywhere anywhere everything anything everybody everyone anybody anyone immer uberall jederzeit"
    " toujours partout siempre"
)
_SPAN = {
    "hour": "hourly hour hours stunde stunden heure heures hora horas",
    "day": "daily day days tag tage tagen taglich jour jours dia dias",
    "week": "weekly week weeks woche wochen wochentlich semaine semaines semana semanas",
    "month": "monthly month months monat monate monaten monatlich mois mes meses",
    "quarter": "quarterly",
    "year": "yearly year years annual annually jahr jahre jahren jahrlich ans annee annees ano anos calendar",
}
_SPAN_OF = {word: span for span, line in _SPAN.items() for word in line.split()}
_NEAR = 4  # words beside "only" that it may be about


def goes_beyond(claim: str, source: str, language: str) -> bool:
    """Whether the claim leaves out what the source limits itself to, says "always" where that does not, or
    speaks of another span of time. `source` is a sentence, with what it leans on.
    """
    words = set(words_of(claim))
    held = set(words_of(source))
    if words & _WHOLLY and not held & _WHOLLY:
        return True
    if {_SPAN_OF[one] for one in words & _SPAN_OF.keys()} - {
        _SPAN_OF[one] for one in held & _SPAN_OF.keys()
    }:
        return True
    if _LIMITED.search(claim) or _EXCEPTED.search(claim) or _IF.search(claim):
        return False
    if _EXCEPTED.search(_NOT_A_LIMIT.sub(" ", source)) and not polarity(claim, language).denies:
        return True
    told = {root(one, language) for one in words}
    return any(not told & about for about in _limits(source, language))


@lru_cache(maxsize=_REMEMBERED)
def _limits(text: str, language: str) -> tuple[frozenset[str], ...]:
    """Of each limit the words that it is about, of which a claim has to have one."""
    return tuple(one for one in _found(_NOT_A_LIMIT.sub(" ", text), language) if one)


def _found(text: str, language: str) -> Iterator[frozenset[str]]:
    for one in _LIMITED.finditer(text):
        after = _stems(_ENDS.split(text[one.end() :])[0], language)[:_NEAR]
        before = _stems(_ENDS.split(text[: one.start()])[-1], language)[-1:]
        yield frozenset(after or before)
    for one in _IF.finditer(text):
        yield frozenset(_stems(_ENDS.split(text[one.end() :])[0], language))


def _stems(text: str, language: str) -> list[str]:
    return [root(one, language) for one in words_of(text) if tells(one)]
