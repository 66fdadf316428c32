"""axe finds nothing to complain of, in any state of the panel and of the settings, light and dark."""

from pathlib import Path
from typing import Any, Literal

import pytest

from tests.browser.panel_stage import Stage
from tests.browser.panel_states import STATES, State

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

AXE = Path(__file__).parents[1] / "pages/node_modules/axe-core/axe.min.js"
SCHEMES: tuple[tuple[Literal["light", "dark"], str | None], ...] = (
    ("light", None),
    ("dark", "color-contrast"),
)
# Of a long list the first lines stand for the others. The themes differ in nothing but colours.
RUN = """async (only) => {
  const page = {exclude: [".timeline > :nth-child(n + 9)"]};
  const {violations} = await axe.run(page, {resultTypes: ["violations"], ...(only && {runOnly: only})});
  const place = ({html, any}) => [html, any.map(one => one.message)];
  return violations.map(({id, nodes}) => [id, ...nodes.map(place)]);
}"""


@pytest.mark.parametrize(
    "state", [state for state in STATES if not state.alike], ids=lambda state: state.name
)
async def test_the_rules_pass(stage: Stage, state: State) -> None:
    page = await stage.show(state)
    await page.evaluate(AXE.read_text("utf-8"))  # not as a script: the policy allows none but ours
    found: list[Any] = []
    for scheme, only in SCHEMES:
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [(scheme, one) for one in await page.evaluate(RUN, only)]
    assert not found
    assert not await page.evaluate("document.documentElement.scrollWidth > innerWidth")
