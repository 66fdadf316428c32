"""Which element of a page a person's phrase means."""

from app.engines.embedder import Embedder
from app.engines.grounding.grounder import Grounder

__all__ = ["Embedder", "Grounder"]
