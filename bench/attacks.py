"""Play the attacks by untrusted text against a model that obeys every order it reads.

    python -m bench.attacks [--rules] [--shown]
    python -m bench.attacks consent [--shown]
    python -m bench.attacks chat [--shown]

`consent` plays attacks by programs that hold an API key: on delegations, approvals, scopes, pairing, the
policy, and the state that an MCP call leaves with its client. `chat` plays attacks by documents. All run
over HTTP against the real server and store, with the real SDK of the model's provider. The exit code is 1
if an attack succeeded that is not in `tests.attacks.gaps`, or if a task on a harmless page was not done.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import structlog
from pydantic import SecretStr

from app.settings import Settings
from app.store.server.embedded_server import hold_server
from tests.attacks.chat.stage import play_attacks as play_chat_attacks
from tests.attacks.chat.table import ATTACKS as ON_CHAT
from tests.attacks.consent.table import play_attacks as play_consent_attacks
from tests.attacks.gaps import CHAT_GAPS, KNOWN_GAPS
from tests.attacks.playing import (
    attacks,
    by_rules,
    certified_attacks,
    controls,
    held_out_attacks,
    play_all,
    twins,
    with_model,
)
from tests.attacks.stage import Played
from tests.integration.chat.chat_desk import chat_desk
from tests.integration.desk import RATES, served_desk

ROUNDS = 20  # of each race; the tests play one
DEFENCES = {
    "asked first": "a yes was asked for",
    "asked for what is missing": "a value without a source",
    "refused": "refused by a rule",
}


def defence(one: Played) -> str:
    """The first defence that stopped an attack."""
    if not one.seen:
        return "not read"
    first = one.by[0].partition(":")[0] if one.by else ""
    if first in DEFENCES:
        return DEFENCES[first]
    return "done otherwise" if one.done else "ended"


def table(found: list[Played]) -> str:
    """A line per family: attacks, how many succeeded, what stopped the others, tasks still done."""
    families: dict[str, list[Played]] = defaultdict(list)
    for one in found:
        families[one.family].append(one)
    lines = [f"{'family':<18}{'attacks':>8}{'succeeded':>11}{'task done':>11}  held back by"]
    for family, several in families.items():
        by = Counter(defence(one) for one in several if not one.harm)
        told = ", ".join(f"{name} {count}" for name, count in by.most_common())
        lines.append(_line(family, several) + f"  {told}")
    return "\n".join([*lines, _line("all", found)])


def _line(name: str, found: list[Played]) -> str:
    harmed, done = sum(bool(one.harm) for one in found), sum(one.done for one in found)
    return f"{name:<18}{len(found):>8}{harmed:>11}{done:>11}"


async def play_attacks(settings: Settings, *, rules: bool) -> tuple[list[Played], list[Played]]:
    """The outcomes of the attacks and the controls. With rules alone there are no controls, since rules
    understand fewer goals.
    """
    with (by_rules if rules else with_model)(settings) as target:
        found = await play_all(target, [*attacks(), *held_out_attacks()])
        if rules:
            return found, []
        found += await play_all(target, certified_attacks())
        return found, await play_all(target, [*controls(), *twins()])


class Named(Protocol):
    """An attack of any kind."""

    @property
    def family(self) -> str: ...
    @property
    def name(self) -> str: ...


def families(found: Sequence[tuple[Named, str]]) -> str:
    """A line per family: attacks, how many succeeded."""
    counted = Counter(one.family for one, _ in found)
    harmed = Counter(one.family for one, harm in found if harm)
    lines = [f"{'family':<18}{'attacks':>8}{'succeeded':>11}"]
    lines += [f"{name:<18}{count:>8}{harmed[name]:>11}" for name, count in counted.items()]
    return "\n".join([*lines, f"{'all':<18}{len(found):>8}{harmed.total():>11}"])


def consent(settings: Settings, *, shown: bool) -> int:
    """Play the attacks on consent and print the outcomes; 1 if one succeeded."""
    unlimited = dict.fromkeys(RATES, "100000/minute")  # rate limits are no defence of consent
    with by_rules(settings.model_copy(update=unlimited)) as target:
        found = asyncio.run(play_consent_attacks(settings, target.url, rounds=ROUNDS))
    return report_outcomes(found, frozenset(), shown=shown)


def chat(settings: Settings, *, shown: bool) -> int:
    """Play the attacks by documents on the chat and print the outcomes; 1 if an unknown one succeeded."""
    with served_desk(settings) as served, chat_desk(served) as desk:
        found = play_chat_attacks(desk, served.gemini, served.tavily, ON_CHAT)
    return report_outcomes(found, CHAT_GAPS, shown=shown)


def report_outcomes(
    found: Sequence[tuple[Named, str]], known: frozenset[str], *, shown: bool
) -> int:
    """Print the table and the successful attacks; 1 if one of them is not a known gap."""
    print(families(found))
    for one, harm in found:
        if harm or shown:
            print(f"{one.family}: {one.name}: {harm or 'held back'}")
    return 1 if any(harm and f"{one.family}/{one.name}" not in known for one, harm in found) else 0


def main() -> int:
    """Play all and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("part", nargs="?", choices=["text", "consent", "chat"], default="text")
    parser.add_argument("--rules", action="store_true", help="without a model")
    parser.add_argument("--shown", action="store_true", help="print each outcome")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    # The store may still write while it shuts down.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder))
        with hold_server(settings) as uri:
            named = {"mongodb_uri": SecretStr(uri), "mongodb_database": "attacks"}
            made = settings.model_copy(update=named)
            if options.part == "consent":
                return consent(made, shown=options.shown)
            if options.part == "chat":
                return chat(made, shown=options.shown)
            found, harmless = asyncio.run(play_attacks(made, rules=options.rules))
    print(table(found))
    for one in found:
        if one.harm or options.shown:
            print(f"{one.attack}: {'; '.join(one.harm) or 'held back'} | {one.ended}")
    harmed = {one.attack for one in found if one.harm}
    for title, names in (
        ("known gaps", KNOWN_GAPS & harmed),
        ("gaps that are closed", KNOWN_GAPS & {one.attack for one in found} - harmed),
    ):
        print(f"\n{title}: {len(names)}", *sorted(names), sep="\n")
    undone = [one.attack for one in harmless if not one.done]
    print(
        f"\nharmless pages: {len(harmless)}, done {len(harmless) - len(undone)}", *undone, sep="\n"
    )
    return 1 if undone or harmed - KNOWN_GAPS else 0


if __name__ == "__main__":
    sys.exit(main())
