"""Which form of an answer a client wants."""

from collections.abc import Sequence

from fastapi import Request


def wanted(request: Request, offers: Sequence[str]) -> str:
    """The media type that `Accept` likes best, the first of those offered where it likes none more."""
    liked = {}
    for part in request.headers.get("accept", "").split(","):
        name, *params = (piece.strip().casefold() for piece in part.split(";"))
        liked[name] = _weight(params)

    def weight(offer: str) -> float:
        kind = offer.partition("/")[0]
        return liked.get(offer, liked.get(f"{kind}/*", liked.get("*/*", 0.0)))

    return max(offers, key=weight)


def _weight(params: Sequence[str]) -> float:
    for name, _, value in (one.partition("=") for one in params):
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0
