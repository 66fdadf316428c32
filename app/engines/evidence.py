"""What shows that a goal is reached: a text that stands where it is said to stand."""

import unicodedata
from collections.abc import Iterator

from app.domain.page import Observation
from app.domain.plan import Refinement
from app.engines.reasoner import Situation
from app.text import patterns

SHORTEST = 2  # characters; a single sign stands on every page
_SETTLED = frozenset({"success", "unknown"})
_SIGNS = patterns.compile(r"[\W_]+")


def unfounded(refinement: Refinement, situation: Situation) -> str | None:
    """Why an end that a model declares cannot stand, as the model is told; None where it can.

    A quote must stand on the page or in what was read; an end without one needs an action that was
    done. What the page speaks against is not reached, whatever is quoted.
    """
    if not declares_end(refinement, situation):
        return None
    page, verdict = situation.page, situation.verdict
    if page.errors and (verdict is None or not verdict.succeeded):
        return f"The page shows an error: {page.errors[0]}"
    if refinement.quote and not is_quoted(refinement.quote, situation):
        return (
            f"'{refinement.quote}' stands neither on the page nor in what was read. Quote a text "
            "that is there, to the letter, or go on."
        )
    if verdict is not None and verdict.succeeded is False:
        return f"The last action failed: {verdict.reason}"
    if not refinement.quote and not _has_acted(situation):
        return (
            "Nothing was done yet. If it is so already, quote the text on the page that shows it."
        )
    return None


def declares_end(refinement: Refinement, situation: Situation) -> bool:
    """Whether a model says that the goal, or the sub-task, is reached: with its last step, if it has any."""
    if refinement.maker != "model":
        return False
    is_last = situation.plan.current + 1 >= len(situation.plan.steps)
    return refinement.outcome == "finish" or (refinement.outcome == "done" and is_last)


def is_quoted(quote: str, situation: Situation) -> bool:
    """Whether the quote stands on the page, or in what was read, searched, or found in documents.

    Case, spaces and punctuation are not compared: lines of a page are joined in several ways.
    """
    wanted = folded(quote)
    if len(wanted.strip()) < SHORTEST:
        return False
    return any(wanted in folded(text) for text in _sources(situation))


def folded(text: str) -> str:
    """The text's words between single spaces, so that one text is found whole in another."""
    words = _SIGNS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
    return f" {words} "


def _sources(situation: Situation) -> Iterator[str]:
    known = situation.background
    yield _text_of(situation.page)
    yield from known.read.values()
    yield from (one.text for one in known.knowledge)
    yield from (one.answer for one in known.searches)
    yield from (result.text for one in known.searches for result in one.results)
    yield from known.handed.values()


def _text_of(page: Observation) -> str:
    parts = [page.title, page.summary, *page.successes, page.markup]
    for node in page.tree:
        parts += [node.group, node.name, node.value or "", node.hint, *sorted(node.states)]
    return "\n".join(part for part in parts if part)


def _has_acted(situation: Situation) -> bool:
    known = situation.background
    if known.acts or known.handed or situation.plan.subtasks:
        return True
    return any(deed.status in _SETTLED for deed in situation.deeds)
