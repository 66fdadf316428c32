"""Later captures of a page supersede earlier ones: never two states of one thing."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.knowledge import ChunkPlacement, Document, Manifest, Phase, superseded_chunks
from knowledge.ingest.captures import (
    Capture,
    CapturedChunk,
    find_superseded,
    is_repeated,
    merge_capture,
)

NOW = datetime(2026, 1, 5, tzinfo=UTC)
AREAS = ("Order 17", "Order 18", "Delivery")
STATES = ("Pending", "Approved", "Rejected")


def says(
    text: str, *path: str, chunk_id: str = "c", at: tuple[str, ...] = ("main",)
) -> CapturedChunk:
    return CapturedChunk(chunk_id, text, path, at)


class TestSuperseded:
    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("Status: Pending", "Status: Approved"),
            ("**Status:** Pending\nOwner: Ann", "Owner: Ann\n**Status:** Approved"),
            ("Your request is still pending.", "Your request is still approved."),
            ("| No | State |\n|---|---|\n| 17 | Pending |", "| No | State |\n| 17 | Approved |"),
            ("You have 3 new messages", "You have 4 new messages"),
        ],
    )
    def test_the_same_thing_said_otherwise(self, old: str, new: str) -> None:
        was, now = says(old, "Orders", chunk_id="o"), says(new, "Orders", chunk_id="n")
        assert find_superseded([now], [was]) == {"o": "n"}

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("Status: Pending", "Delivery: Tomorrow"),
            ("| No | State |\n|---|---|\n| 17 | Pending |", "| No | State |\n| 18 | Pending |"),
            ("How to ask for leave, in three steps.", "Who approves it, and how long that takes."),
        ],
    )
    def test_something_else_is_no_conflict(self, old: str, new: str) -> None:
        was, now = says(old, "Orders", chunk_id="o"), says(new, "Orders", chunk_id="n")
        assert find_superseded([now], [was]) == {}

    def test_what_still_stands_is_no_conflict(self) -> None:
        was = says("Name: Ann\nName: Bob", "People", chunk_id="o")
        assert find_superseded([says("Name: Ann\nName: Carl", "People")], [was]) == {"o": "c"}
        both = [says("Name: Ann", "People"), says("Name: Bob", "People", chunk_id="d")]
        assert find_superseded(both, [was]) == {}

    def test_another_part_of_the_page_says_nothing_about_this_one(self) -> None:
        was = says("Name: Ann", "Patient", chunk_id="o")
        assert find_superseded([says("Name: Dr. Bob", "Doctor")], [was]) == {}

    def test_a_dialog_shows_fewer_headings(self) -> None:
        was = says("Status: Pending", "Orders", "Order 17", chunk_id="o")
        now = says("Status: Approved", "Order 17", at=("dialog[Order 17]",))
        assert find_superseded([now], [was]) == {"o": "c"}

    def test_a_heading_may_hold_the_state(self) -> None:
        was = says("Ann asks for leave.", "Order 17: Pending", chunk_id="o", at=("#order",))
        now = says("Ann asks for leave.", "Order 17: Approved", at=("#order",))
        assert find_superseded([now], [was]) == {"o": "c"}

    def test_a_longer_list_takes_the_place_of_its_beginning(self) -> None:
        was = says("- Ann\n- Bob", "People", chunk_id="o")
        assert find_superseded([says("- Ann\n- Bob\n- Carl", "People")], [was]) == {"o": "c"}


def test_the_same_words_elsewhere_are_no_repetition() -> None:
    one = says("Status: Pending", "Order 17")
    assert is_repeated(one, [says("Status:  pending", "Orders", "Order 17")])
    assert not is_repeated(one, [says("Status: Pending", "Order 18")])


class Page:
    """A page that is looked at again and again, as the pipeline and the index see it."""

    def __init__(self) -> None:
        self.looks: dict[str, Capture] = {}
        self.count = 0

    def look(
        self, name: str, phase: Phase, said: list[CapturedChunk], container: str | None = None
    ) -> None:
        self.count += 1
        document = Document(
            document_id=name,
            tenant="a",
            key=name,
            title="",
            source="",
            kind="html",
            url="https://a.test/",
            phase=phase,
            container=container,
            created_at=NOW,
            ingested_at=NOW,
        )
        others = [one for key, one in self.looks.items() if key != name]
        found = merge_capture(document, said, others, NOW + timedelta(seconds=self.count))
        kept = [one for one in said if one.chunk_id in found.keep]
        if not kept:
            self.looks.pop(name, None)
            return
        entries = tuple(ChunkPlacement(chunk_id=one.chunk_id, start=0, end=1) for one in kept)
        self.looks[name] = Capture(
            document=document.model_copy(update={"ingested_at": found.at}),
            manifest=Manifest(
                tenant="a",
                document_id=name,
                revision="r",
                entries=entries,
                supersedes=found.supersedes,
                created_at=NOW,
            ),
            chunks=tuple(kept),
        )

    def visible(self) -> list[CapturedChunk]:
        pairs = [(one.document, one.manifest) for one in self.looks.values()]
        return [
            said
            for one in self.looks.values()
            for said in one.chunks
            if said.chunk_id not in superseded_chunks(one.document, pairs)
        ]


STEPS = st.lists(
    st.tuples(st.sampled_from([*range(len(AREAS)), None]), st.sampled_from(STATES)), max_size=9
)


@given(STEPS, st.booleans())
def test_whatever_is_looked_at_in_which_order_one_state_is_told(
    steps: list[tuple[int | None, str]], in_one: bool
) -> None:
    page, now = Page(), dict.fromkeys(AREAS, "Pending")
    told: dict[str, str] = {}
    for count, (which, state) in enumerate([(None, "Pending"), *steps]):
        name = "page" if which is None else f"click({which}) {count % 2}"
        areas = AREAS if which is None else (AREAS[which],)
        if which is not None:
            now[AREAS[which]] = state
        told |= {area: now[area] for area in areas}
        said = [
            says(f"Status: {now[area]}\nOwner: Ann", area, chunk_id=f"{name}/{area}/{now[area]}")
            for area in areas
        ]
        if in_one and which is None:
            text = "\n".join(f"{area} status: {now[area]}" for area in areas)
            said.append(says(text, "Overview", chunk_id=f"{name}/all/{text}"))
        page.look(name, "initial" if which is None else "post-interaction", said)
        for area in AREAS:
            visible = {one.text.splitlines()[0] for one in page.visible() if one.path == (area,)}
            assert visible == {f"Status: {told[area]}"}
