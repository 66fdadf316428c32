"""The last picture of each task, for requests that say it did not change."""

from collections import OrderedDict
from dataclasses import replace

from app.domain.page import Observation

MOST = 32  # pictures, of some 100 kB each


class Pictures:
    """Kept in memory alone: no picture of a page is ever stored. Another process has none."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    def recalled(self, tenant: str, task_id: str, page: Observation) -> Observation:
        """The page with its picture: CONTRACT has `screenshot` null where it is as it was."""
        if page.mode != "hybrid" and not (page.pictured and page.says_little):
            # One that nobody asked for, and nobody needs, costs no model's tokens.
            return replace(page, screenshot=None)
        key = (tenant, task_id)
        picture = page.screenshot or self._kept.get(key)
        if picture is None:
            return page
        self._kept[key] = picture
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return replace(page, screenshot=picture)
