"""A provider's counts of tokens, taken no further than they can be true."""

from app.llm.providers.transport import Counts

MOST_TOKENS = 10_000_000  # of one call: five times the longest context that is sold


def counts_of(
    sent: object, *, cached: object = None, output: object = None, thinking: object = None
) -> Counts:
    """The counts as they came, None for what was not told.

    What is no number of tokens (negative, NaN, text, beyond `MOST_TOKENS`) counts as 0, and more
    cached than sent as all of it; `known` is False then, and where nothing was sent: something was.
    """
    read = [_tokens(one) for one in (sent, cached, output, thinking)]
    known = None not in read
    whole, part, said, thought = (one or 0 for one in read)
    return Counts(
        input=whole,
        cached=min(part, whole),
        output=said,
        thinking=thought,
        known=known and whole > 0 and part <= whole,
    )


def _tokens(given: object) -> int | None:
    """None for what is no number of tokens."""
    if given is None:
        return 0
    if isinstance(given, bool) or not isinstance(given, int | float):
        return None
    # NaN is in no range.
    return int(given) if 0 <= given <= MOST_TOKENS and given == int(given) else None
