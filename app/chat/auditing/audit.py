"""The action `audit`."""

import asyncio
from collections.abc import Sequence

from app.chat.auditing.asking import asked_model
from app.chat.auditing.checking import checked
from app.chat.auditing.findings import Finding, ordered
from app.chat.auditing.reaching import reached
from app.chat.auditing.reporting import report
from app.chat.evidence import Citing
from app.chat.tools import Asked, Tools
from app.domain.chat import Reply

LONGEST_SOURCE = 40_000  # characters of the text that are read


async def audit(asked: Asked, tools: Tools) -> Reply:
    """The reply, every claim of which is cited; extractive without a model."""
    source = asked.source[:LONGEST_SOURCE]
    notices: list[str] = []
    if len(asked.source) > len(source):
        notices.append(f"The text is long: its first {len(source):,} characters were audited.")
    if not source.strip():
        return _nothing("There is no text to audit.", notices)
    there = await reached(asked, source, tools)
    notices += there.notices
    if not there.held:
        return _nothing("There is no document with rules to audit the text against.", notices)
    found = await asyncio.to_thread(checked, source, asked.plain, there.held, tools.embedder)
    if not found.sentences:
        return _nothing("The text holds no sentence that could be audited.", notices)
    findings = list(found.findings)
    by_model = False
    if tools.model is not None:
        told = await asked_model(asked, source, there.held, found, tools.model)
        notices += told.notices
        by_model = told.asked
        findings = _merged(told.findings, findings) if told.asked else findings
    citing = Citing([passage for one in there.held for passage in one.passages])
    return await asyncio.to_thread(
        report, ordered(findings), found, there.held, citing, notices, by_model=by_model
    )


def _merged(told: Sequence[Finding], found: Sequence[Finding]) -> list[Finding]:
    """What the model found, and what code is sure of, whatever the model, or a text that speaks to it,
    says.
    """
    quoted = [one.quote.casefold() for one in told if one.quote]
    sure = [
        one
        for one in found
        if one.sure and not any(_same(one.quote.casefold(), other) for other in quoted)
    ]
    return [*told, *sure]


def _same(one: str, other: str) -> bool:
    return bool(one) and (one in other or other in one)


def _nothing(text: str, notices: list[str]) -> Reply:
    return Reply(text=text, confidence="low", score=0.0, notices=tuple(notices))
