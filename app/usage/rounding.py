"""Exact amounts as cents that add up."""

from collections.abc import Sequence

from app.domain.money import CENT, cents


def in_cents(lines: Sequence[int], total: int | None = None) -> list[int]:
    """Each line in whole cents, so that the lines add up to the total rounded once, half to even.

    Largest remainder: every line is rounded down, and the cents that are left go one each to the lines
    that lost most, the first of equals first. No line is a whole cent off its exact amount.
    """
    exact = sum(lines) if total is None else total
    down = [line // CENT for line in lines]
    left = cents(exact) - sum(down)
    most_lost = sorted(range(len(lines)), key=lambda index: -(lines[index] % CENT))
    up = set(most_lost[: max(0, left)])
    return [cent + (index in up) for index, cent in enumerate(down)]
