"""All attacks on consent, and their outcomes."""

from app.settings import Settings
from tests.attacks.consent import over_http, over_keys, over_mcp
from tests.attacks.consent.stage import Attack, open_stage

ATTACKS: list[Attack] = [*over_http.ATTACKS, *over_keys.ATTACKS, *over_mcp.ATTACKS]


async def play_attacks(
    settings: Settings, url: str, *, rounds: int = 1
) -> list[tuple[Attack, str]]:
    """Play the attacks in turn on one server; each with its harm."""
    async with open_stage(settings, url, rounds=rounds) as stage:
        assert await over_mcp.is_believed(stage)
        return [(one, await one.play(stage)) for one in ATTACKS]
