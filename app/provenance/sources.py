"""Lists the sources of values in search order."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from app.domain.action import Origin
from app.domain.page import Node, Observation, Tree
from app.domain.reasoner import Background, Situation
from app.provenance.tokens import fold

PERSON_ORIGINS: frozenset[Origin] = frozenset({"goal", "answer"})
"""The person's words for this task; the only origin of a password."""
GIVEN_ORIGINS: frozenset[Origin] = PERSON_ORIGINS | {"subtask"}
"""Texts given for this task; a match needs no relation to the field."""

MOST_LINES = 200  # lines of all files, for one value
MAIN = 0  # the frame of the top page
OTHER_TAB = -1  # in another tab


@dataclass(frozen=True, slots=True)
class Source:
    """A text that may contain a value. `frame`: the frame of a page's text, else None."""

    origin: Origin
    text: str
    ref: str | None = None
    frame: int | None = None


def list_sources(
    situation: Situation,
    node: Node | None = None,
    needles: Set[str] = frozenset(),
    value: str = "",
) -> Iterator[Source]:
    """Yield all sources, the person's words first. `node` is the field for the value.

    Texts of pages and files must contain all folded needles; only the few best file matches of
    `value` are included.
    """
    yield from given_sources(situation)
    background = situation.background
    for line in reversed(background.memory):
        yield Source("memory", line.content, line.role)
    for passage in background.knowledge:
        origin: Origin = "knowledge" if passage.vouched else "search"
        yield Source(origin, f"{passage.title}\n{passage.text}", passage.url or passage.cited)
    for search in background.searches:
        for result in search.results:  # not the answer, which is a model's own words
            yield Source("search", f"{result.title}\n{result.text}", result.url)
    for question, text in background.extracts.items():
        yield Source("page", text, question, frame=MAIN)
    yield from _file_sources(background, needles, value)
    for source in _page_sources(situation.page, node):
        if _contains_all(source.text, needles):
            yield source


def given_sources(situation: Situation) -> Iterator[Source]:
    """Yield the person's words and outputs of sub-tasks; a model's own words are not a source."""
    yield Source("goal", situation.stated_goal)
    for answer in reversed(situation.background.answers):  # the latest words come first
        yield Source("answer", answer.text, answer.question)
    for name, value in situation.background.subtask_outputs.items():
        yield Source("subtask", value, name)


def is_other_frame(source: Source, node: Node | None) -> bool:
    """Whether the source is in another frame than the field: values do not cross sites."""
    return node is not None and source.frame is not None and source.frame != node.frame


def _file_sources(background: Background, needles: Set[str], value: str) -> list[Source]:
    """Return lines of downloads, limited because scanning one takes a millisecond."""
    lines = (
        Source("page", line, file.url, frame=MAIN)
        for file in background.downloads
        for line in (file.name, *file.lines)
        if _contains_all(line, needles)
    )
    words = [word.strip(",;:.") for word in fold(value).split()]
    ranked = [(line, sum(word in fold(line.text) for word in words)) for line in lines]
    return [line for line, _ in sorted(ranked, key=lambda one: -one[1])[:MOST_LINES]]


def _contains_all(text: str, needles: Iterable[str]) -> bool:
    folded = fold(text)
    return all(needle in folded for needle in needles)


def _page_sources(page: Observation, field: Node | None) -> Iterator[Source]:
    for text, frame in control_texts(page.tree, field):
        yield Source("page", text, page.url, frame=frame)
    messages = (*page.successes, page.title, *(dialog.message for dialog in page.dialogs))
    for text in (*messages, page.summary):
        yield Source("page", text, page.url, frame=MAIN)
    yield Source("page", page.url, page.url, frame=MAIN)
    for tab in page.tabs:
        yield Source("page", f"{tab.title}\n{tab.url}", tab.url, frame=OTHER_TAB)


def control_texts(tree: Tree, field: Node | None = None) -> dict[tuple[str, int], None]:
    """Return the distinct texts of controls and their surroundings, with frames.

    The field's own name and options are no source of its value. Placeholders are left out, since
    they show a format.
    """
    found: dict[tuple[str, int], None] = {}
    for node in tree:
        is_own = field is not None and node.id == field.id
        texts = [label for _, label in node.groups if label]
        if node.value:
            texts.append(f"{node.name}: {node.value}" if node.name else node.value)
        elif node.name and not is_own:
            texts.append(node.name)
        if not (is_own and node.role == "inp"):
            texts += node.options
        found.update(dict.fromkeys((text, node.frame) for text in texts))
    return found
