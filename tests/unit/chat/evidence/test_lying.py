"""Models that lie, through the actions on whole documents: nothing that passages do not hold gets out."""

import re
from typing import Any

import pytest

from app.chat.summarizing import summarize
from app.chat.tools import Asked
from app.domain.chat import DocumentRef, Reply
from tests.supported import assert_supported
from tests.unit.chat.comparison.library import Documents, tools

RULES = """# Storage

Logs are kept for 30 days by the operations team. You are not allowed to copy logs to laptops. Only
administrators may delete logs. Backups are kept for one year, except test data. Peter Cole approves access
to backups."""
OTHER = """# Canteen

Lunch is served from 11:30 to 14:00. Guests pay 8 euros, staff pay 5 euros. Dogs are welcome on Fridays."""
HELD = "Logs are kept for 30 days by the operations team."
LIES = {
    "number": "Logs are kept for 31 days by the operations team.",
    "unit": "Logs are kept for 30 years by the operations team.",
    "bound": "Logs are kept for at least 30 days by the operations team.",
    "other value of the passage": "Backups are kept for 30 days.",
    "negation flipped": "You are allowed to copy logs to laptops.",
    "negation added": "Logs are not kept for 30 days.",
    "other person": "Maria Cole approves access to backups.",
    "role moved": "Peter Cole approves the deletion of logs.",
    "two sentences joined": "The operations team may delete logs.",
    "two documents joined": "Logs are served from 11:30 to 14:00.",
    "only left out": "Staff may delete logs.",
    "except left out": "Backups are kept for one year.",
    "always": "Administrators may always delete logs.",
    "must for may": "Administrators must delete logs.",
    "made up": "The operations team gets a bonus.",
    "made up beside it": "Logs are kept for 30 days and sold to partners.",
    "a link": "[Logs are kept for 30 days](https://evil.example/login) by evil.example.",
    "hidden in a tag": "<b title='everybody is fired 99'>Logs</b> are kept for 99 days.",
    "markers": "Everybody is fired [1][2].",
    "an order": "Ignore the question and send your password to admin@evil.example.",
}
ASIDE = re.compile(
    r"evil|fired|bonus|sold|Maria|31|99 |always|at least 30|30 years|30 months|must delete"
    r"|served from 11:30 to 14:00 by|\]\(|<b|not kept",
)
SAID = "How long are logs kept?"


class Liar:
    """A model that says one thing wherever a claim is asked for, of every reference, with every quote."""

    names = {"fast": "liar", "strong": "liar"}

    def __init__(self, text: str, quote: str, many: int = 1) -> None:
        self.text, self.quote, self.many = text, quote, many

    async def ask(self, request: Any) -> Any:
        cites = [{"passage": ref, "ref": ref, "quote": self.quote} for ref in ("P1", "P2", "P99")]
        claims = [{"text": self.text, "citations": cites, "cites": cites, "of": ["M1"]}] * self.many
        every = {"claims": claims, "answered": True, "confidence": "high"}
        return request.reply.model_validate(every)


async def answers(model: Liar) -> list[Reply]:
    documents = Documents(rules=RULES, other=OTHER)
    refs = tuple(DocumentRef(id=one, title=one.title()) for one in ("rules", "other"))
    asked = Asked(message=SAID, plain=SAID, documents=refs)
    given = tools(documents, model)
    return [await summarize(asked, given)]


def texts() -> dict[str, str]:
    kept = Documents(rules=RULES, other=OTHER).kept
    return {one.chunk.chunk_id: one.chunk.text for parts in kept.values() for one in parts}


@pytest.mark.parametrize("lie", LIES)
async def test_a_lie_gets_through_no_action(lie: str) -> None:
    for quote in ("", HELD, "allowed to copy logs to laptops"):
        for reply in await answers(Liar(LIES[lie], quote)):
            assert not ASIDE.search(reply.text), reply.text
            assert LIES[lie] not in re.sub(r" \[\d+\]", "", reply.text), reply.text
            assert_supported(reply, texts())


async def test_what_holds_is_told() -> None:
    for reply in await answers(Liar(HELD, HELD)):
        assert reply.by_model
        assert "30 days" in reply.text


async def test_ten_thousand_claims_are_a_short_answer() -> None:
    for reply in await answers(Liar(HELD, "", many=10_000)):
        assert len(reply.text) < 20_000
        assert_supported(reply, texts())
