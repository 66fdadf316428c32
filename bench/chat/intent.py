"""Evaluate intent resolution: the action, the documents, and whether the web may be searched.

It uses the configured model, if any; without one, the code that knows commands and titles only.
"""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any, cast

from app.chat.request import questions
from app.chat.request.resolver import understand_request
from app.chat.tools import Tools
from app.domain.access import Policy
from app.domain.chat import ACTIONS, ChatAction, Intent, Resolution
from app.llm.port import Model
from app.llm.providers.choice import open_model
from app.settings import Settings
from bench.chat.messages import SETS, Documents, Labelled, labelled

ASKED = "ask"
TUNED = "tuned on"
NOTHING = cast("Any", None)  # intents are resolved from titles only
TOOLS = Tools(tenant="bench", documents=NOTHING, policy=Policy(tenant="bench"))
SHARES = {"action": 0.85, "documents": 0.9}  # minimum share of all messages
OF_THE_WRONG = 0.5  # minimum share of wrong results that ask back instead of acting


@dataclass(slots=True)
class CriterionCounts:
    """The counts of one criterion over all messages; of the wrong results, how many asked back."""

    name: str
    right: list[Labelled] = field(default_factory=list)
    asked: list[tuple[Labelled, str]] = field(default_factory=list)
    acted: list[tuple[Labelled, str]] = field(default_factory=list)
    differs: Counter[str] = field(default_factory=Counter)

    def add(self, one: Labelled, outcome: "Outcome | None") -> None:
        """Count a message, unless any result is right."""
        if outcome is None:
            return
        if outcome.right:
            self.right.append(one)
        else:
            self.differs[outcome.differs] += 1
            (self.asked if outcome.asks else self.acted).append((one, outcome.found))

    def row(self) -> str:
        """The line of the table."""
        wrong = len(self.asked) + len(self.acted)
        every = len(self.right) + wrong
        asked = f"{100 * len(self.asked) / wrong:.0f} %" if wrong else "-"
        wanted = f"{100 * SHARES[self.name]:.0f} %" if self.name in SHARES else ""
        share = 100 * len(self.right) / every
        return f"  {self.name:12}{every:5}{share:8.1f} %{wanted:>8}{wrong:7}{asked:>9}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether the result is right, whether the person is asked, what was resolved, and how that differs
    from the label, described without the message's content.
    """

    right: bool
    asks: bool
    found: str
    differs: str


@dataclass(frozen=True, slots=True)
class ResolvedIntent:
    """The resolved intent; `lacks`: the action would ask for a document."""

    intent: Intent
    asks_action: bool
    action: ChatAction
    resolution: Resolution
    asks_document: bool
    web: bool
    ms: float


async def understanding(sets: Sequence[str], *, missed: bool) -> None:
    """Print a table for each set; `missed` prints the wrong results of the tuning set."""
    async with open_model(Settings(), lambda usage, exchange=None: None) as model:
        await _measured(sets, model, missed=missed)


async def _measured(sets: Sequence[str], model: Model | None, *, missed: bool) -> None:
    print(f"  {'':12}{'of':>5}{'right':>10}{'wanted':>8}{'wrong':>7}{'asked':>9}")
    for name in sets:
        messages = labelled(SETS[name])
        judged = [CriterionCounts("action"), CriterionCounts("documents"), CriterionCounts("web")]
        took = []
        for one in messages:
            made = await resolve_message(one, replace(TOOLS, model=model))
            took.append(made.ms)
            for table, outcome in zip(judged, outcomes(one, made), strict=True):
                table.add(one, outcome)
        print(f"{name}: {len(messages)} messages, {median(took):.1f} ms at the median")
        for table in judged:
            print(table.row())
            for how, count in table.differs.most_common():
                print(f"    {count:3} {how}")
            for way, rows in (("asked", table.asked), ("acted", table.acted)):
                for one, found in rows if missed and name.startswith(TUNED) else ():
                    print(f"    {way}: {one.text[:90]!r} -> {found}")


async def resolve_message(one: Labelled, tools: Tools = TOOLS) -> ResolvedIntent:
    """Resolve a message as the graph's nodes do."""
    tagged, listing = one.tagged, one.listing
    began = time.perf_counter()
    chosen = [each.id for each in tagged.mentions if each.kind == "action"]
    action = next((each for each in ACTIONS if chosen == [each]), None)
    intent, resolution = await understand_request(
        tagged.plain, tagged.mentions, one.earlier, listing, tools, action
    )
    ms = (time.perf_counter() - began) * 1000
    asks = questions.document_question(resolution, intent.action, listing) is not None
    return ResolvedIntent(
        intent=intent,
        asks_action=questions.action_question(intent) is not None,
        action=intent.action,
        resolution=resolution,
        asks_document=asks or _lacks(one, intent.action, resolution),
        web=intent.web or any(each.kind == "web" for each in tagged.mentions),
        ms=ms,
    )


def _lacks(one: Labelled, action: ChatAction, resolution: Resolution) -> bool:
    """Whether the action would ask for a document. Tagged sets provide theirs."""
    sets = {mention.id for mention in one.tagged.mentions if mention.kind == "set"}
    inside = one.listing.registered(
        titled.document_id for titled in one.listing.titles if titled.set_name in sets
    )
    found = questions.check_inputs(action, one.tagged.plain, resolution.resolved, inside, web=False)
    return found.missing in ("documents", "another_document")


def outcomes(one: Labelled, made: ResolvedIntent) -> tuple[Outcome | None, ...]:
    """The outcomes for the action, the documents and the web, in this order; None if any result is right."""
    return _of_action(one, made), _of_documents(one, made), _of_web(one, made)


def _of_action(one: Labelled, made: ResolvedIntent) -> Outcome:
    found = made.intent
    right = ASKED if made.asks_action else found.action
    shown = f"{found.action} ({found.confidence})"
    differs = f"{' or '.join(sorted(one.actions))}, taken for {right}"
    return Outcome(right in one.actions, made.asks_action, shown, differs)


def _of_documents(one: Labelled, made: ResolvedIntent) -> Outcome:
    titles = frozenset(document.title for document in made.resolution.resolved)
    found: Documents = ASKED if made.asks_document else titles or "all"
    candidates = [document.title for document in made.resolution.candidates]
    shown = f"{sorted(titles)} candidates {candidates[:4]} unknown {made.resolution.unresolved}"
    differs = f"{_kind(one.documents[0])}, taken for {_kind(found)}"
    wanted = one.documents[0]
    if isinstance(wanted, frozenset) and isinstance(found, frozenset):
        differs += f" ({len(titles & wanted)} of {len(wanted)}, {len(titles - wanted)} others)"
    return Outcome(found in one.documents, made.asks_document, shown, differs)


def _kind(documents: Documents) -> str:
    return {"all": "no particular one", ASKED: "to be asked"}.get(str(documents), "some documents")


def _of_web(one: Labelled, made: ResolvedIntent) -> Outcome | None:
    if one.web is None:
        return None
    found = "asked for" if made.web else "not asked for"
    return Outcome(made.web is one.web, False, found, f"wrongly {found}")
