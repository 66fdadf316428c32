"""Exact amounts, cents that add up, and tables that no spreadsheet computes with."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.metrics.usage import CENT, ModelDayUsage, format_usd, nano_to_cents, usd_to_nano
from app.errors import Invalid
from app.usage.csv_export import csv_line, exact_usd
from app.usage.prices import open_prices
from app.usage.statement import group_by_price, month_of, round_to_cents, span_of_month

AMOUNTS = st.lists(st.integers(0, 10**13), max_size=40)


@given(AMOUNTS)
def test_lines_add_up_to_the_total_and_are_nowhere_a_cent_off(lines: list[int]) -> None:
    found = round_to_cents(lines)
    assert sum(found) == nano_to_cents(sum(lines))
    assert all(abs(cent * CENT - exact) < CENT for cent, exact in zip(found, lines, strict=True))


@pytest.mark.parametrize(
    ("exact", "rounded"), [(5_000_000, 0), (15_000_000, 2), (25_000_000, 2), (25_000_001, 3)]
)
def test_the_total_is_rounded_half_to_even(exact: int, rounded: int) -> None:
    assert nano_to_cents(exact) == rounded


@given(st.integers(0, 10**15))
def test_a_cost_comes_through_a_float_whole(exact: int) -> None:
    assert usd_to_nano(float(Decimal(exact) / 10**9)) == exact


def test_amounts_as_a_person_reads_them() -> None:
    told = [format_usd(one) for one in (0, 959_250, 2_000_000, 99_000_000, 20_000_000_000, 10**12)]
    assert told == ["$0.00", "$0.001", "$0.002", "$0.099", "$20.00", "$1,000.00"]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "\nx", " =x", "\uff1dx"])
def test_a_formula_is_text(text: str) -> None:
    assert csv_line([text]).lstrip('"').startswith("'")


def test_records_are_as_the_standard_has_them() -> None:
    moment = datetime(2026, 11, 3, tzinfo=UTC)
    cells = ['a "b"', "c,d", "e\r\nf", None, True, -1.5, exact_usd(1), moment]
    assert csv_line(cells) == (
        '"a ""b""","c,d","e\r\nf",,true,-1.5,0.000000001,2026-11-03T00:00:00.000Z\r\n'
    )


def test_months_end_where_the_next_begins() -> None:
    december = span_of_month("2026-12")
    assert (december.since, december.until) == (
        datetime(2026, 12, 1, tzinfo=UTC),
        datetime(2027, 1, 1, tzinfo=UTC),
    )
    assert month_of(datetime.fromisoformat("2026-12-01T01:00:00+02:00")) == "2026-11"
    for wrong in ("2026-13", "2026-00", "0000-01", "9999-12", "26-01", "2026-01 ", "\u0662026-01"):
        with pytest.raises(Invalid):
            span_of_month(wrong)


def rated(day: int, cost: int, model: str = "gemini-3.8-flash") -> ModelDayUsage:
    return ModelDayUsage(
        provider="gemini", model=model, kind="model", day=date(2026, 12, day), priced=True,
        calls=1, input_tokens=1_000_000, cost_nano=cost,
    )  # fmt: skip


def test_days_at_one_price_are_one_line_and_a_changed_price_is_told() -> None:
    halved = 750_000_000
    lines = group_by_price([rated(30, halved), rated(31, halved)], open_prices())
    assert [(one.first.day, one.last.day, one.input_price, one.changed) for one in lines] == [
        (30, 31, 0.75, False)
    ]
    (other,) = group_by_price([rated(1, 2 * halved)], open_prices())
    assert other.changed
    (unknown,) = group_by_price([rated(1, 0, "who-knows")], open_prices())
    assert (unknown.input_price, unknown.changed) == (None, False)
