"""A text held against rules, by code alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.chat.auditing.breaking import broken
from app.chat.auditing.findings import Finding
from app.chat.auditing.lacking import lacking
from app.chat.auditing.limiting import limited
from app.chat.auditing.rules import LOWER, Rule, rules_of
from app.chat.statements import Held, Likeness, Statement, read
from app.engines.embedder import Embedder

MOST_SENTENCES = 600  # of a text
NEAREST = 3  # rules that a sentence is held against, and that are shown where nothing is wrong


@dataclass(frozen=True, slots=True)
class Checked:
    """`sentences` of the text, `rules` of the documents, what was found, and the rules that are the
    nearest to
    the text, the nearest first.
    """

    sentences: tuple[Statement, ...]
    rules: tuple[Rule, ...]
    findings: tuple[Finding, ...]
    nearest: tuple[Rule, ...] = ()


def checked(source: str, message: str, held: Sequence[Held], embedder: Embedder | None) -> Checked:
    """Each sentence against the rules that are about it, and the rules for what such a text must have."""
    tongue = next((one.statements[0].tongue for one in held if one.statements), "en")
    sentences = [one for one in read(source, tongue) if len(one.text) > 3][:MOST_SENTENCES]
    rules = rules_of(held)
    if not sentences or not rules:
        return Checked(tuple(sentences), tuple(rules), ())
    likeness = Likeness([sentences, [rule.said for rule in rules]], embedder)
    alike = likeness.between(0, 1)
    findings = [
        found
        for at, said in enumerate(sentences)
        if not said.text.endswith("?")
        for which in np.argsort(-alike[at])[:NEAREST]
        if (found := _finding(said, rules[which], float(alike[at, which]), likeness))
    ]
    findings += lacking(source, message, sentences, rules)
    best = alike.max(axis=0)
    nearest = tuple(rules[at] for at in np.argsort(-best)[:NEAREST] if best[at] > 0)
    return Checked(tuple(sentences), tuple(rules), tuple(findings), nearest)


def _finding(said: Statement, rule: Rule, alike: float, likeness: Likeness) -> Finding | None:
    cover = _cover(likeness, said, rule)
    found = broken(said, rule, alike, cover) or limited(said, rule, alike)
    if found is None:
        return None
    return Finding(
        severity=rule.severity if found.sure else LOWER[rule.severity],
        wrong=found.wrong,
        quote=said.quote or said.text,
        rule=rule,
        fix=found.fix,
        sure=found.sure,
    )


def _cover(likeness: Likeness, said: Statement, rule: Rule) -> float:
    """Of the rule's words, by their weight, the part that the sentence has."""
    weight = likeness.rarity(rule.said.terms)
    return likeness.rarity(said.terms & rule.said.terms) / weight if weight else 0.0
