"""Whatever comes between a question and its answer, in any order, over the real service and store."""

from collections import Counter

from app.settings import Settings
from bench.interleaving.backend import backend
from bench.interleaving.run import play, record_recipe
from tests.integration.conftest import RATE

RUNS, SEED = 25, 0


async def test_every_thread_ends_well_every_effect_happens_once_and_every_answer_counts_once(
    settings: Settings,
) -> None:
    async with backend(settings.model_copy(update={"rate_limit": RATE})) as made:
        recipe_id = await record_recipe(made)
        played = [await play(made, recipe_id, seed) for seed in range(SEED, SEED + RUNS)]
    steps = Counter(step for one in played for step in one.trace)
    assert {"answer", "late answer", "stop", "lapse", "restart", "(died)", "repeat"} <= set(steps)
    assert {"other inbox", "both at once", "twice at once", "cancel"} <= set(steps)
    assert sum(one.effects.total() for one in played) > RUNS / 2
    assert sum(one.answers for one in played) > RUNS
