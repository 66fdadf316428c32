"""Provenance: every typed or chosen value is traced to its source, so that nothing is invented."""

from app.provenance.enforcement import enforce_sources
from app.provenance.trace import trace_address, trace_value

__all__ = ["enforce_sources", "trace_address", "trace_value"]
