"""Recalls what was learned on a site and applies to the goal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import numpy as np
import numpy.typing as npt

from app.domain.action import ActionRecord
from app.domain.directive import Instruction
from app.domain.memory import Episode, Recollection
from app.domain.plan import Outcome
from app.domain.reasoner import Background
from app.skills.goals import PLACEHOLDER, goal_likeness, personal_values, strip_values
from app.skills.lessons import rank_skills, skill_hints
from app.store.repositories import Store

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Maps short texts to unit vectors."""

    @property
    def dimensions(self) -> int:
        """Length of the vectors."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit-length row per text; zeros for a text without a known word."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """A goal's unit-length embedding and the name of its model; both empty without one."""

    vector: tuple[float, ...] = ()
    embedder: str = ""


def embed_goal(goal: str, instruction: Instruction | None, embedder: Embedder | None) -> Meaning:
    if embedder is None:
        return Meaning()
    plain = strip_values(goal, personal_values(instruction))
    vector = embedder.embed([plain])[0]
    name = f"{type(embedder).__name__}/{embedder.dimensions}"
    return Meaning(vector=tuple(float(part) for part in vector), embedder=name)


READ_SKILLS = 100  # per site, the most recently used: reading and ranking them takes 10 ms
READ_EPISODES = 60  # per site, the newest: older ones say little about the current site
READ_CHOICES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuery:
    """The tenant, site and goal to recall for."""

    tenant: str
    site: str
    goal: str
    instruction: Instruction | None
    meaning: Meaning
    now: datetime


async def recall_background(store: Store, query: RecallQuery) -> Background:
    """Return a background with only what was learned; empty without a site.

    `sites` has the site if an earlier task was completed there; failed and refused tasks do not
    count.
    """
    if not query.site:
        return Background()
    tenant, site = query.tenant, query.site
    own = personal_values(query.instruction)
    known = await store.skills.of_site(tenant, site, limit=READ_SKILLS)
    skills = rank_skills(known, query.goal, site, query.now, own)
    ended = await store.episodes.of_site(tenant, site, limit=READ_EPISODES)
    episodes = recall_episodes(ended, query.goal, query.meaning, own)
    choices = await store.choices.of_site(tenant, site, limit=READ_CHOICES)
    return Background(
        site=site,
        skills=skills,
        choices=tuple(choices),
        episodes=episodes,
        hints=skill_hints(skills),
        sites=(site,) if any(one.status == "completed" for one in ended) else (),
    )


def refresh_background(background: Background, learned: Background) -> Background:
    """Replace what was learned by that of another site; known sites accumulate."""
    names = ("site", "skills", "choices", "episodes", "hints")
    update = {name: getattr(learned, name) for name in names}
    update["sites"] = tuple(dict.fromkeys((*background.sites, *learned.sites)))
    return background.model_copy(update=update)


MOST = 3  # episodes passed to a goal
LIKE_ENOUGH = 0.6  # mean of cosine and word overlap; "add a doctor" and "add a patient" score 0.5
SAME_GOAL = 0.85  # same scale: the same goal, worded slightly differently
# Ranking weights of equally similar episodes by an operator's judgement.
WEIGHTS = {"approved": 1.25, "rejected": 0.5}
MOST_LISTED = 8  # actions, and facts
LONGEST = 160  # characters per sentence


def make_episode(
    *,
    goal: str,
    instruction: Instruction | None,
    records: Sequence[ActionRecord],
    outcome: Outcome,
    hidden: Iterable[str] = (),
) -> tuple[str, str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return goal, summary, attempts, successes and the page's refusals, without the person's values."""
    own = personal_values(instruction, records, hidden)

    named = [record.signature[1] for record in records if record.signature]

    def plain(text: str) -> str:
        return strip_values(text, own, named=named)[:LONGEST]

    done = [record for record in records if record.status != "pending"]
    tried = _distinct(plain(_describe(record)) for record in done)
    worked = _distinct(plain(_describe(record)) for record in done if record.status == "success")
    refused = (record for record in done if record.status == "failure" and record.note)
    facts = _distinct(plain(record.note) for record in refused)
    return plain(goal), _summarize(outcome, plain(outcome.message), worked), tried, worked, facts


def _describe(record: ActionRecord) -> str:
    return record.description or record.action.name


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    found = dict.fromkeys(text for text in texts if text.strip(f"{PLACEHOLDER} "))
    return tuple(found)[-MOST_LISTED:]


def _summarize(outcome: Outcome, message: str, worked: tuple[str, ...]) -> str:
    if outcome.status == "completed":
        return f"Completed: {'; '.join(worked)}" if worked else "Completed"
    ended = "It was stopped" if outcome.status == "interrupted" else "It failed"
    return f"{ended}: {message}"


def recall_episodes(
    episodes: Iterable[Episode], goal: str, meaning: Meaning, own: frozenset[str] = frozenset()
) -> tuple[Recollection, ...]:
    """Return the episodes similar to the goal, best first, each outcome of a goal once.

    Episodes embedded by another model are compared by words alone. `own` are the person's values.
    """
    scored = [
        (
            _episode_likeness(
                one, goal, own, meaning.vector if one.embedder == meaning.embedder else ()
            ),
            one,
        )
        for one in episodes
    ]
    near = sorted((s for s in scored if s[0] >= LIKE_ENOUGH), key=lambda s: -s[0] * _weight(s[1]))
    found: dict[tuple[str, str], Recollection] = {}
    for score, one in near:
        found.setdefault((one.goal.casefold(), one.summary), _recollection(one, score))
    return tuple(found.values())[:MOST]


def _episode_likeness(
    one: Episode, goal: str, own: frozenset[str], vector: Sequence[float]
) -> float:
    words = goal_likeness(one.goal, goal, own)
    if not vector or len(vector) != len(one.vector):
        return words
    return (words + float(np.dot(vector, one.vector))) / 2


def _weight(one: Episode) -> float:
    return WEIGHTS[one.judged.decision] if one.judged else 1.0


def _recollection(one: Episode, score: float) -> Recollection:
    rejected = one.judged is not None and one.judged.decision == "rejected"
    return Recollection(
        goal=one.goal,
        status=one.status,
        summary=f"{one.judged.line} {one.summary}" if one.judged else one.summary,
        worked=() if rejected else one.worked,
        facts=one.facts,
        score=round(min(1.0, score), 3),
        judged=one.judged,
    )


def describe_past_attempt(episodes: Sequence[Recollection]) -> str | None:
    """Say that exactly this goal succeeded or failed here before; None if that is uncertain.

    The most similar episode decides, the newer of two equal ones; an operator's rejection takes
    precedence.
    """
    known = [one for one in episodes if one.score >= SAME_GOAL]
    last = max((one.judged for one in known if one.judged), key=lambda j: j.at_ms, default=None)
    if last is not None and last.decision == "rejected":
        return last.line
    same = next(iter(known), None)
    if same is None or same.status == "interrupted":
        return None
    if same.status == "completed":
        return "This was done here before."
    why = f" {same.facts[-1]}" if same.facts else ""
    return f"This failed here before.{why}"
