"""What is wrong with a text, and in what order that is told."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.chat.auditing.rules import SEVERITIES, Rule, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """`quote` are words of the text, "" where something is missing from it. `sure`: told by numbers or a
    plain
    denial, not by what a sentence may mean.
    """

    severity: Severity
    wrong: str
    quote: str
    rule: Rule
    fix: str
    sure: bool = True


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """The most severe first; one finding for the same sentence and rule, and one rule a kind of wrong."""
    kept: dict[tuple[str, str], Finding] = {}
    for one in findings:
        key = (one.quote or one.wrong, one.rule.said.text)
        if key not in kept or SEVERITIES.index(one.severity) < SEVERITIES.index(kept[key].severity):
            kept[key] = one
    return sorted(kept.values(), key=lambda one: SEVERITIES.index(one.severity))
