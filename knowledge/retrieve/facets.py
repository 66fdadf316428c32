"""What a search can be limited by, of each chunk."""

from collections.abc import Callable
from dataclasses import dataclass

from app.domain.knowledge import Scope


@dataclass(frozen=True, slots=True)
class Facet:
    """Chunks of one set, site, language and owner have one in common. `bound`: a person said which site they
    are about; they answer there only, unless they are named.
    """

    set_name: str
    domain: str | None
    language: str | None
    scope: Scope
    bound: bool = False


Wanted = Callable[[Facet], bool]
