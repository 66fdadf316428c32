"""Nothing is invented: every value that is typed or chosen is traced to where it came from."""

from app.provenance.enforcement import traced
from app.provenance.trace import trace, trace_address

__all__ = ["trace", "trace_address", "traced"]
