"""What a decision does: to the skill or memory the advice came from, and for the one who asked."""

from app.domain.review import Reviewed
from app.store.port import Together


class Effects:
    """Carries out decisions. Each effect happens once, however often it is asked for."""

    def __init__(self, together: Together) -> None:
        self._together = together

    async def __call__(self, reviewed: Reviewed) -> None:
        """Raise or lower what it came from, keep the reason, and tell the asker."""
        raise NotImplementedError
