"""What a verified correction teaches, and how that is used the next time."""

from app.engines.lessons.anticipated import anticipated
from app.engines.lessons.hints import hints
from app.engines.lessons.learned import learned
from app.engines.lessons.matching import ranked
from app.engines.lessons.remedy import remedy
from app.engines.lessons.uses import unresolved, used

__all__ = ["anticipated", "hints", "learned", "ranked", "remedy", "unresolved", "used"]
