"""An answer found on the web stands on a result, and names it."""

from app.domain.background import WebResult
from app.text import patterns

_URL = patterns.compile(r"https?://[^\s<>()\[\]\"']+")
_NUMBER = patterns.compile(r"\d+(?:[.,:]\d+)*")
_WORD = patterns.compile(r"\w+")


def cited(answer: str, results: tuple[WebResult, ...]) -> str | None:
    """The answer with the address of the result it stands on.

    None where it stands on none: there is no result, or it holds a number or an address that no
    result holds.
    """
    said = answer.strip()
    known = {result.url for result in results}
    named = [url.rstrip(".,;:!?") for url in _URL.findall(said)]
    if not said or not results or not known.issuperset(named):
        return None
    if not _numbers(_URL.sub(" ", said)) <= {n for r in results for n in _numbers(_told(r))}:
        return None
    return said if named else f"{said} (source: {_nearest(said, results).url})"


def _told(result: WebResult) -> str:
    return f"{result.title} {result.text} {result.url}"


def _numbers(text: str) -> set[str]:
    """Its numbers by their digits alone: "1,200" is "1200"."""
    return {patterns.sub(r"\D", "", found) for found in _NUMBER.findall(text)}


def _nearest(said: str, results: tuple[WebResult, ...]) -> WebResult:
    """The result that holds most of the answer's words; the best one of equals."""
    words = set(_WORD.findall(said.casefold()))
    return max(results, key=lambda r: len(words & set(_WORD.findall(_told(r).casefold()))))
