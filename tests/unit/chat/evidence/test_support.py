"""What a passage holds, and what it does not."""

from pathlib import Path

import pytest

from app.chat.evidence import supports
from app.domain.chat import Evidence

TABLE = Path(__file__).with_name("claims.tsv")


def cases() -> list[tuple[str, str, str, bool]]:
    found = []
    for line in TABLE.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            passage, quote, claim, holds = line.split("\t")
            found.append(
                (passage.replace("\\n", "\n"), quote.replace("\\|", "|"), claim, holds == "yes")
            )
    return found


def passage(text: str, **more: object) -> Evidence:
    return Evidence.model_validate({"ref": "P1", "text": text, "title": "Handbook"} | more)


@pytest.mark.parametrize(("text", "quote", "claim", "holds"), cases())
def test_a_claim_goes_unless_its_passage_holds_it(
    text: str, quote: str, claim: str, holds: bool
) -> None:
    assert supports(claim, quote, passage(text)) is holds


def test_there_are_true_and_false_ones_in_number() -> None:
    told = [holds for *_, holds in cases()]
    assert len(told) >= 60
    assert 25 <= sum(told) <= len(told) - 25


def test_what_a_heading_says_need_not_be_repeated() -> None:
    below = passage("It is 25 days a year.", heading_path=("Annual leave",))
    assert supports("Annual leave is 25 days a year.", "It is 25 days a year.", below)
    assert not supports("Parental leave is 25 days a year.", "It is 25 days a year.", below)


@pytest.mark.parametrize("text", ["", "  ", "\n\n", "***", "|||", "…", "[1]", "?"])
def test_nothing_is_held_by_nothing(text: str) -> None:
    assert not supports(text, "", passage("The server keeps logs for 30 days."))
    assert not supports("The server keeps logs.", "", passage(text))
