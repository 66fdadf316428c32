"""Nothing is invented: every value that is typed or chosen is traced to where it came from."""

from app.engines.provenance.statement import Statement, statement
from app.engines.provenance.trace import is_answer, trace, trace_address
from app.engines.provenance.tracing import traced

__all__ = ["Statement", "is_answer", "statement", "trace", "trace_address", "traced"]
