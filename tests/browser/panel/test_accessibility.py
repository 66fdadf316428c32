"""axe finds nothing to complain of, in any state of the panel and of the settings, light and dark."""

from pathlib import Path
from typing import Any, Literal

import pytest
import pytest_asyncio

from tests.browser.panel_stage import RECEIVER, Stage
from tests.browser.panel_states import STATES, State

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

AXE = Path(__file__).parents[2] / "pages/node_modules/axe-core/axe.min.js"
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


@pytest_asyncio.fixture(loop_scope="session", scope="module", autouse=True)
async def axe(stage: Stage) -> None:
    """Axe in each document: to send it takes longer than to run it."""
    await stage.panel.evaluate(AXE.read_text("utf-8"))
    await stage.panel.add_init_script(path=AXE)
    await stage.panel.add_init_script(RECEIVER)


def is_rendered(state: State) -> bool:
    """Whether it is one of the runs that are rendered one after the other in one document."""
    return state.view is not None and state.settings == "paired" and not state.asked()


def is_kept(state: State) -> bool:
    """Whether something of it stays in the document when the person has gone on."""
    known = state.room == "knowledge-button" and (state.then or state.opened)
    return bool(known or state.view or state.chat) or state.documents != "some"


def document_of(state: State) -> object:
    """Equal for states that one document shows one after the other."""
    if is_rendered(state):
        return "runs"
    return state.name if is_kept(state) else (state.settings, state.tab, state.document)


def documents() -> list[list[State]]:
    """The states, those together that one document shows."""
    made: dict[object, list[State]] = {}
    for state in STATES:
        if not state.alike:
            made.setdefault(document_of(state), []).append(state)
    return [*made.values()]


@pytest.mark.parametrize("states", documents(), ids=lambda states: states[0].name)
async def test_the_rules_pass(stage: Stage, states: list[State]) -> None:
    page = await stage.show(states[0])
    found: list[Any] = []
    for state in states:
        if state is not states[0]:
            await (stage.render if is_rendered(state) else stage.visit)(state)
        for scheme, only in SCHEMES:
            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found += [(state.name, scheme, one) for one in await page.evaluate(RUN, only)]
        if await page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append((state.name, "wider than the panel"))
    assert not found
