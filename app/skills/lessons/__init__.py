"""What a verified correction teaches, and how that is used the next time."""

from app.skills.lessons.learned import learned
from app.skills.lessons.matching import ranked
from app.skills.lessons.remedy import remedy
from app.skills.lessons.uses import hints, unresolved, used

__all__ = ["hints", "learned", "ranked", "remedy", "unresolved", "used"]
