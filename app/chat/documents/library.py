"""The documents that can be meant."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from app.chat.documents.titles import Titles, index_titles
from app.domain.chat import DocumentRef, Evidence
from app.domain.knowledge import DocumentTitle


@dataclass(frozen=True, slots=True)
class Listing:
    """`titles` are all that the tenant has, newest first; `registry` those that this conversation was about,
    title to id, the latest last; `last` those of its last turn.
    """

    titles: Sequence[DocumentTitle] = ()
    registry: Mapping[str, str] = field(default_factory=dict)
    last: tuple[DocumentRef, ...] = ()

    @property
    def ready(self) -> Titles:
        """The titles, ready for being looked up."""
        return index_titles(self.titles)

    def refs(self, places: Iterable[int]) -> tuple[DocumentRef, ...]:
        """The documents at these places of `titles`."""
        return tuple(document_ref(self.titles[place]) for place in places)

    def registered(self, ids: Iterable[str]) -> tuple[DocumentRef, ...]:
        """Of these documents those that the tenant has, each once, under the title it has now."""
        places = (self.ready.place(one) for one in dict.fromkeys(ids))
        return self.refs(place for place in places if place is not None)

    def mentioned_before(self) -> tuple[DocumentRef, ...]:
        """What this conversation was about and is still there, the latest last."""
        return self.registered(self.registry.values())

    def mentioned_last(self) -> tuple[DocumentRef, ...]:
        """What its last turn was about and is still there."""
        return self.registered(one.id for one in self.last)


def document_ref(one: DocumentTitle | Evidence) -> DocumentRef:
    """The document that is titled so, or that a passage is of."""
    return DocumentRef(id=one.document_id, title=one.title)
