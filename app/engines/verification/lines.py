"""What of a page's text came, and what went."""

from app.engines.verification.snapshot import steady


def compared(before: str, after: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lines that came and lines that went, clocks aside; of one long line, the part that differs."""
    if before == after:
        return (), ()
    old = {steady(line.strip()): line.strip() for line in before.splitlines() if line.strip()}
    new = {steady(line.strip()): line.strip() for line in after.splitlines() if line.strip()}
    if len(old) == len(new) == 1:
        return _middle(next(iter(old)), next(iter(new)))
    return (
        tuple(line for key, line in new.items() if key not in old),
        tuple(line for key, line in old.items() if key not in new),
    )


def _middle(old: str, new: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is left of each between the words both begin and end with."""
    a, b = old.split(), new.split()
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    gone, came = " ".join(a[start : len(a) - end]), " ".join(b[start : len(b) - end])
    return ((came,) if came else ()), ((gone,) if gone else ())
