"""Measure the CPU time of tier 1 verification by page size.

Run: `python -m bench.verification`. Medians in ms of difference, verification, similarity, fingerprint and
unpacking, on two observations of one page; between them a form was filled and submitted, a message
appeared, and every tenth control was rerendered.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

from app.domain.action import Chain, ClientReport, PlannedAction, action
from app.domain.page import Node, Observation, Tree
from app.page.difference import compare_pages
from app.page.snapshot import fingerprint, pack, page_similarity, unpack
from app.verification import verify

SIZES = (30, 100, 500, 1_930)  # 1,930: the largest page of rows that the contract accepts
ROUNDS = 60
BOUND_MS = 3.0  # limit of verification and similarity together, on 500 nodes
FORM = "main: Records > form: New record"


def make_page(size: int) -> Observation:
    """A form, and rows of three controls each, with their text."""
    form = [
        Node(id="1", role="inp", name="Name", group=FORM, center=(100.0, 90.0)),
        Node(id="2", role="inp", name="Street", group=FORM, center=(100.0, 120.0)),
        Node(id="3", role="btn", name="Save record", group=FORM, input_type="submit"),
    ]
    rows = [_row(at) for at in range(4, size + 1)]
    lines = "\n".join(f"Person {at} | Street {at} | Edit Delete" for at in range(min(size, 90)))
    return Observation(
        url="https://app.example.org/records", title="Records", tree=Tree.of([*form, *rows]),
        summary=f"Records\n# Records\nName | Street | Actions\n{lines}"[:4_000],
    )  # fmt: skip


def _row(at: int) -> Node:
    role, name = (("link", "Edit"), ("btn", "Delete"), ("chk", "Select"))[at % 3]
    group = f"main: Records > list: All > row: Person {at // 3}, Street {at // 3}"
    return Node(
        id=str(at), role=role, name=name, group=group, center=(float(at % 7) * 90, at * 9.0)
    )


def change_page(page: Observation, size: int) -> Observation:
    """The page after a save: a message, a new row, and many controls rerendered."""
    nodes = [replace(n, id=f"{n.id}9") if at % 10 == 5 else n for at, n in enumerate(page.tree)]
    new = Node(
        id="99999",
        role="link",
        name="Edit",
        group="main: Records > list: All > row: Dee Fox, Elm 3",
    )
    said = Node(id="99998", role="txt", name="Record saved", states=frozenset({"status"}))
    return replace(
        page, tree=Tree.of([*nodes, new, said]), successes=("Record saved",),
        summary=f"{page.summary[:3_900]}\nDee Fox | Elm 3 | Edit Delete",
    )  # fmt: skip


def make_chain() -> Chain:
    """Two fields filled and the form submitted."""
    actions = (
        action("setValue", "1", "Dee Fox"),
        action("setValue", "2", "Elm 3"),
        action("click", "3"),
    )
    return Chain(
        actions=tuple(
            PlannedAction(action_id=str(at), action=one, description=one.text)
            for at, one in enumerate(actions)
        )
    )


def median_ms(call: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median of a call in ms, after three warm-up calls."""
    times = []
    gc.collect()
    gc.freeze()  # the cache of pages is not measured
    for at in range(rounds + 3):
        started = time.thread_time()
        call()
        if at >= 3:
            times.append(time.thread_time() - started)
    return statistics.median(times) * 1_000


def measure(size: int, rounds: int = ROUNDS) -> dict[str, float]:
    """The medians by operation; pages are unpacked each time, as in a request."""
    before, chain = make_page(size), make_chain()
    after, packed = change_page(before, size), pack(before)
    fresh = [unpack(packed) for _ in range(rounds + 3)]
    pages = iter(fresh * 3)
    return {
        "difference": median_ms(lambda: compare_pages(next(pages), after), rounds),
        "verify": median_ms(
            lambda: verify(
                next(pages), after, chain, ClientReport(), last_step=True, completes_step=True
            ),
            rounds,
        ),
        "similarity": median_ms(lambda: page_similarity(next(pages), after), rounds),
        "fingerprint": median_ms(lambda: fingerprint(after), rounds),
        "unpack": median_ms(lambda: unpack(packed), rounds),
    }


def main() -> None:
    columns = ("difference", "verify", "similarity", "fingerprint", "unpack")
    print(f"{'nodes':>6}" + "".join(f"{name:>13}" for name in columns) + "   verify + similarity")
    for size in SIZES:
        found = measure(size)
        both = found["verify"] + found["similarity"]
        print(
            f"{size:>6,}"
            + "".join(f"{found[name]:>10.2f} ms" for name in columns)
            + f"{both:>10.2f} ms"
        )
    print(f"verify holds a difference; the bound for 500 nodes is {BOUND_MS:.0f} ms.")


if __name__ == "__main__":
    main()
