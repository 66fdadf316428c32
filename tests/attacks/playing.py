"""A server to attack, and the attacks by name and page."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import httpx
from pydantic import SecretStr

from app.settings import Settings
from tests.attacks.answers import answered_twins, spoken_answers
from tests.attacks.demands import Demand
from tests.attacks.derivations import derivations, derived_twins
from tests.attacks.held_out import held_out
from tests.attacks.places import PLACES, Placed
from tests.attacks.quotes import quoted_ends, quoted_twins
from tests.attacks.stage import Attack, Played, Stage, place_attack
from tests.attacks.table import ATTACKS
from tests.attacks.unmet import harmless, unmet
from tests.attacks.worlds import WORLDS
from tests.fakes.gemini import FakeGemini
from tests.fakes.tavily import FakeTavily
from tests.integration.desk import KEY, served_desk, threaded

Row = tuple[str, str, Placed, Demand | None]


@dataclass(frozen=True)
class Target:
    """A server's address and its fakes."""

    url: str
    gemini: FakeGemini
    tavily: FakeTavily


@contextmanager
def with_model(settings: Settings) -> Iterator[Target]:
    """A server whose model obeys."""
    with served_desk(settings) as served:
        yield Target(served.url, served.gemini, served.tavily)


@contextmanager
def by_rules(settings: Settings) -> Iterator[Target]:
    """A server without a model."""
    named = {"llm": "rules", "api_key": SecretStr(KEY), "rate_limit": "100000/minute"}
    with (
        FakeGemini().served() as gemini,
        FakeTavily().served() as tavily,
        threaded(settings.model_copy(update=named)) as url,
    ):
        yield Target(url, gemini, tavily)


@asynccontextmanager
async def stage(target: Target) -> AsyncIterator[Stage]:
    """A stage on that server."""
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx.AsyncClient(base_url=target.url, headers=headers, timeout=30) as client:
        yield Stage(client, target.gemini, target.tavily)


def attacks(every: int = 1) -> list[Row]:
    """Every `every`-th attack of the table."""
    return [(one.name, one.family, *place_attack(one)) for one in ATTACKS[::every]]


def held_out_attacks(every: int = 1) -> list[Row]:
    """Every `every`-th attack of the two held-out sets."""
    return list([*held_out(), *unmet()][::every])


def certified_attacks(every: int = 1) -> list[Row]:
    """Every `every`-th attack on what code checks of a model: derivations, ends, and approvals."""
    return list([*derivations(), *quoted_ends(), *spoken_answers()][::every])


def twins(every: int = 1) -> list[Row]:
    """Legitimate derivations, quotes and approvals on the same kind of pages."""
    return list([*derived_twins(), *quoted_twins(), *answered_twins()][::every])


def controls(every: int = 1) -> list[Row]:
    """The same pages with a harmless text in the same places, cycling through the worlds."""
    worlds = list(WORLDS)
    found = []
    for at, place in enumerate(PLACES):
        for world in ["searching"] if place == "search_result" else worlds[at % 4 :: 4]:
            one = Attack(place, world, "")
            found.append((one.name, one.family, *place_attack(one)))
    return [*found, *harmless()][::every]


async def play_all(target: Target, rows: list[Row]) -> list[Played]:
    """Play the attacks in turn."""
    async with stage(target) as on:
        return [await on.play(*row) for row in rows]
