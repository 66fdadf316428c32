"""What the rest needs from the storage of what was spent, and of what may be. Every query names its
tenant.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from app.domain.metrics.budget import Budgets
from app.domain.metrics.usage import (
    GroupBy,
    ModelDayUsage,
    TaskCost,
    UsageFilter,
    UsageGroup,
    UsageRecord,
    UsageTotals,
)


class Usage(Protocol):
    """What calls of models and searches cost, one row each."""

    async def add(self, records: Sequence[UsageRecord]) -> None:
        """Insert; a row whose usage_id is there already is left as it is."""
        ...

    async def of_task(self, tenant: str, task_id: str) -> list[UsageRecord]:
        """In the order they were made."""
        ...

    async def spent_by_task(self, tenant: str, task_ids: Sequence[str]) -> dict[str, UsageTotals]:
        """What each of these tasks took, by its id; none for one that called nothing."""
        ...

    async def summed(self, tenant: str, span: UsageFilter, by: GroupBy) -> list[UsageGroup]:
        """The sums, by key. Days and months are those of UTC."""
        ...

    async def rated(self, tenant: str, span: UsageFilter) -> list[ModelDayUsage]:
        """The sums of each model and day, in that order."""
        ...

    async def page(
        self,
        tenant: str,
        span: UsageFilter,
        *,
        limit: int,
        after: tuple[datetime, str] | None = None,
    ) -> list[UsageRecord]:
        """Newest first, those after the place that the moment and usage_id name."""
        ...

    async def spent(
        self, tenant: str, span: UsageFilter | None = None, *, task_id: str = ""
    ) -> int:
        """All that was spent in the span, or ever on one task, in billionths of a dollar."""
        ...

    async def recent_tasks(self, tenant: str, *, limit: int) -> list[TaskCost]:
        """What models took of the newest tasks, of those that asked one."""
        ...


class BudgetRows(Protocol):
    """What each tenant may spend."""

    async def get(self, tenant: str) -> Budgets:
        """The tenant's; one without any limit where none was set."""
        ...

    async def put(self, budgets: Budgets) -> None:
        """Insert or replace."""
        ...
