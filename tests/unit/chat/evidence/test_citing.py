"""Claims with their markers."""

from app.chat.evidence import Cited, Citing, Claim, from_web
from app.chat.evidence.reading import units_of
from app.domain.background import WebResult
from app.domain.chat import Evidence

LEAVE = Evidence(
    ref="P1",
    text="Employees get **25 days** of leave.\nUnused days lapse.",
    title="A",
    chunk_id="c1",
)
OTHER = Evidence(
    ref="P2", text="The *leave* is 25 days for all employees.", title="B", chunk_id="c2"
)


def claim(text: str, *cites: tuple[str, str]) -> Claim:
    return Claim(text, tuple(Cited(*one) for one in cites))


def test_markers_count_in_the_order_of_the_claims() -> None:
    citing = Citing([LEAVE, OTHER])
    told = citing.all(
        [
            claim("Unused days lapse.", ("P1", "Unused days lapse.")),
            claim("Leave is 25 days.", ("P2", ""), ("P1", "")),
            claim("Unused days lapse.", ("P1", "")),
        ]
    )
    assert told == ["Unused days lapse. [1]", "Leave is 25 days. [2][3]", "Unused days lapse. [1]"]
    assert [one.chunk_id for one in citing.citations] == ["c1", "c2", "c1"]
    assert [one.quote for one in citing.citations] == [
        "Unused days lapse.",
        "The leave is 25 days for all employees.",
        "Employees get 25 days of leave.",
    ]


def test_of_several_citations_those_that_hold_are_kept() -> None:
    citing = Citing([LEAVE, OTHER])
    told = citing.cited(
        claim(
            "Leave is 25 days.",
            ("P9", "25 days"),
            ("P1", "not there"),
            ("P2", "25 days"),
            ("P2", "25 days"),
        )
    )
    assert told == "Leave is 25 days. [1]"
    assert [one.chunk_id for one in citing.citations] == ["c2"]
    assert citing.dropped == 0


def test_what_nothing_holds_is_dropped_and_counted() -> None:
    citing = Citing([LEAVE])
    given = [
        claim("Leave is 25 days."),
        claim("Leave is 25 days.", ("P2", "")),
        claim("", ("P1", "")),
        claim("  ", ("P1", "Unused days lapse.")),
        claim("[1]", ("P1", "")),
        claim("Leave is 26 days.", ("P1", "Employees get 25 days")),
    ]
    assert citing.all(given) == []
    assert citing.dropped == len(given)
    assert citing.citations == []


def test_a_claim_has_no_markers_and_no_marks_of_its_own() -> None:
    citing = Citing([LEAVE])
    told = citing.cited(claim("- Employees get **25 days** of leave [3] [P1, P2].", ("P1", "")))
    assert told == "Employees get 25 days of leave. [1]"


def test_refs_that_stand_twice_mean_the_first() -> None:
    twice = OTHER.model_copy(update={"ref": "P1"})
    citing = Citing([LEAVE, twice])
    citing.cited(claim("Employees get 25 days of leave.", ("P1", "")))
    assert citing.citations[0].chunk_id == "c1"


def test_the_web_is_cited_by_its_address() -> None:
    (page,) = from_web([WebResult(title="", url="https://a.example/x", text="Leave is 25 days.")])
    citing = Citing([page])
    assert citing.cited(claim("Leave is 25 days.", ("W1", ""))) == "Leave is 25 days. [1]"
    assert (citing.citations[0].kind, citing.citations[0].url) == ("web", "https://a.example/x")


def test_every_sentence_of_a_passage_is_held_by_it() -> None:
    text = (
        "# Leave\n\nSet `MAX_DAYS` to 3, e.g. in\nconfig.py. Dr. Smith [decides](https://x.example).\n\n"
        "1. Open it. Then wait.\n2. Close it.\n\n- loose\n\n- list\n\n"
        "| Plan | Price |\n|---|---|\n| Pro | $5 |\n\n```\npip install x\n```\nA note [4] (see 2.1)."
    )
    evidence = LEAVE.model_copy(update={"text": text})
    sentences = [one for one in units_of(text) if one.kind != "heading"]
    assert [one.text for one in sentences] == [
        "Set MAX_DAYS to 3, e.g. in config.py.",
        "Dr. Smith decides.",
        "Open it.",
        "Then wait.",
        "Close it.",
        "loose",
        "list",
        "Plan: Pro, Price: $5",
        "pip install x",
        "A note (see 2.1).",
    ]
    assert [one.item for one in sentences[2:7]] == [1, 1, 2, 1, 2]
    citing = Citing([evidence])
    told = citing.all(Claim(one.text, (Cited("P1", one.quote),)) for one in sentences)
    assert len(told) == len(sentences)


def test_a_passage_cut_in_the_middle_of_code_is_read_on() -> None:
    cut = "session.get(x)\n```\n\nSet `it` to 3. Then *wait*."
    assert [(one.kind, one.text) for one in units_of(cut)] == [
        ("code", "session.get(x)"),
        ("prose", "Set it to 3."),
        ("prose", "Then wait."),
    ]
