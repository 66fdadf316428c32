"""Where values may come from, in the order in which they are looked for."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.domain.background import Origin
from app.domain.page import Node, Observation
from app.engines.reasoner import Situation

PERSONS: frozenset[Origin] = frozenset({"goal", "answer"})
"""What a person said for this very task; the only place a password may come from."""
GIVEN: frozenset[Origin] = PERSONS | {"subtask"}
"""What was meant for this task: it need not show that it belongs to the field."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text that may hold a value. `whole`: it is one thing, such as a control's value or name,
    and no running text.
    """

    origin: Origin
    text: str
    ref: str | None = None
    whole: bool = False


def sources(situation: Situation, node: Node | None = None) -> Iterator[Source]:
    """All sources, what the person said first. `node` is the field that is to hold the value."""
    yield from given(situation)
    background = situation.background
    for line in reversed(background.memory):
        yield Source("memory", line.content, line.role)
    for passage in background.knowledge:
        yield Source("knowledge", f"{passage.title}\n{passage.text}", passage.url or passage.title)
    for search in background.searches:
        for result in search.results:  # before the answer: a page is cited, not our own words
            yield Source("search", f"{result.title}\n{result.text}", result.url)
        if search.answer:
            yield Source("search", search.answer, search.query or search.need)
    for question, text in background.read.items():
        yield Source("page", text, question)
    yield from _page(situation.page, node)


def given(situation: Situation) -> Iterator[Source]:
    """What was said for this task, and what its earlier parts handed on.

    A model's own words are no source: neither plan nor sub-tasks' goals are here.
    """
    yield Source("goal", situation.goal)
    for answer in reversed(situation.background.answers):  # what was said last counts first
        yield Source("answer", answer.text, answer.question, whole=True)
    for name, value in situation.background.handed.items():
        yield Source("subtask", value, name, whole=True)


def _page(page: Observation, field: Node | None) -> Iterator[Source]:
    """What the page says. Hints are left out, and the field's own name: placeholders show a format
    ("john@example.com") and nobody's value.
    """
    seen: set[str] = set()
    for node in page.tree:
        for label in (label for _, label in node.groups):
            if label and label not in seen:
                seen.add(label)
                yield Source("page", label, page.url, whole=True)
        if node.value:
            named = f"{node.name}: {node.value}" if node.name else node.value
            yield Source("page", named, page.url, whole=True)
        elif node.name and (field is None or node.id != field.id):
            yield Source("page", node.name, page.url, whole=True)
        if node.options and (field is None or node.id != field.id or node.role != "inp"):
            for option in node.options:
                yield Source("page", option, page.url, whole=True)
    for text in (*page.successes, page.title, *(dialog.message for dialog in page.dialogs)):
        yield Source("page", text, page.url)
    yield Source("page", page.summary, page.url)
    yield Source("page", page.url, page.url, whole=True)
    for tab in page.tabs:
        yield Source("page", f"{tab.title}\n{tab.url}", tab.url)
