"""Which parts of a page a chunk stood in."""

from collections.abc import Sequence

from knowledge.extract.port import Region

OPENED = ("dialog", "menu", "listbox", "tabpanel", "details", "form")
"""Parts that change on their own: what is in one does not share a chunk with what is not."""
SMALLEST_OWN = 200  # characters of another part with an id that gets chunks of its own
MOST_NAMED = 12


def borders(regions: Sequence[Region]) -> list[int]:
    """The places where a chunk has to end, and another begin."""
    found: list[int] = []
    for region in regions:
        own = region.container.startswith("#") and region.end - region.start >= SMALLEST_OWN
        if own or region.container.partition("[")[0] in OPENED:
            found += [region.start, region.end]
    return found


def containers_of(regions: Sequence[Region], start: int, end: int) -> tuple[str, ...]:
    """The parts that hold more than half of what stands between two places, the innermost last."""
    held = [
        region
        for region in regions
        if 2 * (min(end, region.end) - max(start, region.start)) > end - start
    ]
    held.sort(key=lambda region: region.end - region.start, reverse=True)
    return tuple(dict.fromkeys(region.container for region in held))[-MOST_NAMED:]
