"""A claim holds only if its quotes and their places contain all of it."""

import pytest

from app.chat.claims.certificate import (
    Claim,
    ClaimReply,
    Quote,
    QuoteReply,
    certify_claims,
    claims_of,
)
from app.chat.claims.sources import Sources
from app.domain.chat import Evidence

HOTELS = """A hotel may cost at most 120 euros a night. In London the limit is 180 euros a
night, as the \u201cTravel Board\u201d has it, for exam-
ple first-
class guests. Paid on 3 March 2024: 1.000 EUR. Ms. Anna Cohen asked for five days.
The office is in Birming-
ham. Call +44 20 7946 0958 by 9:30, or write to desk@travel.example."""
PRICES = "| Item | Price (EUR) |\n|---|---|\n| Follow-up | 31 |\n| First visit | 25 |\n| Discount | 10 % |"
GERMAN = "Die Nacht in Hamburg darf 150 Euro kosten. Der Preis gilt nach Norm ISO-9001."
EVIDENCE = (
    Evidence(ref="P1", text=HOTELS, title="Travel policy", heading_path=("Hotels",), language="en"),
    Evidence(ref="P2", text=PRICES, title="Prices 2026", language="en"),
    Evidence(ref="P3", text=GERMAN, title="Reisen", language="de"),
)
LONDON = "In London the limit is 180 euros a night"
HAMBURG = "Die Nacht in Hamburg darf 150 Euro kosten."
FOLLOW, FIRST = "| Follow-up | 31 |", "| First visit | 25 |"

HOLDS = [
    ("A night in London may cost 180 euros.", LONDON, ""),
    ("The limit is 180 euros.", "the  limit\nis 180 euros", ""),
    ('The "Travel Board" decides.', 'as the "Travel Board" has it', ""),
    ("An example is given.", "has it, for example", ""),
    ("It is for first-class guests.", "first-class guests", ""),
    ("The office stands in Birmingham.", "The office is in Birmingham.", ""),
    ("It is so for first-class guests.", "for example first-class guests", ""),
    ("An example is given.", "has it, for exam-\nple", ""),
    ("1,000 EUR were paid on 2024-03-03.", "Paid on 3 March 2024: 1.000 EUR", ""),
    ("1 000 EUR were paid in March 2024.", "Paid on 3 March 2024: 1.000 EUR", ""),
    ("Anna Cohen asked for 5 days.", "Ms. Anna Cohen asked for five days", ""),
    ("Call +44 20 7946 0958 by 9:30.", "Call +44 20 7946 0958 by 9:30", ""),
    ("The Travel policy sets 180 euros.", LONDON, ""),
    ("A follow-up costs 31 EUR.", FOLLOW, ""),
    ("A follow-up costs 31 EUR in 2026.", FOLLOW, ""),
    ("Eine Nacht in London darf 180 Euro kosten, sagt die Richtlinie.", LONDON, "de"),
    ("Une nuit \u00e0 Londres peut co\u00fbter 180 euros.", LONDON, "fr"),
    (
        "\u05dc\u05d9\u05dc\u05d4 \u05d1\u05dc\u05d5\u05e0\u05d3\u05d5\u05df \u05e2\u05d5\u05dc\u05d4 180",
        LONDON,
        "he",
    ),
    ("Die Nacht kostet laut Vorschrift 150 Euro.", HAMBURG, "de"),
]
FAILS = [
    ("The limit is 120 euros.", LONDON, "120"),
    ("The limit is 20 euros.", "20 euros a night", "20 euros"),
    ("It is 1 euro.", "1.00", "1.00"),
    ("The limit is 180 euros.", "the limit is 180 dollars", "180 dollars"),
    ("The limit is 180 euros.", "THE LIMIT IS 180 EUROS", "LIMIT"),
    ("A night in Paris may cost 180 euros.", LONDON, "Paris"),
    ("London allows 180 euros.", "the limit is 180 euros", "London"),
    ("It was paid on 4 March 2024.", "Paid on 3 March 2024", "4 March 2024"),
    ("It was paid in May 2024.", "Paid on 3 March 2024", "May 2024"),
    ("10,000 EUR were paid.", "Paid on 3 March 2024: 1.000 EUR", "10,000"),
    ("It was 1 EUR.", "Paid on 3 March 2024: 1.000 EUR", "1"),
    ("She asked for seven days.", "Ms. Anna Cohen asked for five days", "seven"),
    ("Call +44 20 7946 0959.", "Call +44 20 7946 0958", "0959"),
    ("Write to desk@evil.example.", "write to desk@travel.example", "desk@evil.example"),
    ("Norm ISO-9002 gilt.", "Der Preis gilt nach Norm ISO-9001", "ISO-9002"),
    ("A follow-up costs 25 EUR.", FOLLOW, "25"),
    ("A follow-up costs 31.", "31", "31"),
    ("Breakfast is free.", "Breakfast is free for all guests", "Breakfast"),
    ("Anything.", HOTELS * 4, "are in no passage"),
]  # fmt: skip


def quoted(text: str, *words: str, formula: str = "", ref: str = "P1") -> Claim:
    return Claim(text, tuple(Quote(ref, one) for one in words), formula)


@pytest.mark.parametrize(("text", "words", "language"), HOLDS)
def test_what_the_quote_says_in_another_spelling_holds(text: str, words: str, language: str):
    assert certify_claims(quoted(text, words), Sources(EVIDENCE), language=language).reason == ""


@pytest.mark.parametrize(("text", "words", "told"), FAILS)
def test_what_the_quote_does_not_say_fails_and_is_told(text: str, words: str, told: str):
    assert told in certify_claims(quoted(text, words), Sources(EVIDENCE)).reason


@pytest.mark.parametrize(
    ("formula", "words", "reason"),
    [
        ("31 * 4 = 124", (FOLLOW,), ""),
        ("31 + 25 = 56", (FOLLOW, FIRST), ""),
        ("(31 + 25) / 4 = 14", (FOLLOW, FIRST), ""),
        ("31 * 10 / 100 = 3.1", (FOLLOW, "| Discount | 10 % |"), ""),
        ("31 / 4 = 7.75", (FOLLOW,), ""),
        ("31 * 4 = 125", (FOLLOW,), "does not come to 125"),
        ("31 + 25 = 56", (FOLLOW,), "25 of its formula"),
        ("31 * 8 = 248", (FOLLOW,), "8 of its formula"),
        ("31 * 12 = 372", (FOLLOW,), ""),
        ("count = 2", (FOLLOW, FIRST), ""),
        ("count = 3", (FOLLOW, FIRST), "there are 2 different quotes"),
        ("count = 2", (FOLLOW, FOLLOW), "there are 1 different quotes"),
        ("31 / 100 = 0.31", (FOLLOW,), "100 of its formula"),
        ("31 ** 4 = 923521", (FOLLOW,), "cannot be computed"),
        ("31 / (4 - 4) = 0", (FOLLOW,), "cannot be computed"),
        ("__import__('os') = 1", (FOLLOW,), "is none"),
        ("31 * 4", (FOLLOW,), "is none"),
    ],
)
def test_a_result_is_computed_again_from_what_is_quoted_or_asked(
    formula: str, words: tuple[str, ...], reason: str
):
    result = formula.rpartition("=")[2].strip()
    claim = quoted(f"It comes to {result}.", *words, formula=formula, ref="P2")
    found = certify_claims(claim, Sources(EVIDENCE), question="What do 4 visits cost?")
    assert reason in found.reason
    assert bool(found.reason) is bool(reason)
    assert bool(found.computed) is not bool(reason)


@pytest.mark.parametrize(("language", "reason"), [("en", ""), ("es", "once")])
def test_a_word_is_a_number_in_its_own_language(language: str, reason: str):
    claim = quoted("The 150 are due once in Hamburg.", HAMBURG, ref="P3")
    assert reason in certify_claims(claim, Sources(EVIDENCE), language=language).reason


@pytest.mark.parametrize(
    ("text", "formula", "reason"),
    [
        ("It rose by 19,136.", "357.136 - 338 = 19.136", ""),
        ("It rose by 19.136.", "357.136 - 338 = 19.136", ""),
        ("Twice that is 714.272.", "357.136 * 2 / 1 = 714.272", "2, 1 of its formula"),
        (
            "A thousandth of 357.136 is 0.357136.",
            "357.136 / 1000 = 0.357136",
            "separates thousands",
        ),
        ("There are 1880 steps.", "(635 - 400) / 0.125 = 1880", ""),
    ],
)
def test_numbers_of_a_formula_are_read_as_tables_write_them(text: str, formula: str, reason: str):
    rows = "| From | August | 357.136 |\n| To | May | 338 |\n| 635 | 400 | -0.125 |"
    sources = Sources([Evidence(ref="P1", text=rows, title="Wages")])
    found = certify_claims(quoted(text, *rows.splitlines(), formula=formula), sources)
    assert reason in found.reason
    assert bool(found.reason) is bool(reason)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The limit is 180 euros.", LONDON),
        ("LAS-2-Format gilt.", "the format LAS 2.0"),
        ("D'Artagnan came.", "so Artagnan came"),
        ("The limit of B's is 180 euros.", LONDON),
    ],
)
def test_a_word_that_is_common_in_the_documents_is_no_name(text: str, words: str):
    shown = f"In The Hague the format LAS 2.0 is 2; so Artagnan came. {words}"
    sources = Sources([Evidence(ref="P1", text=shown, title="x", language="en")])
    assert certify_claims(quoted(text, words), sources, language="en").reason == ""


def test_bare_numbers_can_be_counted():
    sources = Sources([Evidence(ref="P1", text="Signed:\n\n- 2.6.0\n- 2.5.0", title="Releases")])
    claim = quoted("2 releases are signed.", "- 2.6.0", "2.5.0", formula="count = 2")
    assert certify_claims(claim, sources).reason == ""
    assert certify_claims(quoted("It is 2.6.0.", "2.6.0"), sources).reason != ""


def test_a_measure_of_a_formula_is_no_number_that_a_claim_may_name():
    claim = quoted("12 visits come to 372.", FOLLOW, formula="31 * 12 = 372", ref="P2")
    assert "12" in certify_claims(claim, Sources(EVIDENCE)).reason
    asked = certify_claims(claim, Sources(EVIDENCE), question="What do 12 visits cost?")
    assert asked.reason == ""


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("kept for two (2) years", "destroyed after ten (10) years"),
        ("kept for 2 (two) years", "destroyed after 10 (ten) years"),
    ],
)
def test_a_number_that_is_said_twice_is_one_number(early: str, late: str):
    text = f"E-mail is {early}. Other records are {late}."
    sources = Sources([Evidence(ref="P1", chunk_id="c", text=text, title="Retainer")])
    claim = quoted("They are kept 8 years longer.", early, late, formula="10 - 2 = 8")
    assert certify_claims(claim, sources).reason == ""
    assert "12" in certify_claims(quoted("They are kept 12 years.", late), sources).reason


def test_a_number_of_the_question_alone_shows_nothing():
    claim = quoted("The limit is 200 euros.", "the limit is 180 euros")
    assert "200" in certify_claims(claim, Sources(EVIDENCE), question="Is it 200 euros?").reason


@pytest.mark.parametrize(
    ("text", "words", "reason"),
    [
        ("Paris allows 180 euros.", LONDON, "Paris"),
        ("A night in Paris costs 180 euros.", LONDON, "Paris"),
        ("Jane Doe pays 180 euros in London.", LONDON, "Jane, Doe"),
        ("London allows 180 euros.", "the limit is 180 euros", "London"),
        ("A night in London may cost 180 euros.", LONDON, ""),
    ],
)
def test_a_name_of_the_question_alone_shows_nothing(text: str, words: str, reason: str):
    asked = "May Jane Doe pay 180 euros a night in Paris or London, as Paris allows?"
    held = certify_claims(quoted(text, words), Sources(EVIDENCE), question=asked)
    assert reason in held.reason
    assert bool(held.reason) is bool(reason)


def test_a_quote_is_found_where_it_stands_whatever_passage_was_named():
    (held,) = certify_claims(quoted("It is 31 EUR.", FOLLOW, ref="P1"), Sources(EVIDENCE)).spans
    assert held.evidence.ref == "P2"


def test_markers_in_a_claim_are_none_of_ours():
    (claim,) = claims_of(
        [
            ClaimReply(
                text="- It is **180** euros [1][P3].",
                quotes=[QuoteReply(source="[P1]", words=LONDON)],
            )
        ]
    )
    assert claim.text == "It is 180 euros."
    assert claim.quotes[0].ref == "P1"
    assert certify_claims(claim, Sources(EVIDENCE)).reason == ""


def test_a_number_in_brackets_within_a_sentence_is_no_marker():
    (claim,) = claims_of([ClaimReply(text="Box [01] of the form is at 169 [2].")])
    assert claim.text == "Box [01] of the form is at 169."


def test_a_claim_without_a_quote_fails():
    assert certify_claims(Claim("It is so."), Sources(EVIDENCE)).reason == "it has no quote"


def test_a_quote_that_begins_with_its_heading_stands_under_it():
    text = "## Article 23\n\nWork is free.\n\n## Article 24\n\nRest is owed."
    sources = Sources([Evidence(ref="P1", text=text, title="Rights", heading_path=("Rights",))])
    found = sources.find("P1", "## Article 24\n\nRest is owed.")
    assert found is not None
    assert found.path == ("Rights", "Article 24")
