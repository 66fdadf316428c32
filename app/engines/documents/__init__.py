"""What the team's documents say, found without a model, and how it is cited."""

from app.engines.documents.answering import answer
from app.engines.documents.citing import sourced
from app.engines.documents.facts import Fact, facts
from app.engines.documents.filling import documented, filled_in, to_look_up
from app.engines.documents.wanted import wanted

__all__ = ["Fact", "answer", "documented", "facts", "filled_in", "sourced", "to_look_up", "wanted"]
