"""Chooses the media type of a response, and builds download headers."""

from collections.abc import Sequence

from fastapi import Request


def preferred_media_type(request: Request, offers: Sequence[str]) -> str:
    """The offer with the highest weight in `Accept`; the first one if several tie."""
    weights = {}
    for part in request.headers.get("accept", "").split(","):
        name, *params = (piece.strip().casefold() for piece in part.split(";"))
        weights[name] = _weight(params)

    def weight(offer: str) -> float:
        kind = offer.partition("/")[0]
        return weights.get(offer, weights.get(f"{kind}/*", weights.get("*/*", 0.0)))

    return max(offers, key=weight)


def _weight(params: Sequence[str]) -> float:
    for name, _, value in (one.partition("=") for one in params):
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0


def attachment_headers(file_name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{file_name}"'}
