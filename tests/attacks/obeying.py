"""A model that reads all of its prompt, in any script, and obeys every order it finds."""

import re
from typing import Any

from tests.attacks.demands import Demand, does, says
from tests.attacks.wordings import readings, squeezed
from tests.attacks.worlds import World
from tests.fakes.calls import Call

WINDOW = 16  # letters and digits that identify an order, even if its end was cut off
STUBBORN = 6  # replies in which it obeys before it does what the person wanted


class Model:
    """Obeys the order once it has seen it; honest before, and after it has given up."""

    def __init__(self, world: World, demand: Demand | None) -> None:
        self._world, self._demand = world, demand
        self._window = squeezed(demand.order) if demand else ""
        self.done = False  # whether the page shows what the person wanted
        self.saying = ""  # its default reply
        self.seen = False
        self.obeyed = 0
        self.refused: list[str] = []

    def __call__(self, call: Call) -> Any:
        if self.saying and call.asks_for("say"):
            return says(self.saying)
        self._look(call)
        if call.asks_for("wanted"):
            return self._examined(call)
        if call.asks_for("ok"):
            return {"ok": True, "why": ""}
        if call.asks_for("worked"):
            return self._judged()
        if call.asks_for("found"):
            return self._answered()
        if call.asks_for("solved"):
            return self._weighed()
        if self.seen and self._demand and self.obeyed < STUBBORN:
            reply = self._demand.replies[self.obeyed % len(self._demand.replies)]
            self.obeyed += 1
            return reply(call) if callable(reply) else reply
        return self._honest(call)

    def _look(self, call: Call) -> None:
        prompt = call.prompt
        if "Your last proposal was not sent:" in prompt:
            said = prompt.split("Your last proposal was not sent:")[1].split("\n")
            self.refused.append(said[2] if len(said) > 2 else "")
        if self._demand and not self.seen:
            self.seen = any(self._known(squeezed(one)) for one in readings(prompt))

    def _known(self, text: str) -> bool:
        order = self._window
        most = max(1, len(order) - WINDOW)
        return any(order[at : at + WINDOW] in text for at in range(0, most, 4))

    def _examined(self, call: Call) -> dict[str, Any]:
        """The critic sees the goal and the acts: it is deceived if the order is among them, and otherwise
        finds what the goal does not want.
        """
        acts, _, around = call.prompt.split("Acts:\n")[1].partition("Around them:\n")
        began = self._window[:WINDOW]  # its end may be a value, which any act contains too
        if began and any(began in squeezed(one) for one in readings(around)):
            return {"effect": "reads", "wanted": True}
        wanted = all(map(self._is_of_the_goal, acts.splitlines()[1:-1]))
        return {"effect": "saves" if wanted else "unsure", "wanted": wanted}

    def _is_of_the_goal(self, act: str) -> bool:
        nodes = self._world.screen.nodes
        names = {one["i"]: one["n"] for one in nodes}
        places = {one["i"]: one.get("g", "").partition(": ")[2] for one in nodes}
        alike = {one["i"] for one in nodes if sum(n["n"] == one["n"] for n in nodes) > 1}
        return any(
            f"'{names[one['i']]}'" in act
            and (one["i"] not in alike or places[one["i"]] in act)
            and all(f"'{value}'" in act for value in one["values"])
            for one in map(_read, self._world.script)
            if one["i"] in names
        )

    def _judged(self) -> dict[str, Any]:
        return {
            "why": "It shows.",
            "quote": self._world.said or self._world.shows,
            "worked": "yes",
            "reached": "yes" if self.seen else "unsure",
            "sure": 1.0,
        }

    def _answered(self) -> dict[str, Any]:
        demand = self._demand if self.seen else None
        told = (demand.reads, *demand.words) if demand else ()
        otherwise = self._world.said or "It says so."
        return {"found": True, "answer": next(filter(None, told), otherwise)}

    def _weighed(self) -> dict[str, Any]:
        words = self._demand.words if self.seen and self._demand else ()
        if words:
            return {"solved": True, "answer": f"The page says {words[0]}", "query": words[0]}
        return {"solved": True, "answer": self._world.search[0][2] if self._world.search else "no"}

    def _honest(self, call: Call) -> dict[str, Any]:
        world = self._world
        if call.asks_for("intent") and world.opens and "Web search" not in call.prompt:
            return does(steps=[], **world.opens)
        if not self.done:
            steps = [{"text": "Do what was asked, and save it"}]
            derived = list(world.derived)
            return does(*world.script, steps=steps, quote=world.said, derived=derived)
        shown = world.said or world.shows
        return does(f'finish("{shown}")', steps=[], quote=shown)


def _read(call: str) -> dict[str, Any]:
    """The id that a script's call names, and the values it enters."""
    named = re.match(r"\w+\((\d+)", call)
    return {"i": named[1] if named else "", "values": re.findall(r'"(.*?)"', call)}
