"""What is known besides the page, as a model reads it: all of it in the fence."""

from collections.abc import Iterable, Sequence

from app.domain.background import Background, WebResult, WebSearch
from app.reasoners.model.bounds import (
    LONGEST_DECISION,
    LONGEST_FOUND,
    LONGEST_NOTE,
    LONGEST_REMEMBERED,
    LONGEST_TEXT,
    MOST_DECISIONS,
    MOST_EPISODES,
    MOST_FACTS,
    MOST_FOUND,
    MOST_HINTS,
    MOST_LISTED,
    MOST_REMEMBERED,
    cut,
)
from app.reasoners.model.writer import Writer


def known(background: Background, write: Writer) -> list[str]:
    """What was remembered, looked up, read and handed on."""
    return [
        write.fenced("Conversation before", *_remembered(background)),
        write.fenced("Documents of the team", *_passages(background)),
        *(write.fenced("Web search", part) for part in _searches(background)),
        write.fenced("Handed on by earlier parts", *_pairs(background.handed)),
        write.fenced("Read from pages", *_pairs(background.read)),
        write.fenced("Hints from earlier tasks", *_hints(background)),
        write.fenced("Decisions of operators", *_decisions(background)),
    ]


def _remembered(background: Background) -> Iterable[str]:
    for line in background.memory[-MOST_REMEMBERED:]:
        yield f"{line.role}: {cut(line.content, LONGEST_REMEMBERED)}"


def _passages(background: Background) -> Iterable[str]:
    for passage in background.knowledge[:MOST_FOUND]:
        yield f"{cut(passage.cited, LONGEST_NOTE)}: {cut(passage.text, LONGEST_FOUND)}"


def _searches(background: Background) -> Iterable[str]:
    return ("\n".join(_search(one)) for one in background.searches[-MOST_FOUND:])


def _search(search: WebSearch) -> Iterable[str]:
    yield f"needed: {cut(search.need, LONGEST_TEXT)}"
    if search.unavailable:
        yield f"could not be searched: {cut(search.unavailable, LONGEST_NOTE)}"
    elif search.solved and search.answer:
        yield f"found: {cut(search.answer, LONGEST_FOUND)}"
    elif search.results:
        yield from results(search.results)
    else:
        yield "nothing found"


def results(found: Sequence[WebResult]) -> Iterable[str]:
    """Search results, a line each."""
    for result in found[:MOST_FOUND]:
        title, url = cut(result.title, LONGEST_NOTE), cut(result.url, LONGEST_TEXT)
        yield f"{title} {url}: {cut(result.text, LONGEST_FOUND)}"


def tried_before(background: Background, write: Writer) -> str:
    """What came of goals like this one on this site, for whoever plans."""
    return write.fenced("Tried before", *_episodes(background))


def _episodes(background: Background) -> Iterable[str]:
    for one in background.episodes[:MOST_EPISODES]:
        yield f"{cut(one.goal, LONGEST_NOTE)}: {cut(one.summary, LONGEST_TEXT)}"
        yield from (
            f"- the page said: {cut(fact, LONGEST_NOTE)}" for fact in one.facts[:MOST_FACTS]
        )


def _pairs(values: dict[str, str]) -> Iterable[str]:
    for name, value in list(values.items())[-MOST_LISTED:]:
        yield f"{cut(name, LONGEST_NOTE)}: {cut(value, LONGEST_FOUND)}"


def _decisions(background: Background) -> Iterable[str]:
    return (cut(one.line, LONGEST_DECISION) for one in background.advice[:MOST_DECISIONS])


def _hints(background: Background) -> Iterable[str]:
    return (cut(hint, LONGEST_TEXT) for hint in background.hints[:MOST_HINTS])
