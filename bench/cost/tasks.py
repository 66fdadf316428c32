"""Ten tasks, and the replies of a model that solves them.

The replies are scripted; their cost is not: the real server writes the prompts, and the fake counts
what it received over HTTP.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench.cost.desk import Desk
from tests.fakes.calls import Call
from tests.fakes.gemini import FakeGemini
from tests.fakes.scripted import asks_for
from tests.fakes.tavily import FakeTavily, found

Reply = Callable[[Call], Any]


@dataclass(frozen=True)
class Task:
    """A task. `moves` are the model's replies to its calls for an action, in order: dicts, or callables
    that read the page in the prompt. `answer` is the person's answer to a question; `others` are
    replies to other kinds of calls, by a field of their schema; `reached` checks the page and the
    result.
    """

    name: str
    goal: str
    reached: Callable[[Desk, str], bool]
    moves: tuple[Any, ...] = ()
    place: str = "/contacts"
    answer: str = ""
    others: tuple[tuple[str, Any], ...] = ()
    results: tuple[tuple[str, str, str], ...] = ()

    def replies(self) -> list[Reply]:
        """The moves in order, each fitted to its call; the last one ends the task."""
        ends = move('finish("Done.")', thought="The page shows it.")
        return [_fitted(one) for one in (*self.moves, ends)]

    def script(self, gemini: FakeGemini, tavily: FakeTavily) -> None:
        """Give the replies to the fakes."""
        gemini.when(asks_for("do"), *self.replies(), always=True)
        gemini.when(asks_for("ok"), {"ok": True}, always=True)
        gemini.when(asks_for("wanted"), {"effect": "saves", "wanted": True}, always=True)
        for named, reply in self.others:
            gemini.when(asks_for(named), reply, always=True)
        if self.results:
            tavily.when(lambda _: True, found(*self.results), always=True)


def _fitted(reply: Any) -> Reply:
    """The same move in the shape that the call asks for."""

    def fit(call: Call) -> dict[str, Any]:
        whole = reply(call) if callable(reply) else reply
        whole = {"intent": "operation", "strategy": "other element"} | whole
        return {name: value for name, value in whole.items() if call.asks_for(name)}

    return fit


def move(*do: str, thought: str, step: str = "", **more: Any) -> dict[str, Any]:
    """A reply with the actions, and one coarse step for an opening."""
    steps = {"steps": [{"text": step}]} if step else {}
    return {"thought": thought, **steps, "do": list(do), "ends": True, "sure": 0.95} | more


def _typed(call: Call, **values: str) -> list[str]:
    named = {name.replace("_", " "): value for name, value in values.items()}
    return [f'setValue("{call.id_of(name)}", "{value}")' for name, value in named.items()]


def _five_fields(call: Call) -> Any:
    values = {
        "Full name": "Jas Okafor", "Date of birth": "1990-05-03", "Phone": "020 7946 0100",
        "City": "Leeds", "Insurer": "Nordia",
    }  # fmt: skip
    fill = _typed(call, **values)
    return move(
        *fill, f'click("{call.id_of("Save contact")}")',
        step="Fill in the contact and save it", see=["Saved: Jas Okafor"],
        thought="The form has all five fields, and the goal gives every value.",
    )  # fmt: skip


def _search(call: Call) -> Any:
    return move(
        *_typed(call, Search_contacts="Dunn"),
        step="Search for Dunn", see=["Cara Dunn"], next="Open",
        steps=[{"text": "Search for Dunn"}, {"text": "Open the record of Cara Dunn", "after": [1]}],
        thought="There is a search box over the list of contacts.",
    )  # fmt: skip


def _open_found(call: Call) -> Any:
    return move(f'click("{call.id_of("Open")}")', thought="One contact is left.", see=["Phone:"])


def _ship(call: Call) -> Any:
    return move(
        f'click("{call.id_of("Mark as shipped", row="Contoso")}")',
        step="Mark the order of Contoso as shipped", see=["marked as shipped"],
        thought="The row of Contoso has the button.",
    )  # fmt: skip


PARTS = [
    {"goal": "Find the phone number of Ann Lee", "gives": "phone"},
    {"goal": "Create a ticket 'Call back' with that number", "needs": "phone"},
]


def _part_one(call: Call) -> Any:
    return move(
        f'click("{call.id_of("Open", row="Ann Lee")}")', parts=PARTS,
        step="Open the record of Ann Lee", see=["Phone:"],
        thought="Two pages are needed: the record first, then a ticket.",
    )  # fmt: skip


def _part_two(call: Call) -> Any:
    return move(
        f'click("{call.id_of("Tickets")}")', outputs=["phone=020 7946 0991"], step="Open the tickets",
        steps=[
            {"text": "Open the tickets"},
            {"text": "Open a new ticket", "after": [1]},
            {"text": "Fill in the ticket and create it", "after": [2]},
        ],
        see=["New ticket"], thought="The record shows the number; now the ticket.",
    )  # fmt: skip


def _ticket(call: Call) -> Any:
    fill = _typed(call, Subject="Call back", Phone="020 7946 0991")
    click = f'click("{call.id_of("Create ticket")}")'
    return move(*fill, click, thought="Both values are known.", see=["Saved: Call back"])


def _which_ann(_: Call) -> Any:
    asked = {
        "ask": ["Which Ann do you mean: Ann Lee or Ann Marsh?"],
        "sources": ["PAGE", "ASK_USER"],
    }
    thought = "Two contacts are called Ann, and nothing tells which is meant."
    return move(thought=thought, **asked)


def _edit_ann(call: Call) -> Any:
    return move(
        f'click("{call.id_of("Edit", row="Ann Marsh")}")',
        step="Open Ann Marsh for editing",
        steps=[{"text": "Open Ann Marsh for editing"}, {"text": "Change the phone and save", "after": [1]}],
        next="Save changes", thought="The person said which.",
    )  # fmt: skip


def _change_phone(call: Call) -> Any:
    fill = _typed(call, Phone="020 7946 0999")
    click = f'click("{call.id_of("Save changes")}")'
    return move(*fill, click, thought="The form holds the phone.", see=["Saved"])


def _wrong_id(_: Call) -> Any:
    return move(
        'click("9999")', step="Mark the order of Wingtip as shipped", thought="The row's button."
    )


def _right_id(call: Call) -> Any:
    return move(
        f'click("{call.id_of("Mark as shipped", row="Wingtip")}")',
        step="Mark the order of Wingtip as shipped", see=["marked as shipped"], thought="The row's button.",
    )  # fmt: skip


def _settings(call: Call) -> Any:
    return move(
        f'setChecked("{call.id_of("Email alerts")}", true)',
        f'setChecked("{call.id_of("Weekly digest")}", true)',
        f'selectOption("{call.id_of("Language")}", "German")',
        f'click("{call.id_of("Save settings")}")',
        step="Set the notifications and save them", see=["Saved"], thought="All are in one form.",
    )  # fmt: skip


def _look_up(call: Call) -> Any:
    query = "Nordia insurance customer service phone number"
    thought = "The number of Nordia's line is on no page here."
    if not call.asks_for("search"):
        return move(f'googleSearch("{query}")', thought=thought, ends=False)
    return move(search=query, sources=["PAGE", "WEB_SEARCH"], thought=thought)


def _ticket_for_nordia(call: Call) -> Any:
    fill = _typed(call, Subject="Nordia", Phone="0800 555 0134")
    click = f'click("{call.id_of("Create ticket")}")'
    return move(
        *fill, click, step="Fill in the ticket and create it", see=["Saved: Nordia"],
        thought="The search gave the number.",
    )  # fmt: skip


def _total(call: Call) -> Any:
    told = (
        "The open invoices come to 1,648.50: Contoso 1,240.00, Fabrikam 310.50 and Northwind 98.00."
    )
    thought = "The rows show the sums."
    if not call.asks_for("say"):
        return move(f'finish("{told}")', thought=thought, quote="1,240.00")
    return move(say=told, thought=thought, quote="1,240.00")


NORDIA = (
    "Contact Nordia",
    "https://nordia.example/contact",
    "Customer service: 0800 555 0134, all day.",
)
PERSON = (
    "Jas Okafor, born 1990-05-03, lives in Leeds, can be called at 020 7946 0100 and is with Nordia"
)


def _was_saved(**values: str) -> Callable[[Desk, str], bool]:
    wanted = {name.replace("_", " "): value for name, value in values.items()}
    return lambda desk, _: any(wanted.items() <= one.items() for one in desk.saved)


TASKS = (
    Task(
        "five-field form", f"We have someone new on our books: {PERSON}",
        _was_saved(Full_name="Jas Okafor", Insurer="Nordia", City="Leeds"),
        (_five_fields,), place="/contacts/new",
    ),
    Task(
        "search and open", "I need to see what we hold on the Dunn lady",
        lambda desk, _: desk.place == "/contacts/Cara Dunn", (_search, _open_found),
    ),
    Task(
        "action in a row", "What Contoso bought has left the house, have the list say so",
        lambda desk, _: desk.shipped == ["Contoso"], (_ship,), place="/orders",
    ),
    Task(
        "two pages, sub-tasks", "Ann Lee wants a call back: look up her number and raise a ticket with it",
        _was_saved(Subject="Call back", Phone="020 7946 0991"),
        (_part_one, _part_two, _ticket),
    ),
    Task(
        "question about the page", "How much do all of these customers owe us together?",
        lambda _, result: "1,648.50" in result, (_total,), place="/invoices",
        others=(("found", {"found": True, "answer": "1,648.50 in all"}),),
    ),
    Task(
        "ambiguous, person asked", "Ann has a new number, 020 7946 0999, see to it",
        _was_saved(Phone="020 7946 0999"), (_which_ann, _edit_ann, _change_phone), answer="Ann Marsh",
    ),
    Task(
        "wrong id, re-asked", "Wingtip's parcel went out this morning, get that on the list",
        lambda desk, _: desk.shipped == ["Wingtip"], (_wrong_id, _right_id), place="/orders",
    ),
    Task(
        "settings, in plain words",
        "Turn on Email alerts and Weekly digest, set Language to German, then click Save settings",
        _was_saved(Email_alerts="on", Weekly_digest="on", Language="German"),
        (_settings,), place="/settings",
    ),
    Task(
        "looked up on the web", "Raise a ticket called Nordia with the number of that insurer's service line",
        _was_saved(Subject="Nordia", Phone="0800 555 0134"),
        (_look_up, _ticket_for_nordia), place="/tickets/new", results=(NORDIA,),
        others=(("solved", {"solved": True, "answer": "0800 555 0134 (https://nordia.example/contact)"}),),
    ),
    Task(
        "row, in plain words", "Click Orders, then click 'Mark as shipped' for Tailspin",
        lambda desk, _: desk.shipped == ["Tailspin"],
    ),
)  # fmt: skip
