"""What a verified correction teaches, and how that is used the next time."""

from app.engines.lessons.learned import learned
from app.engines.lessons.matching import ranked
from app.engines.lessons.remedy import remedy
from app.engines.lessons.uses import hints, unresolved, used

__all__ = ["hints", "learned", "ranked", "remedy", "unresolved", "used"]
