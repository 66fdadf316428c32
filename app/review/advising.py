"""What operators decided of something similar."""

from app.domain.advice import Advice
from app.store.review import Reviews


async def advice(
    reviews: Reviews, tenant: str, about: str, *, site: str = ""
) -> tuple[Advice, ...]:
    """The decisions on what is similar, at most 3, the nearest first; of one site where one is given."""
    raise NotImplementedError
