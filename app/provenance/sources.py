"""The sources of values, in the order in which they are searched."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from app.domain.action import Origin
from app.domain.background import Background
from app.domain.page import Node, Observation, Tree
from app.domain.reasoner import Situation
from app.provenance.tokens import fold

PERSONS: frozenset[Origin] = frozenset({"goal", "answer"})
"""What a person said for this very task; the only place a password may come from."""
GIVEN: frozenset[Origin] = PERSONS | {"subtask"}
"""What was meant for this task: it need not show that it belongs to the field."""

MOST_LINES = 200  # of all files, for one value
MAIN = 0  # the frame that is the page itself
NOWHERE = -1  # another tab's


@dataclass(frozen=True, slots=True)
class Source:
    """A text that may hold a value. `frame`: the frame of a page's text, else None."""

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
    """All sources, the person's words first. `node` is the field for the value.

    Of pages and files, only texts with each folded needle; of files only a few, best matches of
    `value` first.
    """
    yield from given_sources(situation)
    background = situation.background
    for line in reversed(background.memory):
        yield Source("memory", line.content, line.role)
    for passage in background.knowledge:
        origin: Origin = "knowledge" if passage.vouched else "search"
        yield Source(origin, f"{passage.title}\n{passage.text}", passage.url or passage.cited)
    for search in background.searches:
        for result in search.results:  # and not the answer: that is a model's own words
            yield Source("search", f"{result.title}\n{result.text}", result.url)
    for question, text in background.extracts.items():
        yield Source("page", text, question, frame=MAIN)
    yield from _files(background, needles, value)
    for shown in _page(situation.page, node):
        if _holds(shown.text, needles):
            yield shown


def given_sources(situation: Situation) -> Iterator[Source]:
    """The person's words for this task, and outputs of earlier sub-tasks.

    A model's own words (plans, goals of sub-tasks) are no source.
    """
    yield Source("goal", situation.said)
    for answer in reversed(situation.background.answers):  # what was said last counts first
        yield Source("answer", answer.text, answer.question)
    for name, value in situation.background.subtask_outputs.items():
        yield Source("subtask", value, name)


def is_other_frame(source: Source, node: Node | None) -> bool:
    """Whether it is in another frame than the field: values of one site are not for another."""
    return node is not None and source.frame is not None and source.frame != node.frame


def _files(background: Background, needles: Set[str], value: str) -> list[Source]:
    """Lines of downloads. Scanning a line takes a millisecond and tables have many, so the number is
    limited.
    """
    lines = (
        Source("page", line, file.url, frame=MAIN)
        for file in background.downloads
        for line in (file.name, *file.lines)
        if _holds(line, needles)
    )
    words = [word.strip(",;:.") for word in fold(value).split()]
    told = [(line, sum(word in fold(line.text) for word in words)) for line in lines]
    return [line for line, _ in sorted(told, key=lambda one: -one[1])[:MOST_LINES]]


def _holds(text: str, needles: Iterable[str]) -> bool:
    folded = fold(text)
    return all(needle in folded for needle in needles)


def _page(page: Observation, field: Node | None) -> Iterator[Source]:
    for text, frame in control_texts(page.tree, field):
        yield Source("page", text, page.url, frame=frame)
    messages = (*page.successes, page.title, *(dialog.message for dialog in page.dialogs))
    for text in (*messages, page.summary):
        yield Source("page", text, page.url, frame=MAIN)
    yield Source("page", page.url, page.url, frame=MAIN)
    for tab in page.tabs:
        yield Source("page", f"{tab.title}\n{tab.url}", tab.url, frame=NOWHERE)


def control_texts(tree: Tree, field: Node | None = None) -> dict[tuple[str, int], None]:
    """The texts of controls and their surroundings, each once, with frames.

    The field's own name and options say nothing about its value. Placeholders are left out, since
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
