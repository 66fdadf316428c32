"""The tenant's documents: extracted, chunked, embedded, stored and searched.

Open the service with `knowledge.composition.open_knowledge`; callers depend on the port.
"""

from knowledge.error_help import advice_for
from knowledge.port import MOST_TITLED, Knowledge, Part, Query

__all__ = ["MOST_TITLED", "Knowledge", "Part", "Query", "advice_for"]
