"""What was learned on a site and applies to the goal."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.background import Background
from app.domain.directive import Instruction
from app.domain.embedder import Embedder
from app.skills.episodes import recall_episodes
from app.skills.lessons import rank_skills, skill_hints
from app.skills.lessons.goals import personal_values, strip_values
from app.store.repositories import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """A goal's unit-length embedding and the name of its model; both empty without one."""

    vector: tuple[float, ...] = ()
    embedder: str = ""


def embed_goal(goal: str, instruction: Instruction | None, embedder: Embedder | None) -> Meaning:
    """The embedding of the goal without its values."""
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
    """For whom, where and for which goal to recall."""

    tenant: str
    site: str
    goal: str
    instruction: Instruction | None
    meaning: Meaning
    now: datetime


async def recall_background(store: Store, wanted: RecallQuery) -> Background:
    """A background with only what was learned; empty without a site.

    `sites` has the site if an earlier task was completed there; failed and refused tasks do not
    count.
    """
    if not wanted.site:
        return Background()
    tenant, site = wanted.tenant, wanted.site
    skills = rank_skills(
        await store.skills.of_site(tenant, site, limit=READ_SKILLS),
        wanted.goal,
        site,
        wanted.now,
        instruction=wanted.instruction,
    )
    ended = await store.episodes.of_site(tenant, site, limit=READ_EPISODES)
    episodes = recall_episodes(
        ended,
        wanted.goal,
        vector=wanted.meaning.vector,
        embedder=wanted.meaning.embedder,
        instruction=wanted.instruction,
    )
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
    """The background with what was learned on another site in place of the previous one; known sites
    accumulate.
    """
    return background.model_copy(
        update={
            "site": learned.site,
            "skills": learned.skills,
            "choices": learned.choices,
            "episodes": learned.episodes,
            "hints": learned.hints,
            "sites": tuple(dict.fromkeys((*background.sites, *learned.sites))),
        }
    )
