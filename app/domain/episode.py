"""What is remembered of a task that ended."""

from datetime import datetime
from typing import Literal

from app.domain.advice import Judged
from app.domain.base import Value

EpisodeStatus = Literal["completed", "failed", "interrupted"]


class Episode(Value):
    """One ended task: what was wanted, tried and found to work, and what it showed of the site.

    `tried` and `worked` are sentences about actions, `facts` about the site ("A patient needs a
    birthday"); none of them holds a value of the person's. `vector` is the embedding of the goal by
    the model named `embedder`.
    """

    episode_id: str  # the task's id
    tenant: str
    user: str
    domain: str
    goal: str
    status: EpisodeStatus
    summary: str
    tried: tuple[str, ...] = ()
    worked: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    vector: tuple[float, ...] = ()
    embedder: str = ""
    judged: Judged | None = None  # the last that an operator decided of the task
    created_at: datetime


class Recollection(Value):
    """An episode that is like the goal at hand; `score` in 0..1 says how much. Of one that an operator
    `judged`, the summary says so first.
    """

    goal: str
    status: EpisodeStatus
    summary: str
    worked: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    score: float = 0.0
    judged: Judged | None = None
