"""KPIs and their targets, computed from sums in the store."""

from app.metrics.kpis import compute_kpis
from app.metrics.targets import (
    TARGETS,
    MeasuredTarget,
    Point,
    State,
    Target,
    Unit,
    kpi_points,
    kpi_table,
    measure_target,
    skill_warnings,
)

__all__ = [
    "TARGETS",
    "MeasuredTarget",
    "Point",
    "State",
    "Target",
    "Unit",
    "compute_kpis",
    "kpi_points",
    "kpi_table",
    "measure_target",
    "skill_warnings",
]
