"""Which element of a page a person's phrase means."""

from app.engines.grounding.grounder import Grounder
from app.engines.grounding.port import Embedder

__all__ = ["Embedder", "Grounder"]
