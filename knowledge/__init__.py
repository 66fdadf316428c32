"""The tenant's documents: extracted, chunked, embedded, stored and searched.

Open the service with `knowledge.composition.open_knowledge`; callers depend on the port.
"""

from knowledge.port import MOST_TITLED, Knowledge, Part, Query, advice_for

__all__ = ["MOST_TITLED", "Knowledge", "Part", "Query", "advice_for"]
