"""Nothing is invented: every value that is typed or chosen is traced to where it came from."""

from app.provenance.trace import trace, trace_address
from app.provenance.tracing import traced

__all__ = ["trace", "trace_address", "traced"]
