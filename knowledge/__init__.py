"""The team's documents: extracted, cut into chunks, embedded, stored and searched.

`knowledge.composition.open_knowledge` opens them; callers use the port.
"""

from knowledge.error_help import advice_for
from knowledge.port import MOST_TITLED, Knowledge, Part, Query

__all__ = ["MOST_TITLED", "Knowledge", "Part", "Query", "advice_for"]
