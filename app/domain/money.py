"""Amounts of money that add up: whole billionths of a dollar, which sums of any length keep exact.

A token of the cheapest model costs 10 of them (0.01 USD for a million).
"""

from decimal import ROUND_HALF_EVEN, Decimal

NANO = 1_000_000_000  # of them make a dollar
CENT = NANO // 100


def nano(usd: float) -> int:
    """The amount in whole billionths, rounded once, half to even."""
    return int((Decimal(repr(usd)) * NANO).quantize(Decimal(1), ROUND_HALF_EVEN))


def usd(amount: int) -> float:
    """The amount in USD, as near as a float comes."""
    return amount / NANO


def cents(amount: int) -> int:
    """The amount in whole cents, rounded once, half to even."""
    return int((Decimal(amount) / CENT).quantize(Decimal(1), ROUND_HALF_EVEN))


def shown(amount: int) -> str:
    """The amount for a person, with as many digits as a small one needs: `$1.50`, `$0.0034`."""
    if amount and abs(amount) < 10 * CENT:
        text = f"{Decimal(amount) / NANO:.4f}".rstrip("0")
        whole, _, rest = text.partition(".")
        return f"${whole}.{rest.ljust(2, '0')}"
    return f"${Decimal(amount) / NANO:,.2f}"
