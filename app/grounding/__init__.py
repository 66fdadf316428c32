"""Which element of a page a person's phrase means."""

from app.domain.embedder import Embedder
from app.grounding.grounder import Grounder

__all__ = ["Embedder", "Grounder"]
