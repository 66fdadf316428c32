"""Checks the quote with which a model declares a goal reached: it must be new on the page."""

import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from app.domain.page import Node, Observation, Tree
from app.domain.plan import Decision
from app.domain.reasoner import Situation
from app.page.controls import enclosing_form, is_inside, is_submit
from app.page.snapshot import unpack
from app.text import patterns

SHORTEST = 2  # characters; a single character occurs on every page
_ENTERS = frozenset({"setValue", "selectOption"})
_PUNCTUATION = patterns.compile(r"[\W_]+")


def check_declared_end(refinement: Decision, situation: Situation) -> str | None:
    """Return why a declared end is rejected, worded for the model; None if it is accepted.

    An end that the page contradicts is rejected. Otherwise the quote must be on the page or in the
    text read so far. After an action it must be new or occur more often, also compared with the
    page before the last action, unless it is a requested value or belongs to a deleted record.
    Before any action it must relate to the goal. Steps done by the person need no quote.
    """
    if not declares_end(refinement, situation):
        return None
    page, quote = situation.page, refinement.quote
    if against := _find_flaw(quote, situation):
        return against
    if not quote:
        return None if situation.background.acts else "Quote the text on the page that shows it."
    gone, outputs = _is_gone(quote, situation), refinement.outputs.values()
    if len(fold_words(quote).strip()) < SHORTEST:
        return f"'{quote}' is on many pages. Quote the whole line, or continue."
    if not gone and not is_quoted(quote, situation):
        return (
            f"'{quote}' is neither on the page nor in what was read. Quote a text that is there, "
            "to the letter, or continue."
        )
    if gone or (outputs and all(is_quoted(one, situation, least=1) for one in outputs)):
        return None
    if not situation.shown_before:
        goal_words = fold_words(f"{situation.stated_text} {refinement.reason}").split()
        related = not set(fold_words(quote).split()).isdisjoint(goal_words)
        return None if related else f"'{quote}' has nothing to do with the goal."
    if all(
        was_on_page(quote, before) and _count(quote, page) <= _count(quote, before)
        for before in map(unpack, filter(None, (situation.shown_before, situation.before)))
    ):
        return (
            f"'{quote}' was there before anything was done. Quote what shows the result, or continue; "
            "a value that was asked for goes into outputs."
        )
    return None


def _find_flaw(quote: str, situation: Situation) -> str | None:
    page, verdict = situation.page, situation.verdict
    if page.errors and (verdict is None or not verdict.succeeded):
        return f"The page shows an error: {page.errors[0]}"
    if verdict is not None and verdict.succeeded is False:
        return f"The last action failed: {verdict.reason}"
    if verdict is not None and verdict.doubted:
        return f"The page contradicts it: {verdict.reason}"
    if save := _unpressed_save(quote, situation):
        return f"What was entered is not saved: '{save.name}' was not pressed."
    return None


def declares_end(refinement: Decision, situation: Situation) -> bool:
    """Whether the model declares the goal or sub-task reached, in the last step if there are steps."""
    if refinement.maker != "model":
        return False
    is_last = situation.plan.current + 1 >= len(situation.plan.steps)
    return refinement.outcome == "finish" or (refinement.outcome == "done" and is_last)


def needs_second_opinion(refinement: Decision, situation: Situation) -> bool:
    """Whether to ask the critic: the only evidence is entries of this run, which may be unsaved."""
    return declares_end(refinement, situation) and is_only_entered(refinement.quote, situation)


def is_only_entered(quote: str, situation: Situation) -> bool:
    filled = {record.signature for record in situation.records if record.action.name in _ENTERS}
    others = tuple(node for node in situation.page.tree if node.signature not in filled)
    rest = replace(situation.page, tree=Tree(others))
    return is_on_page(quote, situation.page) and not is_on_page(quote, rest)


def _unpressed_save(quote: str, situation: Situation) -> Node | None:
    """Return the unpressed button that saves the last entries, if saving is part of the goal."""
    page, effect = situation.page, situation.effect
    last = situation.records[-1] if situation.records else None
    if last is None or last.action.name not in _ENTERS or effect in ("reads", "fills"):
        return None
    field = next((node for node in page.tree if node.signature == last.signature), None)
    form = enclosing_form(field) if field is not None else None
    if form is None or (effect is None and not is_only_entered(quote, situation)):
        return None
    within = (node for node in page.tree if is_inside(node, form) and node.enabled)
    return next((node for node in within if is_submit(node, page)), None)


def is_quoted(quote: str, situation: Situation, *, least: int = SHORTEST) -> bool:
    """Whether a quote of at least `least` characters is on the page or in a text that was read."""
    return any(_contains(quote, text, least) for text in _sources(situation))


def _is_gone(quote: str, situation: Situation) -> bool:
    """Whether the quote disappeared after a successful approved deletion, which leaves no new text."""
    agreed = any("deletes" in one.effects for one in situation.background.approved)
    verdict, before = situation.verdict, situation.shown_before
    if not agreed or not before or verdict is None or not verdict.succeeded:
        return False
    return was_on_page(quote, unpack(before)) and not is_on_page(quote, situation.page)


def is_shown(quote: str, page: Observation, *, before: Observation) -> bool:
    return is_on_page(quote, page) and not was_on_page(quote, before)


def is_on_page(quote: str, page: Observation) -> bool:
    return _contains(quote, _text_of(page))


def was_on_page(quote: str, before: Observation) -> bool:
    """Whether the exact quote was there; a changed symbol ("!", "*") may be all that is new."""
    return is_on_page(quote, before) and _squeeze(quote) in _squeeze(_text_of(before))


def _count(quote: str, page: Observation) -> int:
    return fold_words(_text_of(page)).count(fold_words(quote))


def _squeeze(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _contains(quote: str, text: str, least: int = SHORTEST) -> bool:
    """Compare without case, spaces and punctuation, since page lines are joined in several ways."""
    wanted = fold_words(quote)
    return len(wanted.strip()) >= least and wanted in fold_words(text)


@lru_cache(maxsize=128)  # files are long and searched repeatedly
def fold_words(text: str) -> str:
    """Return the words of the text, separated and surrounded by single spaces."""
    words = _PUNCTUATION.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
    return f" {words} "


def _sources(situation: Situation) -> Iterator[str]:
    known = situation.background
    yield _text_of(situation.page)
    yield from known.extracts.values()
    yield from (f"{one.name}\n{one.text}" for one in known.downloads)
    yield from (one.text for one in known.knowledge)
    yield from (one.answer for one in known.searches)
    yield from (result.text for one in known.searches for result in one.results)
    yield from known.subtask_outputs.values()


def _text_of(page: Observation) -> str:
    """Return the visible text without placeholders."""
    parts = [page.title, page.summary, *page.successes]
    for node in page.tree:
        if not node.occluded:
            parts += [node.group, node.name, node.value or "", *sorted(node.states)]
    return "\n".join(part for part in parts if part)
