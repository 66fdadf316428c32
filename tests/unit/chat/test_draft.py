"""The draft of an answer."""

from typing import Any

import pytest

from app.chat.claims.body import RESTARTED, DraftClaims
from app.chat.claims.sources import Sources
from app.chat.output.draft import Draft
from app.chat.output.lines import render_draft
from app.domain.chat import Evidence
from app.runs.service import LiveRun

PASSAGE = Evidence(ref="P1", text="Ann Lee is owed 30 days. The fee is 12 euros.", title="Terms")
DAYS = {"text": "Ann Lee is owed 30 days.", "quotes": [{"source": "P1", "words": "owed 30 days"}]}
FEE = {"text": "The fee is 90 euros.", "quotes": [{"source": "P1", "words": "fee is 12 euros"}]}
WHOLE_DAYS = DAYS | {"quotes": [{"source": "P1", "words": "Ann Lee is owed 30 days."}]}


class Listener(LiveRun):
    """The draft, and what was told of it."""

    def __init__(self) -> None:
        super().__init__("")
        self.events: list[dict[str, Any]] = []
        self.draft = Draft("t", self)
        self.pending = DraftClaims(self.draft, Sources([PASSAGE]), question="", limit=3)

    async def emit(self, event: dict[str, Any], *, draft: int | None = None) -> None:
        self.events.append(event)

    async def hear(self, *claims: dict[str, Any], **more: Any) -> list[tuple[int, str]]:
        """The numbers and states of what this tells."""
        before = len(self.events)
        await self.pending.update({"language": "en", "claims": list(claims)} | more)
        return [(one["number"], one["state"]) for one in self.events[before:]]


async def test_the_last_claim_is_pending_until_something_follows_it():
    heard = Listener()
    assert await heard.hear({"text": "Ann"}) == [(1, "pending")]
    assert await heard.hear(WHOLE_DAYS) == [(1, "pending")]
    assert await heard.hear(WHOLE_DAYS) == []
    assert await heard.hear(WHOLE_DAYS, {"text": "The"}) == [(1, "cited"), (2, "pending")]
    assert await heard.hear(WHOLE_DAYS, FEE, answered=True) == [(2, "unsupported")]
    cited, refused = (one for one in heard.events if one["state"] != "pending")
    assert [one["quote"] for one in cited["citations"]] == ["Ann Lee is owed 30 days."]
    assert (refused["citations"], refused["reason"]) == ([], "not in its quotes: 90")
    assert render_draft(heard.draft.claims) == "Ann Lee is owed 30 days. ~~The fee is 90 euros.~~"


async def test_nothing_is_refused_before_the_language_is_known():
    """In German every noun has a capital, and names are not looked for."""
    heard = Listener()
    owed = {"text": "Der Anspruch ist 30 days.", "quotes": DAYS["quotes"]}
    assert await heard.hear(owed, {"text": "D"}, language="") == [(1, "pending"), (2, "pending")]
    assert await heard.hear(owed, {"text": "D"}, language="de-AT") == [(1, "cited")]


@pytest.mark.parametrize("claims", [7, None, [7], [{"quotes": []}], [{"text": ""}]])
async def test_what_is_no_claim_is_not_told(claims: object):
    heard = Listener()
    await heard.pending.update({"claims": claims})
    assert heard.events == []


async def test_no_more_claims_are_told_than_are_answered():
    heard = Listener()
    told = await heard.hear(*({"text": f"Claim {n}"} for n in range(9)))
    assert [number for number, _ in told] == [1, 2, 3]


async def test_what_begins_anew_is_said_to_where_anything_was_told():
    heard = Listener()
    await heard.pending.update({})
    assert heard.events == []
    await heard.hear({"text": "Ann"})
    await heard.pending.update({})
    assert (heard.events[-1]["type"], heard.events[-1]["message"]) == ("restart", RESTARTED)
    assert not heard.draft.claims
    assert await heard.hear({"text": "Ann"}) == [(1, "pending")]


async def test_a_run_keeps_the_latest_of_each_claim_in_its_order():
    live = LiveRun("")
    draft = Draft("t", live)
    pending = DraftClaims(draft, Sources([PASSAGE]), question="", limit=3)
    await live.emit({"type": "status"})
    for length in range(1, 200):
        await pending.update({"claims": [{"text": "x" * length}, {"text": "y" * length}]})
    await live.emit({"type": "status"})
    await pending.update({"claims": [{"text": "x"}, {"text": "y" * 199}]})
    await live.emit({"type": "response"})
    events = [one async for one in live.events()]
    assert [one["type"] for one in events] == ["status", "claim", "status", "claim", "response"]
    assert [one["text"] for one in events if one["type"] == "claim"] == ["y" * 199, "x"]
    live = LiveRun("")
    draft = Draft("t", live)
    pending = DraftClaims(draft, Sources([PASSAGE]), question="", limit=3)
    for said in ({"claims": [{"text": "x"}, {"text": "y"}]}, {}, {"claims": [{"text": "z"}]}):
        await pending.update(said)
    await live.emit({"type": "response"})
    kept = [one.get("text", one["type"]) async for one in live.events()]
    assert kept == ["restart", "z", "response"]
