"""The findings as a person reads them."""

from collections import Counter
from collections.abc import Sequence

from app.chat.auditing.checking import Checked
from app.chat.auditing.findings import Finding
from app.chat.auditing.rules import SEVERITIES, Rule
from app.chat.evidence import Citing
from app.chat.evidence.markdown import plain
from app.chat.statements import Held, quoted, shortened
from app.domain.chat import Reply

MOST_SHOWN = 15


def report(
    findings: Sequence[Finding],
    found: Checked,
    held: Sequence[Held],
    citing: Citing,
    notices: Sequence[str],
    *,
    by_model: bool,
) -> Reply:
    """A verdict with counts, then each finding with both quotes and how to mend it. Where nothing is
    wrong, what
    was compared: that is not the same as that all is well.
    """
    told = [(one, rule) for one in findings if (rule := quoted(citing, one.rule.said)) is not None]
    compared = f"Compared: {_many(len(found.sentences), 'sentence')} with {_many(len(found.rules), 'rule')}."
    if told:
        parts = [_verdict([one for one, _ in told], held), *_listed(told, held), compared]
    else:
        parts = [_clear(held), compared, *_nearest(found.nearest, citing)]
    return Reply(
        text="\n\n".join(filter(None, parts)),
        citations=tuple(citing.citations),
        confidence="high" if told and told[0][0].sure else "medium" if found.rules else "low",
        score=0.9 if told else 0.6 if found.rules else 0.2,
        by_model=by_model,
        dropped=citing.dropped,
        grave=any(one.severity == SEVERITIES[0] for one, _ in told),
        notices=tuple(notices),
    )


def _verdict(findings: Sequence[Finding], held: Sequence[Held]) -> str:
    counts = Counter(one.severity for one in findings)
    said = ", ".join(f"{counts[one]} {one}" for one in SEVERITIES if counts[one])
    return f"**{_many(len(findings), 'finding')} against {_names(held)}: {said}.**"


def _listed(told: Sequence[tuple[Finding, str]], held: Sequence[Held]) -> list[str]:
    lines = [
        _one(number, one, rule, several=len(held) > 1)
        for number, (one, rule) in enumerate(told[:MOST_SHOWN], 1)
    ]
    left = len(told) - MOST_SHOWN
    return ["\n".join(lines), f"{_many(left, 'more finding')} of less weight." if left > 0 else ""]


def _one(number: int, one: Finding, rule: str, *, several: bool) -> str:
    lines = [f"{number}. **{one.severity.capitalize()}.** {plain(one.wrong)}"]
    if one.quote:
        lines.append(f"    - Text: “{plain(shortened(one.quote))}”")
    of = f" ({plain(one.rule.title)})" if several else ""
    words, _, markers = rule.rpartition(" ")
    lines.append(f"    - Rule{of}: “{words}” {markers}")
    lines.append(f"    - Fix: {plain(one.fix)}")
    return "\n".join(lines)


def _clear(held: Sequence[Held]) -> str:
    said = f"**No conflict with {_names(held)} was found.**"
    return f"{said} That nothing was found does not show that all of it is kept."


def _nearest(rules: Sequence[Rule], citing: Citing) -> list[str]:
    said = [line for rule in rules if (line := quoted(citing, rule.said)) is not None]
    return (
        ["The rules nearest to the text:\n\n" + "\n".join(f"- {line}" for line in said)]
        if said
        else []
    )


def _names(held: Sequence[Held]) -> str:
    return " and ".join(f"“{plain(one.document.title)}”" for one in held)


def _many(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"
