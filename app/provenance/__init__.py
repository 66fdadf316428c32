"""Nothing is invented: every value that is typed or chosen is traced to where it came from."""

from app.provenance.enforcement import enforce_sources
from app.provenance.trace import trace_address, trace_value

__all__ = ["enforce_sources", "trace_address", "trace_value"]
