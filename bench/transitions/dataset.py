"""The stored set: one file per page family, each observation stored once."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.api.routes.interact.request import InteractRequest
from app.domain.action import Action, Chain, ClientReport, PlannedAction
from app.domain.page import DialogDecision, Observation

Body = dict[str, Any]
FOLDER = Path(__file__).parents[2] / "tests" / "data" / "transitions"
REPORT = (
    "lastActionStatus",
    "lastActionError",
    "lastActionNote",
    "lastExecutedActionIndex",
)
# Fields that differ between recordings and do not affect a verdict.
_LEFT_OUT = {"requestId", "taskId", "sessionId", "query", "previousUrl", "lastActionId", *REPORT}
_LEFT_OUT |= {"chainPartialState"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One action as sent: its arguments contain ids of the observation before."""

    name: str
    args: Mapping[str, Any]
    description: str
    element: str = ""
    can_fail: bool = False
    dialog: Mapping[str, Any] | None = None

    def planned(self, index: int) -> PlannedAction:
        """The action as a domain object."""
        return PlannedAction(
            action_id=f"a{index}",
            action=Action.model_validate({"name": self.name, "args": self.args}),
            description=self.description,
            element=self.element,
            can_fail=self.can_fail,
            dialog=DialogDecision.model_validate(self.dialog) if self.dialog else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A transition with its label.

    `happened`: whether the actions really had their step's effect, according to the page's server
    or its own state; None if nobody who sees the page could know yet. `done`: whether the task
    was really done when the page was observed. `report` is the client's report of the actions;
    `before` and `after` are bodies as the extension posts them, without what identifies the run.
    """

    name: str
    page: str
    kind: str
    held_out: bool
    goal: str
    step: str
    last_step: bool
    sent: tuple[Sent, ...]
    before: Body = field(repr=False)
    after: Body = field(repr=False)
    report: Body
    happened: bool | None
    done: bool

    @property
    def scene(self) -> str:
        """Its scene: `page/scene[/move][/again]`."""
        return "/".join(self.name.split("/")[:2])

    @property
    def acted(self) -> str:
        """The kind of the last action, which distinguishes confidences."""
        return self.sent[-1].name

    @property
    def chain(self) -> Chain:
        """The actions sent, without expectations."""
        return Chain(actions=tuple(one.planned(at) for at, one in enumerate(self.sent)))

    def looks(self) -> tuple[Observation, Observation, ClientReport]:
        """The pages before and after, and the report, as the server reads them."""
        after = _received({**self.after, **self.report})
        return _received(self.before).observation(), after.observation(), after.report()


def _received(body: Body) -> InteractRequest:
    return InteractRequest.model_validate_json(json.dumps({"query": "-", **body}))


def anonymous(body: Body, origins: Mapping[str, str]) -> Body:
    """An observation without ids, times and ports: `origins` are replaced everywhere."""
    kept = {key: value for key, value in body.items() if key not in _LEFT_OUT}
    if isinstance(kept.get("clientObservations"), dict):
        kept["clientObservations"] = _untimed(kept["clientObservations"])
    text = json.dumps(kept, ensure_ascii=False)
    for origin, name in origins.items():
        text = text.replace(origin, name)
    cleaned: Body = json.loads(text)
    return cleaned


def _untimed(seen: Body) -> Body:
    """The signals; of the wait only whether it was given up, and what for."""
    waited = seen.get("settle")
    if not isinstance(waited, dict):
        return seen
    over = bool(waited.get("timedOut"))
    kept = {
        key: 1000 * round(waited.get(key, 0) / 1000) if over else 0 for key in ("network", "dom")
    }
    return {**seen, "settle": {"ms": sum(kept.values()), **kept, "timedOut": over}}


def store(transitions: Iterable[Recorded], folder: Path = FOLDER) -> list[Path]:
    """Rewrite the files, one per page family in `transitions`."""
    by_page: dict[str, list[Recorded]] = {}
    for item in transitions:
        by_page.setdefault(item.page, []).append(item)
    folder.mkdir(parents=True, exist_ok=True)
    return [_write(folder / f"{page}.json.gz", items) for page, items in by_page.items()]


def _write(file: Path, items: list[Recorded]) -> Path:
    looks: dict[str, int] = {}
    rows = [_row(item, looks) for item in items]
    bodies = [json.loads(text) for text in looks]
    text = json.dumps({"looks": bodies, "transitions": rows}, ensure_ascii=False, sort_keys=True)
    # Without a timestamp, so that equal recordings give equal files.
    file.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    return file


def _row(item: Recorded, looks: dict[str, int]) -> Body:
    def place(body: Body) -> int:
        text = json.dumps(body, ensure_ascii=False, sort_keys=True)
        return looks.setdefault(text, len(looks))

    return {
        "name": item.name,
        "kind": item.kind,
        "heldOut": item.held_out,
        "goal": item.goal,
        "step": item.step,
        "lastStep": item.last_step,
        "sent": [
            {
                "name": one.name,
                "args": dict(one.args),
                "description": one.description,
                "element": one.element,
                "canFail": one.can_fail,
                "dialog": dict(one.dialog) if one.dialog else None,
            }
            for one in item.sent
        ],
        "before": place(item.before),
        "after": place(item.after),
        "report": item.report,
        "happened": item.happened,
        "done": item.done,
    }


def load(folder: Path = FOLDER) -> list[Recorded]:
    """The stored set, in the order of its files and rows."""
    return [item for file in sorted(folder.glob("*.json.gz")) for item in _read(file)]


def _read(file: Path) -> Iterator[Recorded]:
    kept = json.loads(gzip.decompress(file.read_bytes()))
    for row in kept["transitions"]:
        yield Recorded(
            name=row["name"],
            page=file.name.removesuffix(".json.gz"),
            kind=row["kind"],
            held_out=row["heldOut"],
            goal=row["goal"],
            step=row["step"],
            last_step=row["lastStep"],
            sent=tuple(_sent(one) for one in row["sent"]),
            before=kept["looks"][row["before"]],
            after=kept["looks"][row["after"]],
            report=row["report"],
            happened=row["happened"],
            done=row["done"],
        )


def _sent(row: Body) -> Sent:
    return Sent(
        name=row["name"],
        args=row["args"],
        description=row["description"],
        element=row["element"],
        can_fail=row["canFail"],
        dialog=row["dialog"],
    )
