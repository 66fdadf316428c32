"""How well each sentence of a document would stand for it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.chat.summarizing.boilerplate import is_furniture
from app.chat.summarizing.leaning import leans_back, points_down
from app.chat.summarizing.length import Shape
from app.chat.summarizing.units import Unit
from app.chat.summarizing.vectors import vectors
from app.engines.embedder import Embedder, Vectors
from app.text import patterns

Scores = npt.NDArray[np.float64]

# Set on documentation of Debian, GnuCash, Celery and Mailman, read by eye: what is in the middle of the
# document, at the head of its section, and speaks of what the headings name.
CENTRAL, LEADING, NAMED, OPENING = 0.4, 0.25, 0.2, 0.15
FOCUSED = 0.75  # of the score, where the message says what to dwell on
# All of a sentence in lower case: a pattern that has to try both cases takes five times as long.
_STEP = patterns.compile(
    r"^\W*(?:click|select|press|type|enter|choose|open|check|go to|run|add|remember|note that"
    r"|make sure|let['\u2019]?s|suppose|imagine|assume"
    r"|klicken|wählen|drücken|öffnen|geben sie|cliquez|sélectionnez|haga clic|seleccione)\b",
)
_EXAMPLE = patterns.compile(
    r"^\W*(?:for example|for instance|e\.g\.|example|note|tip|hint|warning|caution|an example"
    r"|in the (?:example|screenshot|figure)|zum beispiel|par exemple|por ejemplo)\b"
    r"|\b(?:shown|illustrated|depicted|pictured) (?:in|below|above)\b|\bfollowing (?:example"
    r"|figure|screenshot|table)\b|\bwe will (?:see|cover|discuss|look)\b"
    r"|\b(?:see|in) (?:section|chapter|appendix|table|figure)\s+[\da-z]",
)
_RULE = patterns.compile(
    r"\b(?:must|shall|required|mandatory|never|always|at most|at least|important|responsible"
    r"|prohibited|not allowed|deadline"
    r"|muss|müssen|darf nicht|dürfen|verpflicht\w+|doit|doivent|obligatoire|interdit|debe|deben"
    r"|obligatori[oa]|prohibid[oa]|חייב|חובה|אסור)\b",
)
_TELLING = patterns.compile(
    r"\b(?:is|are|allows?|provides?|lets|enables?|describes?|explains?|introduces?|covers?"
    r"|consists?|means|supports?"
    r"|ist|sind|beschreibt|ermöglicht|regelt|est|sont|permet|décrit|es|son|permite|describe)\b",
)
_ODD = patterns.compile(r"[^\w\s.,;:'\"()\u2019\u201c\u201d\u2013\u2014-]")


@dataclass(frozen=True, slots=True)
class Ranked:
    """The sentences with how well each would stand for the document, 0..1 or a little more, and their
    directions. `leaning` are those that need the one before.
    """

    units: Sequence[Unit]
    scores: Scores
    directions: Vectors
    leaning: npt.NDArray[np.bool_]


def ranked(
    units: Sequence[Unit],
    *,
    title: str = "",
    shape: Shape = "prose",
    focus: str = "",
    embedder: Embedder | None = None,
) -> Ranked:
    """Judge the sentences of one document; `focus` is what to dwell on."""
    sections = list(dict.fromkeys(unit.section for unit in units))
    headings = [" ".join((title, *section[-2:])) for section in sections]
    texts = [unit.text for unit in units]
    made = vectors([*texts, *headings, focus])
    directions, about = made[: len(units)], made[len(units) : -1]
    where = {section: at for at, section in enumerate(sections)}
    of = np.array([where[unit.section] for unit in units], np.int64)
    named = (directions * about[of]).sum(axis=1)
    scores: Scores = (
        CENTRAL * _scaled(directions @ directions.mean(axis=0))
        + LEADING * _leading(of)
        + NAMED * _scaled(named)
        + OPENING * (1.0 - np.minimum(np.arange(len(units)) / 4, 1.0))
    )
    if focus:
        near = _nearness(texts, focus, directions @ made[-1], embedder)
        scores = (1 - FOCUSED) * scores + FOCUSED * near
    leaning = np.array([leans_back(text) for text in texts], np.bool_)
    return Ranked(units, scores * _fitness(units, shape), directions, leaning)


def _nearness(
    texts: Sequence[str], focus: str, by_words: npt.NDArray[np.float32], embedder: Embedder | None
) -> Scores:
    """How near each text is to what to dwell on: by its words, and by meaning where that can be told."""
    near = _scaled(by_words)
    if embedder is None:
        return near
    found = embedder.embed([*texts, focus])
    return 0.5 * near + 0.5 * _scaled(found[:-1] @ found[-1])


def _leading(of: npt.NDArray[np.int64]) -> Scores:
    """1 for the first sentence of its section, a half for the third."""
    seen: Counter[int] = Counter()
    places = np.empty(len(of))
    for at, section in enumerate(of.tolist()):
        places[at] = seen[section]
        seen[section] += 1
    return 1 / (1 + places / 2)


def _fitness(units: Sequence[Unit], shape: Shape) -> Scores:
    furniture = {
        section: any(map(is_furniture, section)) for section in {unit.section for unit in units}
    }
    return np.array(
        [_fits(unit, shape) * (0.03 if furniture[unit.section] else 1.0) for unit in units]
    )


def _fits(unit: Unit, shape: Shape) -> float:
    text, low, words = unit.text, unit.text.lower(), unit.words
    fits = 1.0 if 9 <= words <= 32 else 0.8 if 6 <= words <= 42 else 0.2 if words < 5 else 0.45
    if not unit.whole:
        fits *= 0.6 if shape == "list" and unit.item else 0.4
    elif unit.item and shape != "list":
        fits *= 0.7
    if points_down(text):
        fits *= 0.2
    if text.rstrip("\"'\u201d\u2019)").endswith(("?", "\uff1f", "\u061f", "!")):
        fits *= 0.35
    if _EXAMPLE.search(low):
        fits *= 0.4
    if _STEP.match(low):
        fits *= 0.55
    if len(_ODD.findall(text)) > 0.06 * len(text):
        fits *= 0.5
    if text[:1] in "([":
        fits *= 0.5
    elif text[:1].islower() and text[:1].isascii():
        fits *= 0.85
    return fits * _bonus(low)


def _bonus(low: str) -> float:
    return (
        1.0 + 0.1 * (_RULE.search(low) is not None) + 0.1 * (_TELLING.search(low[:80]) is not None)
    )


def _scaled(values: npt.NDArray[np.floating]) -> Scores:
    """Of the greatest, from 0 to 1."""
    kept = np.clip(values.astype(np.float64), 0, None)
    most = kept.max(initial=0.0)
    return kept / most if most else kept
