"""The recorder of transitions stays true: scenes played anew give the stored labels and verdicts."""

import pytest

from bench.transitions.dataset import Recorded, load
from bench.transitions.scenes import SCENES
from bench.transitions.score import judge_transition
from bench.transitions.stage import Say, record_scenes

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

# A sample of them; `python -m bench.transitions --record` plays all there are.
SLICE = (
    "contacts/saved",
    "contacts/expired",
    "contacts/element-gone",
    "shop/remove-lie",
    "shop/not-confirmed",
    "widgets/covered",
    "react/ticks-invalid",
)


def told(item: Recorded) -> tuple[str, bool | None, bool, str, bool | None]:
    """What has to be the same each time: the label, the client's report, the verdict's kind."""
    status = str(item.report.get("lastActionStatus"))
    return item.name, item.happened, item.done, status, judge_transition(item).verdict.succeeded


async def test_scenes_played_anew_agree_with_the_stored_ones() -> None:
    say = Say()
    scenes = [scene for scene in SCENES if scene.name in SLICE]
    assert len(scenes) == len(SLICE)
    played = await record_scenes(scenes, say)
    names = {item.name for item in played}
    stored = [item for item in load() if item.name in names]
    assert say.said == []
    assert sorted(map(told, played)) == sorted(map(told, stored))
