"""What a verified correction teaches, and how that is used the next time."""

from app.skills.lessons.extraction import hints, learned, unresolved, used
from app.skills.lessons.remedy import ranked, remedy

__all__ = ["hints", "learned", "ranked", "remedy", "unresolved", "used"]
